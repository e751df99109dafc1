import { readingOf, type XmlElement } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { configuredNodes } from '../state/configuration.js';

/**
 * Options of quorum. Pacemaker leaves them to corosync.conf; Systole has no such file, so they are cluster properties of the CIB, with a prefix of
 * their own (Pacemaker ignores what it does not know):
 * `systole-two-node`, `systole-wait-for-all` (booleans), `systole-expected-votes` (a number).
 */
export interface QuorumOptions {
  /** With exactly two expected votes one is enough. Implies wait-for-all unless that is switched off. */
  readonly twoNode: boolean;
  /** Quorum is not granted for the first time before every expected vote was seen at once. */
  readonly waitForAll: boolean;
  /** A fixed number instead of that of the configured nodes; votes above the number of nodes are never there. */
  readonly expectedVotes?: number;
}

/** @param now epoch ms, for rules */
export function quorumOptions(cib: XmlElement, now: number): QuorumOptions {
  const { options } = readingOf(cib, now);
  const twoNode = options.flag('systole-two-node');
  const expectedVotes = options.count('systole-expected-votes');
  return {
    twoNode,
    waitForAll: options.text('systole-wait-for-all') === undefined ? twoNode : options.flag('systole-wait-for-all'),
    ...(expectedVotes === undefined ? {} : { expectedVotes }),
  };
}

export interface QuorumCount {
  readonly quorate: boolean;
  readonly votes: number;
  readonly expectedVotes: number;
}

/**
 * Counts votes: each configured cluster node that holds a lease has one; more than half of the expected votes make a quorum.
 *
 * `leaseHolders`: nodes whose lease has not run out by the database's clock (a node whose lease is over has no vote even before NodeLeaseLost
 * is recorded). `doubtful`: nodes of which the caller can't tell. `now`: epoch ms, for rules. Of the doubtful as many count as the log has counted: a worker that was just started, or could
 * not look for a while, would else count them, and one that saw their leases end would not, so that in turn they granted quorum and took it back. When the answer differs from `state.quorum`, execute `change-quorum` with it.
 */
export function countQuorum(
  state: ClusterState,
  leaseHolders: Iterable<string>,
  now: number,
  doubtful: Iterable<string> = [],
): QuorumCount {
  const options = quorumOptions(state.cib, now);
  const nodes = configuredNodes(state.cib);
  const votesOf = (names: ReadonlySet<string>): number =>
    nodes.filter(({ name }) => names.has(name) && state.nodes[name]?.membership === 'joined').length;
  const expectedVotes = options.expectedVotes ?? nodes.length;
  const known = state.quorum?.expectedVotes === expectedVotes ? state.quorum.votes : Number.POSITIVE_INFINITY;
  const held = votesOf(new Set(leaseHolders));
  const votes = held + Math.min(votesOf(new Set(doubtful)), Math.max(0, known - held));
  const enough = options.twoNode && expectedVotes === 2 ? votes >= 1 : votes * 2 > expectedVotes;
  const everQuorate = state.quorum?.everQuorate ?? false;
  const quorate = enough && (everQuorate || !options.waitForAll || votes >= expectedVotes);
  return { quorate, votes, expectedVotes };
}
