/** The return codes of resource agents by which the session judges; libs/ocf, which this library does not know, names them all. */
export const RC = {
  SUCCESS: 0,
  ERR_GENERIC: 1,
  ERR_ARGS: 2,
  NOT_RUNNING: 7,
  RUNNING_PROMOTED: 8,
  FAILED_PROMOTED: 9,
  DEGRADED: 190,
  DEGRADED_PROMOTED: 191,
} as const;

const ACTIVE: ReadonlySet<number> = new Set([RC.SUCCESS, RC.RUNNING_PROMOTED, RC.FAILED_PROMOTED, RC.DEGRADED, RC.DEGRADED_PROMOTED]);

/** Whether a monitor that ended with this code says that the resource is active (in whatever role and health). */
export function meansActive(rc: number): boolean {
  return ACTIVE.has(rc);
}
