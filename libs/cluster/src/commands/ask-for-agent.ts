import {
  AGENT_WRITES_OPTION,
  applyElementChanges,
  childrenNamed,
  element,
  firstChildNamed,
  isClusterOption,
  isOwnOption,
  mayWrite,
  readingOf,
  type AgentWrite,
  type XmlElement,
} from '@systole/cib';
import type { ClusterEvent } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import { planTime } from '../state/plan-time.js';
import { isMeant, primitivesOf } from '../state/primitives-of.js';
import { placesOf } from '../state/resource-places.js';
import type { AskedByTool, AskForAgent, ClusterCommand } from './cluster-command.js';
import { checkIncarnation } from './decide-nodes.js';
import { rememberedOn } from './decide-resources.js';
import type { Decision } from './decision.js';
import { reject } from './rejection.js';

/** What agents may let the options grow to that are in no table: names, and characters of names and values. */
const MOST_OPTIONS = 500;
const MOST_OPTION_CHARS = 256 * 1024;

/**
 * What a tool asks for by the token of a node's agent: decided as if an operator had asked, where the cluster's option `systole-agent-writes` lets that node have it; refused else. Who holds the token may be
 * anybody who is root on that node, so nothing counts that it says of itself but the node.
 */
export function askForAgent(
  { node, incarnation, command }: AskForAgent,
  state: ClusterState,
  decide: (command: ClusterCommand) => Decision,
): Decision {
  const ended = checkIncarnation(state, node, incarnation);
  if (ended !== undefined) return ended;
  const asked = byAgent(command, node);
  const needed = neededFor(asked, node, state);
  const granted = readingOf(state.cib, planTime(state)).options.agentWrites;
  if (!needed.some((write) => write === undefined || mayWrite(granted, write, node))) return notGranted(state, node, needed);
  const full = optionsFull(asked, state);
  if (full !== undefined) return reject(state, 'attributes-full', full, { pointer: '/command/name' });
  const decision = decide(asked);
  if (!decision.ok || !touchesGrants(decision.events, state)) return decision;
  return reject(state, 'not-for-this-agent', `${AGENT_WRITES_OPTION} says what agents may have written: an operator changes it`);
}

/** An agent is bound to its node, whoever it says it is. */
function byAgent(command: AskedByTool, node: string): AskedByTool {
  return command.type === 'set-node-attribute' || command.type === 'clear-node-attribute' ? { ...command, agent: node } : command;
}

/** Any of these is enough; undefined: nothing is needed. */
type Needed = readonly (AgentWrite | undefined)[];

function neededFor(command: AskedByTool, node: string, state: ClusterState): Needed {
  switch (command.type) {
    case 'set-node-attribute':
    case 'clear-node-attribute':
      // Agents set attributes as they always could: `changeAttribute` says which of other nodes.
      return [undefined];
    case 'set-section-value':
      return isFreeOption(command) ? ['options', 'configuration'] : ['configuration'];
    case 'set-resource-value':
      // What its own resources need is what VirtualDomain tells.
      return command.kind === 'utilization' && placesAre(command.resource, 'active', node, state)
        ? ['own', 'configuration']
        : ['configuration'];
    case 'set-node-utilization':
      return command.node === node ? ['own', 'configuration'] : ['configuration'];
    case 'change-document':
      return ['configuration'];
    case 'ban-resource':
    case 'move-resource':
      return isAwayFromHere(command, node, state) ? ['own', 'placement', 'configuration'] : ['placement', 'configuration'];
    case 'begin-restart':
    case 'end-restart':
      return ['placement', 'configuration'];
    case 'clear-resource':
      return command.node === node && isOwn(command.resource, node, state)
        ? ['own', 'placement', 'configuration']
        : ['placement', 'configuration'];
    case 'fail-resource':
    case 'clean-up-resource':
    case 'refresh-resource':
      return command.node === node ? ['own', 'placement'] : ['placement'];
    case 'change-ticket':
    case 'forget-ticket':
      return ['tickets'];
    case 'fence-node':
    case 'power-on-node':
    case 'confirm-node-down':
    case 'clear-fencing-history':
      return ['fencing'];
    case 'remove-node':
      return ['nodes'];
  }
}

