import { readingOf } from '@systole/cib';
import { requestedFencing } from '../fencing/requested-fencing.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { configuredNodes } from '../state/configuration.js';

/** Lost nodes that are given time to come back, as they could reach no server. */
export interface AbsenceHold {
  readonly nodes: readonly string[];
  /** For so many ms more; infinite as long as nobody can tell whether agents can reach the servers. */
  readonly forMs: number;
  /** For people. */
  readonly reason: string;
}

/**
 * A node that was lost before the servers were away (all apis, or the database) may have recovered meanwhile, and could not say so: where there is fencing it gets
 * `dc-deadtime` from their return, as nodes get that were lost together. Whoever was lost
 * since then could have renewed its lease for all of its length: it is not waited for.
 *
 * @param servedForMs for how long agents have been able to reach the servers without a break, ms; undefined while they can't, or nobody can tell
 * @param elapsed how long ago, ms, `cause` happened, which was dated `momentMs`: the caller knows by which clock
 * @param now epoch ms, for rules
 */
export function absenceHold(
  state: ClusterState,
  servedForMs: number | undefined,
  elapsed: (cause: string, momentMs: number) => number,
  now: number,
): AbsenceHold | undefined {
  const forMs =
    servedForMs === undefined ? Number.POSITIVE_INFINITY : readingOf(state.cib, now).options.duration('dc-deadtime') - servedForMs;
  if (forMs <= 0) return undefined;
  const nodes = lostAndFenced(state, now).filter((name) => {
    const since = memberOf(state, name)?.since ?? '';
    return servedForMs === undefined || elapsed(`loss of ${name}`, Date.parse(since)) > servedForMs;
  });
  if (nodes.length === 0) return undefined;
  return { nodes, forMs, reason: `the servers were away: waiting for ${nodes.toSorted().join(', ')} to come back` };
}

/** Names of the lost nodes that are fenced for that alone: nobody asked for it (attribute `terminate`). @param now epoch ms, for rules */
export function lostAndFenced(state: ClusterState, now: number): readonly string[] {
  if (!readingOf(state.cib, now).options.flag('fencing-enabled')) return [];
  const requested = requestedFencing(state, now);
  return configuredNodes(state.cib)
    .map(({ name }) => name)
    .filter((name) => memberOf(state, name)?.membership === 'lost' && !requested.includes(name));
}
