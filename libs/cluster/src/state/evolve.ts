import { sameXml, type XmlElement } from '@systole/cib';
import type { ClusterEvent, RecordedClusterEvent } from '../events/cluster-event.js';
import { readableEvent } from '../events/readable-event.js';
import { withFencingForgotten } from '../fencing/fencing-limit.js';
import { withDoubtsJudged } from '../lease/doubtful-boots.js';
import { withSpared } from '../lease/spared.js';
import { withMigrationsUnanswered } from '../lease/unanswered-migrations.js';
import type { ClusterState, TransitionState } from './cluster-state.js';
import { configurationOf } from './configuration.js';
import { guestsEndedBy, sourcesOver } from './ended-life.js';
import { reporterOf } from './disturbance.js';
import { alertEvents } from './events/alert-events.js';
import { attributeEvents } from './events/attribute-events.js';
import { clusterEvents } from './events/cluster-events.js';
import { configurationEvents } from './events/configuration-events.js';
import { debugEvents } from './events/debug-events.js';
import { ended } from './events/ended.js';
import { epochEvents } from './events/epoch-events.js';
import { fencingEvents } from './events/fencing-events.js';
import type { Fold, Folds } from './events/folds.js';
import { historyEvents } from './events/history-events.js';
import { membershipEvents } from './events/membership-events.js';
import { quorumEvents } from './events/quorum-events.js';
import { ticketEvents } from './events/ticket-events.js';
import { transitionEvents } from './events/transition-events.js';
import { withCause } from './plan-causes.js';
import { withProblem } from './problems.js';
import { isPresentLife } from './present-life.js';
import { relevance, type Relevance } from './relevance.js';
import { withAttributes } from './tree.js';
import { UnknownEventType } from './unknown-event-type.js';

/**
 * Folds one event in. Total over the types that it knows: every recorded event is a fact, so nothing is refused and nothing throws; what can't be applied is noted
 * in `problems`. Deterministic: the same events give the same state, byte for byte.
 *
 * Besides keeping the CIB it decides, in this order, what the event means for planning (`relevance`): `recompute` is set, and a running
 * transition is marked `aborting`. So any process that has folded to the head knows at once that nothing more may be handed out.
 *
 * Cost: path copying, and what the event concerns: one resource on one node, a node's life with its history (those of all nodes when the log went back), or the configuration, which is read anew
 * when it has changed. What ends maintenance costs what was not managed until then (`withSpared`). Nothing looks through the histories of all nodes otherwise.
 *
 * @throws {UnknownEventType} for what a newer release wrote
 */
export function evolve(before: ClusterState, stored: RecordedClusterEvent): ClusterState {
  if (!Object.hasOwn(FOLDS, stored.event.type)) throw new UnknownEventType(stored.event.type, stored.version);
  const event = readableEvent(stored.event);
  const recorded = event === stored.event ? stored : { ...stored, event };
  const unreadable = `${event.type} has text that XML cannot carry: it is shown replaced`;
  const state = recorded === stored ? before : withProblem(before, stored.version, unreadable);
  const meaning = relevance(state, recorded.event);
  const sent = withSentAway(state, recorded.event);
  const judged = withDoubtsJudged(apply(withLifeEnding(sent, recorded), recorded), recorded.event);
  const applied = withConfiguredAt(state, withSpared(state, { ...judged, version: recorded.version }, recorded.event), event);
  if (meaning.effect === 'none' || applied.existence !== 'active') return applied;
  const marked: ClusterState = {
    ...applied,
    recompute: {
      reason: applied.recompute?.reason ?? meaning.reason,
      version: recorded.version,
      at: recorded.occurredAt,
      ...withCause(applied.recompute, recorded),
    },
  };
  return meaning.effect === 'abort' ? aborting(marked, recorded, meaning) : marked;
}

/** A transition that is obsolete goes on with its probes as long as they are all that says so; what they find is what they are for, and disturbs nobody. */
function aborting(state: ClusterState, recorded: RecordedClusterEvent, { reason, discovered }: Relevance): ClusterState {
  const { transition } = state;
  const begins = transition?.status === 'running';
  if (transition === undefined || (!begins && (discovered === true || transition.probingSince === undefined))) return state;
  const aborted = { ...withoutProbing(transition), status: 'aborting', abortReason: transition.abortReason ?? reason } as const;
  return discovered === true
    ? { ...state, transition: { ...aborted, probingSince: recorded.occurredAt } }
    : { ...withDisturbance(state, recorded, reason), transition: aborted };
}

