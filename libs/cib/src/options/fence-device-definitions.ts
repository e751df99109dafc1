import type { AttributeDefinition } from './attribute-definitions.js';
import type { ClusterOptionKind } from './option-type.js';

/** What fencing levels call the nodes' own watchdogs where no primitive stands for them (specification 15 §1). */
export const WATCHDOG_DEVICE_ID = 'watchdog';

/** What may be asked of a device, other than what is configured. */
const ACTIONS = [
  { action: 'reboot', what: 'to restart a node', retried: 'a node' },
  { action: 'off', what: 'to switch a node off', retried: 'a node' },
  { action: 'on', what: 'to switch a node on', retried: 'a node' },
  { action: 'list', what: 'to list the nodes that it can fence', retried: 'the list' },
  { action: 'monitor', what: 'to check the device itself', retried: 'the device' },
  { action: 'status', what: 'to tell whether a node is on', retried: 'a node' },
] as const;

const RETRIED_BY_SERVER: ReadonlySet<string> = new Set(['reboot', 'off', 'on']);
const time: ClusterOptionKind = { kind: 'duration' };
const text: ClusterOptionKind = { kind: 'text' };

/** What the cluster itself reads of a fence device's instance attributes: all names that begin with `pcmk_`. Its agent is not given them. */
export const FENCE_DEVICE_PARAMETERS: readonly AttributeDefinition[] = [
  {
    name: 'pcmk_host_list',
    type: text,
    default: undefined,
    meaning: 'The nodes that the device can fence, separated by blanks, commas or semicolons.',
    meanwhile: 'it counts as not given',
    harmful: false,
  },
  {
    name: 'pcmk_host_map',
    type: text,
    default: undefined,
    meaning: 'What the device calls each node: `node:plug`, separated by semicolons or blanks; several plugs of a node by commas.',
    meanwhile: 'it counts as not given',
    harmful: false,
  },
  {
    name: 'pcmk_host_check',
    type: { kind: 'select', allowed: ['static-list', 'dynamic-list', 'status', 'none'] },
    default: undefined,
    meaning:
      'How it is known which nodes the device can fence: static-list by pcmk_host_list and pcmk_host_map; dynamic-list by what its `list` says; status by asking for the `status` of the node; none: it can fence all. Not given: static-list where a list or a map is given, else dynamic-list where the agent has `list`, else status where it has that, else none.',
    differs:
      'the device is asked by the node that is to use it, when it is to be used (a list is kept for a minute). One that says that it can not fence the node is passed over at once',
    meanwhile: 'it counts as not given',
    harmful: false,
  },
  {
    name: 'pcmk_host_argument',
    type: text,
    default: undefined,
    meaning:
      "The agent's parameter that names what is to be fenced; `none` gives it none. Not given: `plug` where the agent's meta-data have it, else `port`.",
    meanwhile: 'it counts as not given',
    harmful: false,
  },
  {
    name: 'pcmk_delay_base',
    type: { kind: 'duration-by-node' },
    default: '0s',
    meaning: 'How long it is waited before a node is switched off or restarted by the device; for all, or by node: `node1:10s;node2:5s`.',
    meanwhile: 'there is no delay',
    harmful: false,
  },
  {
    name: 'pcmk_delay_max',
    type: time,
    default: '0s',
    meaning: 'A random time is waited beyond pcmk_delay_base, and both together are not longer than this.',
    differs: 'the server draws it, and the event FencingRequested tells it',
    meanwhile: 'there is no random delay',
    harmful: false,
  },
  {
    name: 'pcmk_action_limit',
    type: { kind: 'integer', min: -1 },
    default: '1',
    meaning: 'How many nodes the device fences at a time; -1: any number.',
    differs: 'it is counted over all nodes that use the device, and its monitors do not count',
    meanwhile: 'it counts as not given',
    harmful: false,
  },
  ...ACTIONS.flatMap(({ action, what, retried }): AttributeDefinition[] => [
    {
      name: `pcmk_${action}_action`,
      type: text,
      default: action,
      meaning: `What the agent is told ${what}.`,
      meanwhile: 'it counts as not given',
      harmful: false,
    },
    {
      name: `pcmk_${action}_timeout`,
      type: time,
      default: undefined,
      meaning: `How long the agent may take ${what}. Not given: ${action === 'monitor' ? 'the timeout of the operation' : 'fencing-timeout'}.`,
      meanwhile: 'it counts as not given',
      harmful: false,
    },
    {
      name: `pcmk_${action}_retries`,
      type: { kind: 'integer' },
      default: '2',
      meaning: `How often the agent is run for ${retried} before that counts as failed${RETRIED_BY_SERVER.has(action) ? '' : ', as far as there is time'}.`,
      ...(RETRIED_BY_SERVER.has(action) ? { differs: 'each try is an event, and another node makes it where there is one' } : {}),
      meanwhile: 'it counts as not given',
      harmful: false,
    },
  ]),
];
