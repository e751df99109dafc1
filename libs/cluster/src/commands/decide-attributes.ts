import { clampScore, FENCING_ACTION, parseScore, unseenIn } from '@systole/cib';
import type { ClusterEvent } from '../events/cluster-event.js';
import { steersFencing } from '../fencing/steering-attributes.js';
import { memberOf, type ClusterState, type NodeMember } from '../state/cluster-state.js';
import { permanentSizeWithout, takesAnothersId, writtenPermanentAttribute } from '../state/configuration.js';
import { isConfiguredNode } from '../remote/remote-nodes.js';
import { isInContainer, maySetFor } from '../remote/runnable.js';
import { dampeningOf, delayOf, heldSizeWithout, heldValue, newestTransient } from '../state/dampening.js';
import { nodeStateOf, transientAttribute, transientSizeWithout } from '../state/node-state.js';
import type { AttributeDelay, ClearNodeAttribute, SetNodeAttribute } from './cluster-command.js';
import { superseded } from './decide-nodes.js';
import type { Decision } from './decision.js';
import { accept, reject } from './rejection.js';
import type { WriteHeldAttributes } from './worker-command.js';

const RESERVED: ReadonlySet<string> = new Set([
  'terminate',
  'standby',
  'maintenance',
  'shutdown',
  'resource-discovery-enabled',
  FENCING_ACTION,
]);

