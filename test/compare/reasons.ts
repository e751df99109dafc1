import { readFileSync } from 'node:fs';

/**
 * Why Systole answers another thing than Pacemaker 2.1.5 did. A difference is explained by its shape, or by the very command that it is of; whatever is explained by neither is to be mended.
 * The commands stand in `reasons.txt`: a reason (`-`) and the commands (`$`) that it explains.
 */
interface Shape {
  readonly why: string;
  /** What both say but for this difference. */
  readonly without: (transcript: string) => string;
}

const SHAPES: readonly Shape[] = [
  {
    why: 'Pacemaker begins each status with a line about its daemons, of which there are none here.',
    without: (text) => text.replace(/^ {2}(?:Status of pacemakerd: .*| *<pacemakerd .*)\n/gm, ''),
  },
  {
    why: 'Lists of resources name the node of each.',
    without: (text) =>
      /^\$ crm_resource( --list| -L)?\n/.test(text) ? text.replace(/(Started|Promoted|Unpromoted) node\d$/gm, '$1') : text,
  },
  {
    why: 'Nobody is waited for, so that nothing is said of replies.',
    without: (text) => text.replace(/^ {2}(?:Waiting for \d+ repl(?:y|ies) from the controller|\.\.\. got reply(?: \(done\))?)\n/gm, ''),
  },
  {
    why: 'Nodes and what is on them are listed by name.',
    without: (text) => {
      const [command = '', ...rest] = text.split('\n');
      return [command, ...rest.toSorted()].join('\n');
    },
  },
];

const BY_COMMAND: ReadonlyMap<string, string> = readReasons(readFileSync(new URL('../../compare/reasons.txt', import.meta.url), 'utf8'));

/** @throws for a line that is neither a remark, a reason nor a command of one */
export function readReasons(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let why: string | undefined;
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('- ')) why = line.slice(2);
    else if (line.startsWith('$ ') && why !== undefined) found.set(line.slice(2), why);
    else throw new Error(`neither a reason nor a command of one: ${line}`);
  }
  return found;
}

/** Commands of reasons that are in none of these: nothing is explained by them. */
export function idleReasons(differing: ReadonlySet<string>): readonly string[] {
  return [...BY_COMMAND.keys()].filter((command) => !differing.has(command));
}

/** Why a command may end otherwise here; undefined: it may not. @param theirs transcripts of both, without words on standard error */
export function explanation(command: string, theirs: string, ours: string): string | undefined {
  const alike = (shapes: readonly Shape[]): boolean => {
    const [a, b] = [theirs, ours].map((text) => shapes.reduce((left, { without }) => without(left), `${text}\n`));
    return a === b;
  };
  if (!alike(SHAPES)) return BY_COMMAND.get(command);
  const needed = SHAPES.reduce(
    (kept, shape) => (alike(kept.filter((one) => one !== shape)) ? kept.filter((one) => one !== shape) : kept),
    SHAPES,
  );
  return needed.map(({ why }) => why).join(' ');
}
