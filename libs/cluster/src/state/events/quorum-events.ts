import type { QuorumChanged, RecordedClusterEvent } from '../../events/cluster-event.js';
import type { ClusterState, QuorumState } from '../cluster-state.js';
import { withAttributes } from '../tree.js';
import type { Folds } from './folds.js';

/** That the cluster has quorum, or has it no more. */
export const quorumEvents: Folds<'QuorumChanged'> = { QuorumChanged: quorumChanged };

/** More than a lost node is waited for (`planningHold`). */
const REGAINS_KEPT = 4;

/** `have-quorum` is what the scheduler reads; `no-quorum-panic` says that quorum was had before (specification 03 §3.1). */
function quorumChanged(state: ClusterState, data: QuorumChanged['data'], { occurredAt, version }: RecordedClusterEvent): ClusterState {
  const everQuorate = data.quorate || (state.quorum?.everQuorate ?? false);
  const panic = everQuorate && !data.quorate ? '1' : undefined;
  const cib = withAttributes(state.cib, { 'have-quorum': data.quorate ? '1' : '0', 'no-quorum-panic': panic });
  const regained = data.quorate && state.quorum?.everQuorate === true && !state.quorum.quorate;
  const before = data.quorate ? state.quorum : undefined;
  const regain = regained ? { regainedAt: occurredAt, regainedVersion: version } : pastRegain(before);
  const regains = [...(state.quorum?.regains ?? []), ...(regained ? [version] : [])].slice(-REGAINS_KEPT);
  return { ...state, cib, quorum: { ...data, everQuorate, ...regain, ...(regains.length === 0 ? {} : { regains }) } };
}

function pastRegain(quorum: QuorumState | undefined): Pick<QuorumState, 'regainedAt' | 'regainedVersion'> {
  if (quorum?.regainedAt === undefined || quorum.regainedVersion === undefined) return {};
  return { regainedAt: quorum.regainedAt, regainedVersion: quorum.regainedVersion };
}
