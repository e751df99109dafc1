/** Longest name of a node, characters: as long as the name of a machine may be on Linux (HOST_NAME_MAX, uname(2)). */
export const LONGEST_NODE_NAME = 64;

/** What a node's name consists of: what a machine may be called (RFC 1123 §2.1), and "_", which many are. An agent joins by it, and programs get it as a host's name. */
export const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The same in words. */
export const NODE_NAME_SAYS = `a node name is 1 to ${String(LONGEST_NODE_NAME)} characters of A-Z a-z 0-9 . _ - and begins with a letter or digit`;

/** Whether an agent can join under a name. */
export function isNodeName(name: string): boolean {
  return name.length <= LONGEST_NODE_NAME && NODE_NAME.test(name);
}

/** Why no agent can join under a name, e.g. `"a/b" holds "/"`; undefined where one can. */
export function unusableNodeName(name: string): string | undefined {
  if (isNodeName(name)) return undefined;
  const shown = JSON.stringify(name.slice(0, LONGEST_NODE_NAME));
  for (const [index, character] of Array.from(name).entries()) {
    if (NODE_NAME.test(`${index === 0 ? '' : 'a'}${character}`)) continue;
    return `${shown} ${index === 0 ? 'begins with' : 'holds'} ${shownCharacter(character)}`;
  }
  return name === '' ? 'it is empty' : `${shown}${name.length > LONGEST_NODE_NAME ? '…' : ''} has ${String(name.length)} characters`;
}

function shownCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? JSON.stringify(character) : `"${character}" (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}
