import type { ClusterState } from '../state/cluster-state.js';

/** That epochs began by one witness's word. */
export interface Tellings {
  /** How many did. */
  readonly times: number;
  /** ISO time of the newest EpochBegan of them. */
  readonly at: string;
}

const FIRST_WAIT_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** What the log knows of epochs that began by the word of `by`: a node, `api` or `worker`. */
export function tellingsOf({ epoch }: Pick<ClusterState, 'epoch'>, by: string): Tellings | undefined {
  const tellings = epoch?.tellings ?? {};
  return Object.hasOwn(tellings, by) ? tellings[by] : undefined;
}

/**
 * For how long a node's word begins no epoch again, ms: each time twice as long. Whoever holds its token must not keep a cluster from starting anything by
 * telling tales again and again; of a true loss the other nodes tell, too.
 */
export function waitAfter(tellings: Tellings | undefined): number {
  return tellings === undefined ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (tellings.times - 1), LONGEST_WAIT_MS);
}
