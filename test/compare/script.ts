/** One command of a script. */
export interface Step {
  /** As a shell gets it, on a node or wherever people type. */
  readonly command: string;
}

/** What a command did. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Reads a script: `$ COMMAND` a line; `#` begins a remark.
 *
 * @throws for a line that is neither
 */
export function readScript(text: string): readonly Step[] {
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('$ ')) return [{ command: line.slice(2) }];
    if (line !== '' && !line.startsWith('#')) throw new Error(`neither a command nor a remark: ${line}`);
    return [];
  });
}

/** What is another in each run, and says nothing: times, and what is told by them. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \d{4}( [+-]\d\d:\d\d)?/g, '<time>'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d [+-]?\d\d:?\d\d \d{4}/g, '<time>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?(Z|[+-]\d\d:\d\d))?/g, '<time>'],
  [
    /(last-granted|last-rc-change|last-run|epoch|num_updates|admin_epoch|cib-last-written|call|call-id|transition-key|transition-magic)="[^"]*"/g,
    '$1="…"',
  ],
  [/(exec|queue)(-time)?([:=]) ?"?\d+m?s?"?/g, '$1$2$3…'],
];

/** How a tool says how it is used: in words of its own, which are nobody else's. */
const USAGE = /^(?:\S+ - [^\n]*\n+)?Usage:[^]*/m;

/** The output as it is compared. @param asked what was: a tool that shows times is asked for these */
export function comparable(text: string, asked = ''): string {
  let shown = text.replace(USAGE, '<usage>');
  if (!asked.startsWith('iso8601 ')) for (const [pattern, by] of PASSING) shown = shown.replaceAll(pattern, by);
  return shown
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

/** A step and its end as text: what was printed, what was complained of (`!`), and the exit code. */
export function transcribed(command: string, { code, out, err }: Ended): string {
  const lines = (text: string, prefix: string): string[] =>
    comparable(text) === ''
      ? []
      : comparable(text)
          .split('\n')
          .map((line) => `${prefix}${line}`);
  return [`$ ${command}`, ...lines(out, '  '), ...lines(err, '! '), `= ${code}`].join('\n');
}

/** The transcripts of the steps of a file, by their place. */
export function readTranscript(text: string): readonly string[] {
  return text
    .split(/^(?=\$ )/m)
    .map((one) => one.trimEnd())
    .filter((one) => one !== '');
}
