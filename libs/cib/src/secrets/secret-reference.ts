/** What a parameter's value stands for where the value itself is kept elsewhere. */
export type SecretReference =
  /** A value that the server keeps, by its id. */
  | { readonly kind: 'held'; readonly id: string }
  /** A file on the node. */
  | { readonly kind: 'file'; readonly path: string }
  /** A variable in the environment of the node's agent. */
  | { readonly kind: 'environment'; readonly name: string }
  /** A command that the node's own settings name. */
  | { readonly kind: 'command'; readonly name: string }
  /** A file on the node as `cibsecret` writes it, found by resource and parameter. */
  | { readonly kind: 'cibsecret' };

const PREFIX = 'systole-secret:';
const CIBSECRET = 'lrm://';
/** Longest reference that is read, characters. */
const LONGEST = 1_024;

const HELD = /^[0-9a-f]{32}$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const PATH = /^\/[^\p{Cc}]*$/u;

/** What is to be written where one of these is meant. */
export const REFERENCE_FORMS = `${PREFIX}file:/path, ${PREFIX}env:NAME, ${PREFIX}command:NAME or ${CIBSECRET}`;

/** @returns undefined for what is a value, and no reference; `malformed` for what begins as one and is none */
export function secretReferenceIn(value: string): SecretReference | 'malformed' | undefined {
  if (value === CIBSECRET) return { kind: 'cibsecret' };
  if (!value.startsWith(PREFIX)) return value.startsWith(CIBSECRET) ? 'malformed' : undefined;
  const rest = value.slice(PREFIX.length);
  if (rest.length > LONGEST) return 'malformed';
  if (HELD.test(rest)) return { kind: 'held', id: rest };
  const colon = rest.indexOf(':');
  const [kind, of] = [rest.slice(0, colon), rest.slice(colon + 1)];
  if (kind === 'file' && PATH.test(of)) return { kind: 'file', path: of };
  if (kind === 'env' && NAME.test(of)) return { kind: 'environment', name: of };
  if (kind === 'command' && NAME.test(of)) return { kind: 'command', name: of };
  return 'malformed';
}

/** The reference to a value that the server keeps. */
export function heldReference(id: string): string {
  return `${PREFIX}${id}`;
}

/** The id of a value that the server keeps; undefined for everything else. */
export function heldIdIn(value: string): string | undefined {
  const reference = secretReferenceIn(value);
  return typeof reference === 'object' && reference.kind === 'held' ? reference.id : undefined;
}