function withoutProbing({ probingSince: _, ...transition }: TransitionState): TransitionState {
  return transition;
}

/** What only the present lives of nodes tell, and is to be known after they ended. */
function withLifeEnding(state: ClusterState, { event, occurredAt }: RecordedClusterEvent): ClusterState {
  switch (event.type) {
    case 'NodeLeaseLost': {
      const { node, expiredAt } = event.data;
      return withFencingForgotten(state, [node], earlier(expiredAt, occurredAt));
    }
    case 'NodeJoined':
    case 'NodeLeft':
    case 'NodeConfirmedDown':
      return withFencingForgotten(state, [event.data.node], occurredAt);
    case 'EpochBegan':
      return withFencingForgotten(state, Object.keys(state.nodes), occurredAt);
    default:
      return state;
  }
}

/** What the nodes that go away with an event may have sent elsewhere. */
function withSentAway(state: ClusterState, event: ClusterEvent): ClusterState {
  if (event.type === 'NodeLeaseLost')
    return isPresentLife(state, event.data) ? withMigrationsUnanswered(state, event.data.node, false) : state;
  return sourcesOver(state, event).reduce((next, source) => withMigrationsUnanswered(next, source, true), state);
}

/** A lease may have been over for long before anybody could tell. */
function earlier(at: string, other: string): string {
  return Date.parse(at) < Date.parse(other) ? at : other;
}

function withDisturbance(state: ClusterState, recorded: RecordedClusterEvent, reason: string): ClusterState {
  const node = reporterOf(recorded);
  if (node === undefined) return state;
  const { disturbances = {} } = state;
  const before = Object.hasOwn(disturbances, node) ? disturbances[node] : undefined;
  return { ...state, disturbances: { ...disturbances, [node]: { count: (before?.count ?? 0) + 1, reason } } };
}

/**
 * What a join writes into the configuration is kept by every document that replaces it (`withKnownNodes`), so that it moves no tag. The version that the document carries
 * (`admin_epoch.epoch`) counts each change of the configuration, whoever made it.
 */
function withConfiguredAt(before: ClusterState, after: ClusterState, { type }: RecordedClusterEvent['event']): ClusterState {
  const { version } = after;
  if (type === 'ClusterCreated') return { ...after, configuredAt: version, configurationVersion: version };
  if (sameConfiguration(before.cib, after.cib)) return after;
  const raised = { ...after, cib: withEpochRaised(after.cib), configurationVersion: version };
  return type === 'NodeJoined' ? raised : { ...raised, configuredAt: version };
}

/** What is written once more as it was is no change. */
function sameConfiguration(before: XmlElement, after: XmlElement): boolean {
  const old = configurationOf(before);
  const now = configurationOf(after);
  return old === now || sameXml(old, now);
}

/** As Pacemaker counts: a change of the configuration raises `epoch`, and the count of the changes of the status begins anew. */
function withEpochRaised(cib: XmlElement): XmlElement {
  const { epoch = '' } = cib.attributes;
  return withAttributes(cib, { epoch: String((/^\d+$/.test(epoch) ? BigInt(epoch) : 0n) + 1n), num_updates: '0' });
}

/** Folds many events, in order. */
export function fold(state: ClusterState, events: Iterable<RecordedClusterEvent>): ClusterState {
  let folded = state;
  for (const event of events) folded = evolve(folded, event);
  return folded;
}

/** What each type of event does to the state. */
const FOLDS: Folds<ClusterEvent['type']> = {
  ...clusterEvents,
  ...epochEvents,
  ...configurationEvents,
  ...membershipEvents,
  ...attributeEvents,
  ...historyEvents,
  ...debugEvents,
  ...fencingEvents,
  ...alertEvents,
  ...quorumEvents,
  ...ticketEvents,
  ...transitionEvents,
};

function apply(state: ClusterState, recorded: RecordedClusterEvent): ClusterState {
  const { event } = recorded;
  // What stands under an event's type takes the data of that type: the compiler does not follow.
  const fold = FOLDS[event.type] as Fold<ClusterEvent['type']>;
  const next = fold(state, event.data, recorded);
  return guestsEndedBy(state, event).reduce((after, { name }) => ended(after, name, 'down', recorded.occurredAt), next);
}