/** Names that are in no table are read by nobody but the agents that keep something there. */
function isFreeOption({ section, name }: Extract<AskedByTool, { readonly type: 'set-section-value' }>): boolean {
  return section === 'crm_config' && !isClusterOption(name) && !isOwnOption(name) && !OF_THE_CLUSTER.has(name);
}

/** What Pacemaker's daemons keep there beside the options of their table. */
const OF_THE_CLUSTER: ReadonlySet<string> = new Set([
  'cluster-infrastructure',
  'cluster-name',
  'dc-version',
  'have-watchdog',
  'last-lrm-refresh',
]);

/** A resource that has a history on the node. */
function isOwn(resource: string, node: string, state: ClusterState): boolean {
  const member = memberOf(state, node);
  if (member === undefined) return false;
  const meant = [...(primitivesOf(state, resource) ?? []), resource];
  return rememberedOn(state, member).some((id) => isMeant(id, meant));
}

/** A ban from the node itself of what it runs; also one that names no node, when that is the only one that can be meant. */
function isAwayFromHere(
  command: Extract<AskedByTool, { readonly type: 'ban-resource' | 'move-resource' }>,
  node: string,
  state: ClusterState,
): boolean {
  if (command.type === 'move-resource' && command.node !== undefined) return false;
  if (command.node !== undefined) return command.node === node && isOwn(command.resource, node, state);
  return placesAre(command.resource, command.promoted === true ? 'promoted' : 'active', node, state);
}

/** Whether a resource is active, or promoted, on that node and no other. */
function placesAre(id: string, role: 'active' | 'promoted', node: string, state: ClusterState): boolean {
  const reading = readingOf(state.cib, planTime(state));
  const resource = reading.resource(id);
  if (resource === undefined) return false;
  const places = placesOf(state, reading, resource)[role];
  return places.length === 1 && places[0] === node;
}

function notGranted(state: ClusterState, node: string, needed: Needed): Decision {
  const word = needed.find((write) => write !== undefined) ?? '';
  const message = `the agent of ${node} may not have this written: an operator allows it with the cluster option ${AGENT_WRITES_OPTION} ("${word}@${node}" among its words), or does it`;
  return reject(state, 'not-for-this-agent', message, { pointer: '/command' });
}

/** Whether there is no room for one more option of an agent's own. @returns why not, for people */
function optionsFull(command: AskedByTool, state: ClusterState): string | undefined {
  if (command.type !== 'set-section-value' || command.section !== 'crm_config' || command.value === undefined) return undefined;
  if (isClusterOption(command.name)) return undefined;
  const section = firstChildNamed(configurationOf(state.cib), 'crm_config') ?? element('crm_config');
  const pairs = childrenNamed(section, 'cluster_property_set').flatMap((set) => childrenNamed(set, 'nvpair'));
  const others = pairs.filter((pair) => isForeign(pair) && pair.attributes['name'] !== command.name);
  const sizeOf = ({ attributes: { name = '', value = '' } }: XmlElement): number => name.length + value.length;
  const chars = others.reduce((sum, pair) => sum + sizeOf(pair), command.name.length + command.value.length);
  if (others.length < MOST_OPTIONS && chars <= MOST_OPTION_CHARS) return undefined;
  return `there are so many cluster options of agents' own that agents may set no more (${String(others.length)}, ${String(chars)} characters with this one): clear those that nobody needs`;
}

function isForeign({ attributes: { name = '' } }: XmlElement): boolean {
  return !isClusterOption(name) && !isOwnOption(name);
}

/** Whether what agents may have written would be another thing, now or by a rule later. */
function touchesGrants(events: readonly ClusterEvent[], state: ClusterState): boolean {
  const changes = events.flatMap((event) => (event.type === 'ConfigurationChanged' ? event.data.changes : []));
  if (changes.length === 0) return false;
  if (changes.some(({ before = '', after = '' }) => before.includes(AGENT_WRITES_OPTION) || after.includes(AGENT_WRITES_OPTION)))
    return true;
  const wordsIn = (cib: XmlElement): string | undefined => readingOf(cib, planTime(state)).options.text(AGENT_WRITES_OPTION);
  return wordsIn(applyElementChanges(state.cib, changes)) !== wordsIn(state.cib);
}
