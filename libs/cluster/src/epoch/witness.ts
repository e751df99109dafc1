import type { ClusterState } from '../state/cluster-state.js';

/** A place in the event log that was acknowledged once: what a server tells with each answer, and what an agent shows with its next question. */
export interface LogHead {
  /** Of the log at that time (see `epochOf`). */
  readonly epoch: string;
  /** Stream version, from 1. */
  readonly version: number;
  /** Of the event at that version; lower-case hexadecimal. */
  readonly hash: string;
}

/**
 * What a head that somebody was told says about the log that is there now.
 * - `contained`: the log has it; nothing is missing.
 * - `earlier-epoch`: from before an epoch that the log knows to have begun. That it lacks something is known already; whoever shows this has
 *   to join anew.
 * - `told-only`: the same, of an epoch that a node's mere word ended, and the log does not have it: with a proof this says that the loss was true, so a new epoch has to begin that is certain.
 * - `contradicted`: the log does not have what it had acknowledged: it went back in time, or was rewritten. A new epoch has to begin.
 */
export type WitnessVerdict = 'contained' | 'earlier-epoch' | 'told-only' | 'contradicted';

/** The epoch that the log is in. The first one is the cluster's id. */
export function epochOf({ epoch }: Pick<ClusterState, 'epoch'>, clusterId: string): string {
  return epoch?.id ?? clusterId;
}

/**
 * Judges a head that was shown.
 *
 * @param state folded from the log as it is now, after the witness was received
 * @param storedHash hash of the event at the witness's version in that log; undefined when it has none
 */
export function judgeWitness(state: ClusterState, clusterId: string, witness: LogHead, storedHash: string | undefined): WitnessVerdict {
  if (witness.epoch !== epochOf(state, clusterId) && isNamed(state, witness.epoch))
    return isToldOnly(state, witness.epoch) && storedHash !== witness.hash ? 'told-only' : 'earlier-epoch';
  return storedHash === witness.hash ? 'contained' : 'contradicted';
}

/** Whether the log tells of an epoch that is over. */
export function isNamed({ epoch }: Pick<ClusterState, 'epoch'>, id: string): boolean {
  return epoch?.earlier.includes(id) === true;
}

/** Whether the epoch ended by the mere word of a node, and nothing has proven a loss since. */
export function isToldOnly({ epoch }: Pick<ClusterState, 'epoch'>, id: string): boolean {
  return epoch?.byWord?.includes(id) === true;
}
