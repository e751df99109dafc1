import { cloneOf, isGloballyUnique, isManaged, nearMatches, parseBoolean, readingOf, type ConfiguredResource } from '@systole/cib';
import { debuggingOn } from '../debugging/debug-action.js';
import { activationHold } from '../epoch/activation-hold.js';
import { promotionHold } from '../epoch/attributes-of-before.js';
import type { DebugOperation } from '../events/cluster-event.js';
import { wouldBeActiveTooOften } from '../lease/active-elsewhere.js';
import { leftRunning } from '../lease/left-running.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { configuredNodes } from '../state/configuration.js';
import { historyOf, isActive } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import type { EndDebugOperation, RequestDebugOperation } from './cluster-command.js';
import type { Decision } from './decision.js';
import { isKnownNode } from '../remote/remote-nodes.js';
import { accept, reject } from './rejection.js';

type Refusal = Decision & { readonly ok: false };

const LONGEST_MS = 3_600_000;

/** Whether it makes a resource active, or more than it was: then it could be so twice. */
function activates(operation: DebugOperation): boolean {
  return operation === 'start' || operation === 'promote';
}

const CHANGING: ReadonlySet<string> = new Set(['start', 'stop', 'promote', 'demote']);

/** Whether the resource may be in another state after it. */
export function changesState(operation: string): boolean {
  return CHANGING.has(operation);
}

export function requestDebugOperation(command: RequestDebugOperation, state: ClusterState): Decision {
  const { debugId, node, operation, reason } = command;
  const resource = primitiveOf(command, state);
  if ('ok' in resource) return resource;
  const member = memberOf(state, node);
  if (!isKnownNode(state, node)) {
    return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  }
  if (member?.membership !== 'joined') {
    return reject(state, 'node-offline', `${node} is not online: nobody there could carry it out`, { pointer: '/node' });
  }
  if (member.debugOperations !== true) {
    const message = `the agent of ${node} (${member.agentVersion}) knows of no debug operations: update it`;
    return reject(state, 'agent-too-old', message, { pointer: '/node' });
  }
  for (const { name } of Object.values(state.nodes)) {
    const running = debuggingOn(state, name).find((pending) => pending.resource === resource.id);
    if (running === undefined) continue;
    const message = `${running.operation} of ${resource.id} on ${name} was asked for and has not ended: try again when it has`;
    return reject(state, 'debug-running', message, { pointer: '/resource' });
  }
  const refused = activates(operation) ? refuseActivation(command, resource, state) : undefined;
  if (refused !== undefined) return refused;
  const timeoutMs = command.timeoutMs ?? readingOf(state.cib, planTime(state)).operationTimeoutMs(resource, operation);
  return accept({
    type: 'DebugOperationRequested',
    data: {
      debugId,
      node,
      incarnation: member.incarnation,
      resource: resource.id,
      operation,
      timeoutMs: Math.min(timeoutMs, LONGEST_MS),
      ...(reason === undefined ? {} : { reason }),
    },
  });
}

/** What is named, if it is one that a node can be told to try. */
function primitiveOf({ resource: id, operation }: RequestDebugOperation, state: ClusterState): ConfiguredResource | Refusal {
  const reading = readingOf(state.cib, planTime(state));
  const resource = reading.resource(id);
  const invalid = (message: string): Refusal => reject(state, 'invalid-argument', message, { pointer: '/resource' });
  if (resource === undefined) {
    const near = nearMatches(
      id,
      reading.resources.flatMap((one) => (one.kind === 'primitive' ? [one.id] : [])),
    );
    const hint = near.length === 0 ? '' : `: did you mean ${near.join(' or ')}?`;
    return reject(state, 'resource-not-found', `the cluster has no resource ${id}${hint}`, { pointer: '/resource' });
  }
  if (resource.kind !== 'primitive') {
    const parts = reading.resources.filter((part) => part.kind === 'primitive' && standsIn(part, id)).map((part) => part.id);
    return invalid(`${id} is a ${resource.kind}: name what is to be tried, one of ${parts.join(', ')}`);
  }
  if (resource.element.attributes['class'] === 'stonith') {
    return invalid(`${id} is a fence device, which runs nowhere: systole node fence tries it`);
  }
  const clone = cloneOf(resource);
  if (inBundle(resource)) return invalid(`${id} runs within the containers of a bundle, where no operation can be tried`);
  if (clone !== undefined && isGloballyUnique(clone.meta)) {
    return invalid(`${id} has instances that are told apart (${clone.id}, globally-unique): which one is meant can't be said`);
  }
  const isPromotable = clone !== undefined && parseBoolean(clone.meta.get('promotable')) === true;
  if ((operation === 'promote' || operation === 'demote') && !isPromotable) {
    return invalid(`${id} can't be ${operation}d: it stands in no promotable clone`);
  }
  return resource;
}

