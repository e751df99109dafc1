import { tellingsOf } from '../epoch/tellings.js';
import { epochOf, isNamed, isToldOnly } from '../epoch/witness.js';
import type { ClusterState } from '../state/cluster-state.js';
import type { BeginEpoch } from './cluster-command.js';
import type { Decision } from './decision.js';
import { accept } from './rejection.js';

export function beginEpoch({ clusterId, epoch, reason, witness, by, told, proven }: BeginEpoch, state: ClusterState): Decision {
  const previous = epochOf(state, clusterId);
  const isOver = witness !== undefined && witness.epoch !== previous && isNamed(state, witness.epoch);
  // A node that told of the loss first, by its word alone, must not keep what follows from a certain one from being done.
  if (isOver && !(proven === true && isToldOnly(state, witness.epoch))) return accept();
  if (told !== undefined && told !== (tellingsOf(state, by)?.times ?? 0)) return accept();
  const shown = witness === undefined ? {} : { witness: { epoch: witness.epoch, version: witness.version, hash: witness.hash } };
  return accept({ type: 'EpochBegan', data: { epoch, previous, reason, ...shown, by, ...(proven === undefined ? {} : { proven }) } });
}
