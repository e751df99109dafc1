/** A planned action in the summary of its transition. */
export interface SummarizedAction {
  readonly operation: string;
  /** Of a clone, with the number of the instance; the node, for what is done to the node itself (`fence-reboot`, `shutdown`). */
  readonly resource: string;
  readonly node: string;
  readonly reason?: string;
}

/**
 * The line of an action in `TransitionPlanned.summary`: `start db:1 on n2 (reason)`, `fence-reboot n2 (reason)`. Read by people, and by {@link SUMMARIZED_RESOURCE} and
 * {@link SUMMARIZED_NODE}.
 */
export function summaryLine({ resource, operation, node, reason }: SummarizedAction): string {
  const what = resource === node ? `${operation} ${node}` : `${operation} ${resource} on ${node}`;
  return reason === undefined ? what : `${what} (${reason})`;
}

/** Finds in a summary's line the resource; a regular expression as PostgreSQL and JavaScript have it, whose one group it is. */
export const SUMMARIZED_RESOURCE = '^\\S+ (\\S+) on ';
/** The same for the node. */
export const SUMMARIZED_NODE = '^\\S+ (?:\\S+ on )?(\\S+)(?: \\(|$)';
