import { readingOf } from '@systole/cib';
import type { ElapsedSince } from './elapsed-since.js';
import { isRequested } from '../fencing/fencing-limit.js';
import { requestedFencing } from '../fencing/requested-fencing.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { fencedByDevice } from '../remote/remote-nodes.js';
import { configuredNodes } from '../state/configuration.js';

/** Lost and unheard nodes that are given time to come back, as they could reach no server. */
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
 * since then could have renewed its lease for all of its length: it is not waited for. The same goes for nodes that were not heard of since the first of all joined, or the log
 * went back: the time that they got then ran on while they could not join.
 *
 * @param servedForMs for how long agents have been able to reach the servers without a break, ms; undefined while they can't, or nobody can tell
 * @param now epoch ms, for rules
 */
export function absenceHold(
  state: ClusterState,
  servedForMs: number | undefined,
  elapsed: ElapsedSince,
  now: number,
): AbsenceHold | undefined {
  const forMs =
    servedForMs === undefined ? Number.POSITIVE_INFINITY : readingOf(state.cib, now).options.duration('dc-deadtime') - servedForMs;
  if (forMs <= 0) return undefined;
  const isBefore = (cause: string, at: string, version?: number): boolean =>
    servedForMs === undefined || elapsed(cause, Date.parse(at), version) > servedForMs;
  const lost = lostAndFenced(state, now).filter((name) => {
    const { since = '', lostVersion } = memberOf(state, name) ?? {};
    return isBefore(`loss of ${name}`, since, lostVersion);
  });
  const { firstJoinAt } = state;
  const unheard = firstJoinAt !== undefined && isBefore('first join', firstJoinAt) ? unheardAndFenced(state, now) : [];
  const nodes = [...lost, ...unheard];
  if (nodes.length === 0) return undefined;
  return { nodes, forMs, reason: `the servers were away: waiting for ${nodes.toSorted().join(', ')} to come back` };
}

/** Names of the nodes that are fenced because nothing was heard of them: since the log went back, or ever (where `startup-fencing` wants that). @param now epoch ms, for rules */
function unheardAndFenced(state: ClusterState, now: number): readonly string[] {
  const { options } = readingOf(state.cib, now);
  if (!options.flag('fencing-enabled')) return [];
  return configuredNodes(state.cib)
    .map(({ name }) => name)
    .filter((name) => {
      const member = memberOf(state, name);
      if (member === undefined) return options.flag('startup-fencing');
      return member.membership === 'unheard' && member.overBefore !== true && !isRequested(state, name, now);
    });
}

/** Names of the lost nodes that are fenced for that alone: nobody asked for it (attribute `terminate`). @param now epoch ms, for rules */
export function lostAndFenced(state: ClusterState, now: number): readonly string[] {
  if (!readingOf(state.cib, now).options.flag('fencing-enabled')) return [];
  const requested = requestedFencing(state, now);
  return fencedByDevice(state.cib).filter((name) => memberOf(state, name)?.membership === 'lost' && !requested.includes(name));
}
