/**
 * Exit codes of OCF resource agents (OCF Resource Agent API 1.1, "Return codes"), with the two `degraded` codes that Pacemaker added.
 * The numbers are part of the contract with every agent; never renumber.
 */
export const OCF = {
  SUCCESS: 0,
  ERR_GENERIC: 1,
  ERR_ARGS: 2,
  ERR_UNIMPLEMENTED: 3,
  ERR_PERM: 4,
  ERR_INSTALLED: 5,
  ERR_CONFIGURED: 6,
  NOT_RUNNING: 7,
  RUNNING_PROMOTED: 8,
  FAILED_PROMOTED: 9,
  DEGRADED: 190,
  DEGRADED_PROMOTED: 191,
} as const;

export interface ReturnCodeDescription {
  /** The name that shell agents use, e.g. `OCF_NOT_RUNNING`. */
  readonly name: string;
  /** One line for people. */
  readonly meaning: string;
}

const DESCRIPTIONS: ReadonlyMap<number, ReturnCodeDescription> = new Map([
  [OCF.SUCCESS, { name: 'OCF_SUCCESS', meaning: 'the action succeeded; for a monitor: the resource is running' }],
  [OCF.ERR_GENERIC, { name: 'OCF_ERR_GENERIC', meaning: 'the action failed' }],
  [OCF.ERR_ARGS, { name: 'OCF_ERR_ARGS', meaning: 'the parameters are not valid on this node' }],
  [OCF.ERR_UNIMPLEMENTED, { name: 'OCF_ERR_UNIMPLEMENTED', meaning: 'the agent does not implement the action' }],
  [OCF.ERR_PERM, { name: 'OCF_ERR_PERM', meaning: 'the agent lacks a permission' }],
  [OCF.ERR_INSTALLED, { name: 'OCF_ERR_INSTALLED', meaning: 'software that the agent needs is not installed on this node' }],
  [OCF.ERR_CONFIGURED, { name: 'OCF_ERR_CONFIGURED', meaning: 'the configuration of the resource is not valid anywhere' }],
  [OCF.NOT_RUNNING, { name: 'OCF_NOT_RUNNING', meaning: 'the resource is cleanly stopped' }],
  [OCF.RUNNING_PROMOTED, { name: 'OCF_RUNNING_PROMOTED', meaning: 'the resource is running in the promoted role' }],
  [OCF.FAILED_PROMOTED, { name: 'OCF_FAILED_PROMOTED', meaning: 'the resource failed in the promoted role' }],
  [OCF.DEGRADED, { name: 'OCF_DEGRADED', meaning: 'the resource is running, but likely to fail soon' }],
  [
    OCF.DEGRADED_PROMOTED,
    { name: 'OCF_DEGRADED_PROMOTED', meaning: 'the resource is running in the promoted role, but likely to fail soon' },
  ],
]);

/** Name and meaning of an exit code; codes outside the standard are described as such. */
export function describeReturnCode(rc: number): ReturnCodeDescription {
  return DESCRIPTIONS.get(rc) ?? { name: `rc=${rc}`, meaning: 'not a standard OCF exit code' };
}

/** Whether a monitor that ended with this code says that the resource is active (in whatever role and health). */
export function meansActive(rc: number): boolean {
  return (
    rc === OCF.SUCCESS || rc === OCF.RUNNING_PROMOTED || rc === OCF.FAILED_PROMOTED || rc === OCF.DEGRADED || rc === OCF.DEGRADED_PROMOTED
  );
}
