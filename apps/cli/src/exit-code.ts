/** How `systole` ends; documented in docs/guide/cli.md. */
export const EXIT = {
  ok: 0,
  /** The server refused, or something else went wrong. */
  failed: 1,
  /** The command line or the settings are not usable. */
  usage: 2,
  unreachable: 3,
  /** Not authenticated, or not allowed. */
  denied: 4,
  /** The cluster is not in the state that the request was made for. */
  conflict: 5,
  /** With `--wait`: the change was made, and the cluster was not seen to settle in time. */
  unsettled: 6,
  /** By Ctrl-C, before the command was done; as shells have it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command line or the settings are not usable; the message says what to give. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