/** Attributes that the cluster itself acts upon (specification 03 §1.5). No rule lets the agent of one node set any of them for another. */
function isReserved(name: string): boolean {
  return RESERVED.has(name) || /^(?:#|fail-count-|last-failure-)/.test(name);
}

/** Whether no agent can have changes of an attribute wait: all nodes share its delay, and nobody may hold back another node's standby or request to leave. Health is measured, and agents that measure it dampen it. */
function isNeverDelayed(name: string): boolean {
  return isReserved(name) && !name.startsWith('#health');
}

/** What agents may let the attributes of one node grow to, of each lifetime: names, and characters of names and values. */
const MOST_ATTRIBUTES = 2_000;
const MOST_ATTRIBUTE_CHARS = 1024 * 1024;
/** Names of attributes that may be dampened: each change looks through them. */
const MOST_DAMPENED = 200;

/** Whether there is no room for what an agent wants to set; a node keeps half of the room for itself. @returns why not, for people */
function fullAttributes(
  state: ClusterState,
  { node, name, value, lifetime, agent }: Pick<SetNodeAttribute, 'node' | 'name' | 'value' | 'lifetime'> & { readonly agent: string },
): string | undefined {
  const others =
    lifetime === 'forever' ? permanentSizeWithout(state.cib, node, name) : transientSizeWithout(nodeStateFor(state, node), name);
  const held = lifetime === 'forever' ? { count: 0, chars: 0 } : heldSizeWithout(state, node, name);
  const count = others.count + held.count;
  const chars = others.chars + held.chars + name.length + value.length;
  const share = agent === node ? 1 : 0.5;
  if (count + 1 <= MOST_ATTRIBUTES * share && chars <= MOST_ATTRIBUTE_CHARS * share) return undefined;
  return `${node} has so many attributes that agents may set no more (${String(count)}, ${String(chars)} characters with this one): clear those that nobody needs`;
}

function nodeStateFor(state: ClusterState, node: string): ReturnType<typeof nodeStateOf> {
  const member = memberOf(state, node);
  return member === undefined ? undefined : nodeStateOf(state.cib, member);
}

/** Sets, clears or counts up an attribute of a node; a dampened one is held, to be written with what else changes of it (specification 12 §2). */
export function changeAttribute(command: SetNodeAttribute | ClearNodeAttribute, state: ClusterState): Decision {
  const { node, name, lifetime, incarnation, agent } = command;
  if (name === '' || name.length > 255) {
    return reject(state, 'invalid-argument', 'an attribute has a name of 1 to 255 characters', { pointer: '/name' });
  }
  // What has such a name from before this was refused can be cleared.
  const unseen = command.type === 'set-node-attribute' ? unseenIn(name) : undefined;
  if (unseen !== undefined) {
    const message = `the name "${unseen.shown}" of an attribute holds ${unseen.character}, which can't be seen: write it without`;
    return reject(state, 'invalid-argument', message, { pointer: '/name' });
  }
  if (agent !== undefined && !maySetFor(state, agent, node)) {
    const message = `the agent of ${agent} is in a container: it sets attributes of its own node and of the other replicas of its bundle, not of ${node}`;
    return reject(state, 'not-for-this-agent', message, { pointer: '/node' });
  }
  if (agent !== undefined && agent !== node && isReserved(name)) {
    const message = `${name} is acted upon by the cluster itself: the agent of ${agent} sets it for ${agent} only, not for ${node}`;
    return reject(state, 'attribute-reserved', message, { pointer: '/name' });
  }
  if (agent !== undefined && steersFencing(state, name)) {
    const message = `${name} says which devices fence a node, and how: an operator sets it, and no agent, not for its own node either`;
    return reject(state, 'attribute-reserved', message, { pointer: '/name' });
  }
  if (incarnation !== undefined) {
    const problem = superseded(state, node, incarnation);
    if (problem !== undefined) return problem;
  }
  const configured = isConfiguredNode(state, node);
  const member = memberOf(state, node);
  if (!configured && member === undefined) {
    return reject(state, 'node-not-found', `the cluster has no node ${node}`, { pointer: '/node' });
  }
  if (lifetime === 'forever' && !configured) {
    return reject(state, 'node-not-found', `${node} is not in the configuration: permanent attributes live there`, { pointer: '/node' });
  }
  if (lifetime === 'reboot' && !mayHaveTransient(member)) {
    return reject(state, 'node-offline', `${node} is not online: what lasts until its reboot can't be set before it joins`, {
      pointer: '/node',
    });
  }
  if (lifetime === 'forever') return changeWritten(command, state);
  // A person's word is written as it is said.
  return agent === undefined ? changeWritten(command, state) : changeDampened({ ...command, agent }, state);
}

function mayHaveTransient(member: NodeMember | undefined): boolean {
  return member !== undefined && member.membership !== 'down' && member.membership !== 'left';
}

function changeWritten(command: SetNodeAttribute | ClearNodeAttribute, state: ClusterState): Decision {
  const { node, name, lifetime, agent, reason } = command;
  const why = reason === undefined ? {} : { reason };
  const value = valueAfter(command, state);
  if (value === null) return accept({ type: 'NodeAttributeCleared', data: { node, name, lifetime, ...why } });
  const full = agent === undefined ? undefined : fullAttributes(state, { node, name, lifetime, agent, value });
  if (full !== undefined) return reject(state, 'attributes-full', full, { pointer: '/name' });
  const ids = lifetime === 'forever' && takesAnothersId(state.cib, node, name) ? { uniqueIds: true as const } : {};
  return accept({ type: 'NodeAttributeSet', data: { node, name, value, lifetime, ...ids, ...why } });
}

function changeDampened(command: (SetNodeAttribute | ClearNodeAttribute) & { readonly agent: string }, state: ClusterState): Decision {
  const { node, name, delay, agent } = command;
  const before = delayOf(state, name);
  // The delay is that of the name on all nodes: an agent in a container would hold back what others say.
  const isOwnOnly = isInContainer(state, agent);
  if (isOwnOnly && delay?.sets === 'only') {
    const message = `the delay of ${name} is that of all nodes, and the agent of ${agent} is in a container: it sets values, without a delay`;
    return reject(state, 'not-for-this-agent', message, { pointer: '/delay' });
  }
  const given = isOwnOnly ? undefined : givenDelay(delay, name, state);
  if (isNeverDelayed(name) && given !== undefined && given > 0) {
    const message = `${name} is acted upon by the cluster itself: its changes never wait, on no node, so that it takes no delay; set it without one`;
    return reject(state, 'attribute-reserved', message, { pointer: '/delay' });
  }
  // Logs of earlier versions have delays of such attributes.
  const delayMs = isNeverDelayed(name) ? 0 : (given ?? before);
  if (delayMs > 0 && dampeningOf(state, name) === undefined && Object.keys(state.dampened ?? {}).length >= MOST_DAMPENED) {
    const message = `so many attributes are dampened that agents may dampen no more (${String(MOST_DAMPENED)}): set the delay of some to 0`;
    return reject(state, 'attributes-full', message, { pointer: '/name' });
  }
  const delayed: readonly ClusterEvent[] =
    delayMs === before || (isNeverDelayed(name) && given === undefined) ? [] : [{ type: 'AttributeDelaySet', data: { name, delayMs } }];
  if (delay?.sets === 'only') return accept(...delayed);
  if (delayMs === 0) {
    const written = changeWritten(command, state);
    return written.ok ? accept(...delayed, ...written.events) : written;
  }
  const value = valueAfter(command, state);
  if ((newestTransient(state, node, name) ?? null) === value) return accept(...delayed);
  const full = value === null ? undefined : fullAttributes(state, { ...command, lifetime: 'reboot', value });
  if (full !== undefined) return reject(state, 'attributes-full', full, { pointer: '/name' });
  return accept({ type: 'NodeAttributeHeld', data: { node, name, ...(value === null ? {} : { value }), delayMs } });
}

/** The delay that an attribute is to have, ms; undefined: that which it has. Where it is known already, whoever means the delay of a new one does not change it. */
function givenDelay(delay: AttributeDelay | undefined, name: string, state: ClusterState): number | undefined {
  return delay === undefined || (delay.sets === 'new' && isKnown(state, name)) ? undefined : delay.ms;
}

function isKnown(state: ClusterState, name: string): boolean {
  return (
    dampeningOf(state, name) !== undefined ||
    Object.values(state.nodes).some((member) => transientAttribute(nodeStateOf(state.cib, member), name) !== undefined)
  );
}

/** What an attribute is to be; null: not set. What is added to counts as a score, and as 0 where it is none. */
function valueAfter(command: SetNodeAttribute | ClearNodeAttribute, state: ClusterState): string | null {
  if (command.type === 'clear-node-attribute') return null;
  const { node, name, lifetime, value, add } = command;
  if (add === undefined) return value;
  const present = lifetime === 'reboot' ? newestTransient(state, node, name) : writtenPermanentAttribute(state.cib, node, name);
  return String(clampScore((parseScore(present) ?? 0) + add));
}

/** Writes all that is held of some attributes at once, so that no plan sees a part of it. */
export function writeHeldAttributes({ names }: WriteHeldAttributes, state: ClusterState): Decision {
  return accept(...names.flatMap((name) => heldEvents(state, name)));
}

function heldEvents(state: ClusterState, name: string): readonly ClusterEvent[] {
  return Object.keys(dampeningOf(state, name)?.held?.values ?? {}).flatMap((node): readonly ClusterEvent[] => {
    const value = heldValue(state, node, name);
    const of = { node, name, lifetime: 'reboot', held: true } as const;
    if (value === undefined) return [];
    return value === null ? [{ type: 'NodeAttributeCleared', data: of }] : [{ type: 'NodeAttributeSet', data: { ...of, value } }];
  });
}
