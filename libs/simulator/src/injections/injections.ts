/** Changes that are made before scheduling, to ask "what if" (specification 08 §10.2). Lists are applied in their order. */
export interface Injections {
  readonly quorum?: string;
  readonly watchdog?: string;
  /** Names of nodes. */
  readonly nodesUp?: readonly string[];
  readonly nodesDown?: readonly string[];
  readonly nodesFailed?: readonly string[];
  /** Ids of tickets. */
  readonly ticketsGranted?: readonly string[];
  readonly ticketsRevoked?: readonly string[];
  readonly ticketsStandby?: readonly string[];
  readonly ticketsActivated?: readonly string[];
  /** Results as `RESOURCE_TASK_INTERVAL@NODE=RC`. */
  readonly operations?: readonly string[];
}

/** Whether anything at all is asked for. */
export function hasInjections(injections: Injections): boolean {
  return Object.values(injections).some((value: string | readonly string[] | undefined) => value !== undefined && value.length > 0);
}
