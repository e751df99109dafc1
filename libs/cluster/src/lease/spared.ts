import { readingOf } from '@systole/cib';
import type { ClusterEvent } from '../events/cluster-event.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { historyOf } from '../state/history.js';
import { isAttributeSet, membersWithSet } from '../state/node-attributes.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { isAmong, knownOf, unmanagedIn, type Unmanaged } from './unmanaged.js';

/**
 * Notes what is managed with this event, or not known to be unmanaged any more, and was not before: answers that say so are still to come.
 *
 * Costs what the event concerns and, where it may have ended the maintenance of other nodes as well, what was not managed until then: histories are looked up by the ids of that, and
 * listed only for a whole node's maintenance, and for bundles, whose parts have names of many kinds.
 */
export function withSpared(before: ClusterState, after: ClusterState, event: ClusterEvent): ClusterState {
  if (!mayEndMaintenance(event)) return after;
  // Read as before, the configuration says the same of all nodes: only what is said of the event's own can differ.
  const alike = readingOf(before.cib, planTime(before)) === readingOf(after.cib, planTime(after));
  const concerned = Object.values(alike ? own(after, event) : after.nodes).filter(({ membership }) => membership === 'joined');
  if (concerned.length === 0) return after;
  const was = notManaged(before, concerned);
  if (was.nodes.size === 0 && isNothing(was.configured)) return after;
  const is = notManaged(after, concerned);
  const ended = minus(was.configured, is.configured);
  return concerned.reduce((state, member) => {
    const { name } = member;
    const suspects = is.nodes.has(name) ? [] : knownOf(before, name, was.nodes.has(name) ? 'everything' : ended);
    const deleted = event.type === 'HistoryDeleted' && event.data.node === name ? [event.data.resource] : [];
    const spared = [...suspects, ...deleted].filter((id) => holds(before, was, name, id) && !holds(after, is, name, id));
    if (spared.length === 0) return state;
    const versions = { ...member.spared, ...Object.fromEntries(spared.map((id) => [id, after.version])) };
    return { ...state, nodes: { ...state.nodes, [name]: { ...member, spared: versions } } };
  }, after);
}

function mayEndMaintenance(event: ClusterEvent): boolean {
  switch (event.type) {
    // A plan: by a rule over time.
    case 'TransitionPlanned':
    case 'ConfigurationChanged':
    case 'HistoryDeleted':
      return true;
    case 'NodeAttributeSet':
    case 'NodeAttributeCleared':
      return event.data.name === 'maintenance';
    default:
      return false;
  }
}

/** The node that an event is about by itself. */
function own(state: ClusterState, event: ClusterEvent): ClusterState['nodes'] {
  switch (event.type) {
    case 'HistoryDeleted':
    case 'NodeAttributeSet':
    case 'NodeAttributeCleared': {
      const member = memberOf(state, event.data.node);
      return member === undefined ? {} : { [member.name]: member };
    }
    default:
      return {};
  }
}

/** What is not managed: everything on some nodes, on the others what the configuration says. */
interface NotManaged {
  readonly nodes: ReadonlySet<string>;
  readonly configured: Unmanaged;
}

function notManaged(state: ClusterState, concerned: readonly NodeMember[]): NotManaged {
  const now = planTime(state);
  const reading = readingOf(state.cib, now);
  const configured = unmanagedIn(reading);
  const names = concerned.map(({ name }) => name);
  if (reading.options.flag('maintenance-mode')) return { nodes: new Set(names), configured };
  const nodes =
    names.length > 1
      ? membersWithSet(state, 'maintenance', now)
      : new Set(names.filter((name) => isAttributeSet(state, name, 'maintenance', now)));
  return { nodes, configured };
}

function minus(was: Unmanaged, is: Unmanaged): Unmanaged {
  if (was === is) return { ids: new Set(), bundles: [] };
  return { ids: new Set([...was.ids].filter((id) => !is.ids.has(id))), bundles: was.bundles.filter((id) => !is.bundles.includes(id)) };
}

function isNothing({ ids, bundles }: Unmanaged): boolean {
  return ids.size === 0 && bundles.length === 0;
}

/** Whether a node has a history of a resource, and leaves it alone. */
function holds(state: ClusterState, { nodes, configured }: NotManaged, node: string, id: string): boolean {
  const member = memberOf(state, node);
  const history = member === undefined ? undefined : historyOf(nodeStateOf(state.cib, member), id);
  return history !== undefined && (nodes.has(node) || isAmong(configured, id));
}
