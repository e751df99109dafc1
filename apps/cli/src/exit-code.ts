/** How `systole` ends. This table is what the documentation has. */
export const EXIT_CODES = [
  { name: 'ok', code: 0, meaning: 'done; `status --check`: nothing is wrong' },
  {
    name: 'failed',
    code: 1,
    meaning:
      'the server refused, or something else went wrong; `admin verify`, `audit verify`: the log is not intact; `status --check`: a warning',
  },
  { name: 'usage', code: 2, meaning: 'the command line, the settings or a file are not usable; `status --check`: critical' },
  { name: 'unreachable', code: 3, meaning: "the server can't be reached; `status --check`: nothing could be found out" },
  { name: 'denied', code: 4, meaning: 'not authenticated, or not allowed' },
  {
    name: 'conflict',
    code: 5,
    meaning:
      'conflict: the cluster is not in the state that the request was made for, others changed it meanwhile, or others refer to what was to be deleted',
  },
  {
    name: 'unsettled',
    code: 6,
    meaning:
      'with `--wait`: the change was made, but the cluster was not seen to settle in time, or nobody could look in time whether all runs then',
  },
  {
    name: 'failures',
    code: 7,
    meaning:
      'with `--wait`: the change was made and the cluster has settled, but operations failed since, or what was made, enabled, managed or moved runs on no node',
  },
  {
    name: 'unknown',
    code: 8,
    meaning:
      'a change was sent, and its answer stayed lost, though it was asked for again: it may have been made. `systole events --newest-first` shows',
  },
  {
    name: 'interrupted',
    code: 130,
    meaning:
      'interrupted, by Ctrl-C; as shells have it. A change that was made already stands: with `--wait`, and of what waits by itself, it is said which, and at which version',
  },
] as const;

type Row = (typeof EXIT_CODES)[number];
export type ExitCode = Row['code'];

/** The codes by their names. */
export const EXIT = Object.fromEntries(EXIT_CODES.map(({ name, code }) => [name, code])) as {
  readonly [name in Row['name']]: (Row & { readonly name: name })['code'];
};

/** The command line or the settings are not usable; the message says what to give. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
