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

const PROMOTED: ReadonlySet<number> = new Set([RC.RUNNING_PROMOTED, RC.FAILED_PROMOTED, RC.DEGRADED_PROMOTED]);

/** Operations after whose success a resource is not promoted. */
const TELL_UNPROMOTED: ReadonlySet<string> = new Set(['start', 'demote', 'monitor']);

/** Whether an operation that ended with this code says that the resource is promoted (in whatever health), or is not; undefined when it says nothing of that. */
export function saysPromoted(operation: string, rc: number): boolean | undefined {
  if (PROMOTED.has(rc)) return true;
  const isFine = rc === RC.SUCCESS || (rc === RC.DEGRADED && operation === 'monitor');
  return isFine && TELL_UNPROMOTED.has(operation) ? false : undefined;
}

/** Whether a monitor that ended with this code says that the resource is active (in whatever role and health). */
export function meansActive(rc: number): boolean {
  return ACTIVE.has(rc);
}