function standsIn(part: ConfiguredResource, id: string): boolean {
  return part.parent !== undefined && (part.parent.id === id || standsIn(part.parent, id));
}

function inBundle({ parent }: ConfiguredResource): boolean {
  return parent !== undefined && (parent.kind === 'bundle' || inBundle(parent));
}

/**
 * Why it is not made active there; undefined when it may be. It may when nobody else starts it meanwhile, and it runs nowhere else, as far as can be known: every other node was asked, or is known to be off. From the
 * request until the resource was probed again the cluster starts it nowhere (`leftRunning`).
 */
function refuseActivation(
  { node, operation }: RequestDebugOperation,
  resource: ConfiguredResource,
  state: ClusterState,
): Refusal | undefined {
  const { id } = resource;
  const now = planTime(state);
  const at = { pointer: '/resource' };
  if (state.stopping !== undefined) return reject(state, 'cluster-stopping', 'everything is being stopped: nothing is started', at);
  if (!readingOf(state.cib, now).options.flag('maintenance-mode') && isManaged(resource.meta)) {
    const message = `${id} is managed: the cluster could start it elsewhere at the same time. Tell it not to first (systole resource unmanage ${id}, or systole cluster maintenance)`;
    return reject(state, 'still-managed', message, at);
  }
  if (state.transition !== undefined) {
    const message = `transition ${String(state.transition.number)} is under way, and may be about to start or stop ${id}: try again when it has ended`;
    return reject(state, 'transition-running', message, at);
  }
  const hold = activationHold(state, now);
  if (hold !== undefined) return reject(state, 'still-active', `nothing may be started now: ${hold.reason}`, at);
  const unpromoted = operation === 'promote' ? promotionHold(state) : undefined;
  if (unpromoted !== undefined) return reject(state, 'still-active', `nothing may be promoted now: ${unpromoted}`, at);
  const held = leftRunning(state).find(({ resources }) => resources.includes(id));
  if (held !== undefined) {
    return reject(state, 'still-active', `${id} may run on ${held.node}: see systole status`, at);
  }
  for (const { name } of configuredNodes(state.cib)) {
    const doubt = name === node ? undefined : doubtAbout(state, name, id);
    if (doubt !== undefined) return reject(state, 'still-active', doubt, at);
  }
  if (wouldBeActiveTooOften(state, node, id, { promotionHeld: operation === 'start' })) {
    const message = `${id} is, or may be, ${operation === 'start' ? 'active' : 'promoted'} on another node: stop it there first, or refresh it if it is not`;
    return reject(state, 'still-active', message, at);
  }
  const here = memberOf(state, node);
  const history = here === undefined ? undefined : historyOf(nodeStateOf(state.cib, here), id);
  if (operation === 'promote' && !isActive(history, id)) {
    return reject(state, 'place-not-clear', `${id} does not run on ${node}: start it there first`, at);
  }
  return undefined;
}

/** Why nobody knows whether a resource runs on a node; undefined when it is known. */
function doubtAbout(state: ClusterState, node: string, id: string): string | undefined {
  const member = memberOf(state, node);
  if (member === undefined) return `${node} was never heard of, and may run ${id}: start its agent, or confirm that it is down`;
  if (member.membership === 'left' || member.membership === 'down') return undefined;
  if (member.membership !== 'joined') return `${node} is ${member.membership}, and may run ${id}: wait until it is back or fenced`;
  if (historyOf(nodeStateOf(state.cib, member), id) === undefined) {
    return `whether ${id} runs on ${node} is not known yet: try again when it was probed there`;
  }
  return undefined;
}

export function endDebugOperation({ debugId, node }: EndDebugOperation, state: ClusterState): Decision {
  const pending = debuggingOn(state, node).find((one) => one.debugId === debugId);
  if (pending === undefined) return accept();
  const { incarnation, resource, operation } = pending;
  return accept({ type: 'DebugOperationEnded', data: { debugId, node, incarnation, resource, operation } });
}
