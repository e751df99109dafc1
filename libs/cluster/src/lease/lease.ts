import { agentOf, readingOf, type ConfigurationReading, type ResourceAgent, primitiveIdOf } from '@systole/cib';
import { resetWithinMs } from '../fencing/watchdog.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { historyOf, mayBeActive, resourcesWithHistory } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';

export type LeaseVerdict =
  /** It runs until `until`; look again then. */
  | { readonly type: 'held'; readonly until: number }
  /** It ran out, and there is no fencing: the node's agent is stopping its resources, and has until `until`. It has no vote. */
  | { readonly type: 'expired'; readonly until: number }
  /** Execute `lose-lease`. */
  | { readonly type: 'lost' };

/**
 * Judges one row of `node_leases`. The server grants a lease from the moment at which it received a poll; the agent counts it from the moment at which it sent
 * that poll (libs/node-session). The poll was sent before it was received, so the agent's lease always ends first, whatever clocks say (design §5).
 *
 * With fencing a node is lost when its lease is over: it counts as unclean, and the scheduler waits for its fencing. So is one whose agent was told to keep its
 * resources: time does not end them (`activationHold`). Else nothing but time tells
 * that its resources are stopped: it is lost only `downMarginMs` later, and until then it counts as a member (so nothing of it is started elsewhere), without a vote.
 *
 * @param expiresAt by the same clock as `now`, whichever that is
 * @param timeOfDay epoch ms, for rules
 */
export function leaseVerdict(state: ClusterState, node: string, expiresAt: number, now: number, timeOfDay: number): LeaseVerdict {
  if (now < expiresAt) return { type: 'held', until: expiresAt };
  if (readingOf(state.cib, timeOfDay).options.flag('fencing-enabled') || memberOf(state, node)?.onLeaseLoss === 'keep')
    return { type: 'lost' };
  const until = expiresAt + downMarginMs(state, node, timeOfDay);
  return now < until ? { type: 'expired', until } : { type: 'lost' };
}

/** Shortest margin, ms: for what nobody configured, and what an agent does around its stops. */
const LEAST_MARGIN_MS = 20_000;
/** Shortest margin where a watchdog has to reset the machine, ms: the time after which common devices do so. One that is known to take longer has longer. */
const LEAST_WATCHDOG_MARGIN_MS = 60_000;

/**
 * How long after the end of its lease a node without fencing may need to stop its resources: option `systole-down-margin`, else the longest stop time-out
 * among the resources that may be active there (with that of a demote before it, where one may be promoted), and at least 20 s; 60 s where a watchdog has to reset the machine (longer where its agent told of a longer time-out; one whose time-out nobody knows: set the option). (Its agent stops them in parallel where it may, else in order: set the
 * option where stops have to wait for one another.)
 *
 * What was not heard of since the node joined may be active. So may, while a transition runs, what was stopped: its start may be in flight; and on a lost node,
 * whose last transition is not known any more.
 *
 * @param now epoch ms, for rules
 */
export function downMarginMs(state: ClusterState, node: string, now: number): number {
  const member = memberOf(state, node);
  const reading = readingOf(state.cib, now);
  const configured = reading.options.chosenDuration('systole-down-margin');
  if (configured !== undefined) return configured;
  const least = leastMarginMs(member);
  const asHeard = member?.membership === 'joined' && state.transition === undefined;
  const histories = member === undefined ? [] : historiesOf(state, member);
  const stopped = asHeard ? stoppedPrimitives(histories) : new Set<string>();
  const configuredHere = member === undefined ? [] : reading.resources.filter(({ id, kind }) => kind === 'primitive' && !stopped.has(id));
  const active = [
    ...configuredHere.map(({ id }) => stoppingMs(reading, id)),
    ...histories.flatMap(({ id, agent, stopped: isStopped }) => (isStopped ? [] : [stoppingMs(reading, id, agent)])),
  ];
  return active.reduce((longest, ms) => Math.max(longest, ms), least);
}

function leastMarginMs(member: NodeMember | undefined): number {
  if (member?.onLeaseLoss !== 'watchdog') return LEAST_MARGIN_MS;
  return Math.max(LEAST_WATCHDOG_MARGIN_MS, member.watchdog === undefined ? 0 : resetWithinMs(member.watchdog));
}

/** What may be promoted is demoted before it is stopped. */
function stoppingMs(reading: ConfigurationReading, resource: string, agent?: ResourceAgent): number {
  return reading.stopTimeoutMs(resource, agent) + (reading.demoteTimeoutMs(resource) ?? 0);
}

/** What a node's history says of one resource. */
interface HeardOf {
  readonly id: string;
  readonly agent: ResourceAgent;
  /** Its newest result says that it is not active there. */
  readonly stopped: boolean;
}

function historiesOf(state: ClusterState, member: NodeMember): readonly HeardOf[] {
  const nodeState = nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  return resourcesWithHistory(nodeState).map((id) => {
    const history = historyOf(nodeState, id);
    return { id, agent: history === undefined ? {} : agentOf(history.attributes), stopped: !mayBeActive(history, id) };
  });
}

/** Primitives of which something was heard, and of no instance (`web:0`) that it is active. */
function stoppedPrimitives(histories: readonly HeardOf[]): ReadonlySet<string> {
  const primitive = ({ id }: HeardOf): string => primitiveIdOf(id);
  const active = new Set(histories.filter(({ stopped }) => !stopped).map(primitive));
  return new Set(histories.flatMap((history) => (active.has(primitive(history)) ? [] : [history.id, primitive(history)])));
}
