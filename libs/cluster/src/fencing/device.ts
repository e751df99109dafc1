import {
  agentOf,
  integerOf,
  intervalMs,
  parseRole,
  readingOf,
  type ConfigurationReading,
  type ConfiguredResource,
  type XmlElement,
} from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { nodeAttributesOf } from '../state/node-attributes.js';
import { planTime } from '../state/plan-time.js';

/** A `stonith` primitive of the configuration as the fencer sees it. */
export interface FencingDevice {
  readonly id: string;
  /** Program name of the fence agent: the primitive's type. */
  readonly agent: string;
  /** Its instance attributes, as they are where it is not said on which node it is used. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Rules make the parameters differ from node to node: {@link onNode} has those of one. */
  readonly differsByNode: boolean;
  /** `target-role` is `Stopped`, by itself, a resource that it stands in, or the defaults: not used. */
  readonly disabled: boolean;
  /** Meta-attribute `provides` is `unfencing`: `on` is for it. */
  readonly unfences: boolean;
}

const devicesOf = new WeakMap<ConfigurationReading, readonly FencingDevice[]>();

/**
 * All fence devices, in document order.
 *
 * @param now epoch ms, for rules
 */
export function fencingDevices(cib: XmlElement, now: number): readonly FencingDevice[] {
  const reading = readingOf(cib, now);
  const known = devicesOf.get(reading);
  if (known !== undefined) return known;
  const devices = reading.resources.flatMap((resource) => {
    const { type } = agentOf(resource.element.attributes);
    if (!isFenceDevice(resource) || type === undefined) return [];
    return [
      {
        id: resource.id,
        agent: type,
        parameters: Object.fromEntries(reading.parameters(resource)),
        differsByNode: reading.differsByNode(resource),
        disabled: parseRole(resource.meta.get('target-role')) === 'Stopped',
        unfences: resource.meta.get('provides')?.toLowerCase() === 'unfencing',
      },
    ];
  });
  devicesOf.set(reading, devices);
  return devices;
}

function isFenceDevice({ kind, element }: ConfiguredResource): boolean {
  return kind === 'primitive' && element.attributes['class']?.toLowerCase() === 'stonith';
}

/** The device with the parameters that it has on a node, as the monitors of it have them there. */
export function onNode(state: ClusterState, device: FencingDevice, node: string): FencingDevice {
  if (!device.differsByNode) return device;
  const now = planTime(state);
  const reading = readingOf(state.cib, now);
  const resource = reading.resource(device.id);
  if (resource === undefined) return device;
  return { ...device, parameters: Object.fromEntries(reading.parameters(resource, nodeAttributesOf(state, node, now))) };
}

function words(text: string | undefined): readonly string[] {
  return (text ?? '').split(/[\s,;]+/).filter((word) => word !== '');
}

/** `pcmk_host_map` as pairs: `node:plug`, separated by `;` or blanks; a plug may list several, separated by commas. */
function hostMap(device: FencingDevice): ReadonlyMap<string, string> {
  const entries = (device.parameters['pcmk_host_map'] ?? '').split(/[\s;]+/).flatMap((entry) => {
    const colon = entry.lastIndexOf(':');
    return colon > 0 ? [[entry.slice(0, colon).toLowerCase(), entry.slice(colon + 1)] as const] : [];
  });
  return new Map(entries);
}

/** How it is known which nodes a device can fence; `auto`: by what its agent can do. */
export type HostCheckWay = 'static-list' | 'dynamic-list' | 'status' | 'none' | 'auto';

const WAYS: ReadonlySet<string> = new Set<HostCheckWay>(['static-list', 'dynamic-list', 'status', 'none']);

/** `pcmk_host_check`; without one that can be read, `static-list` where a list or a map is given, else what the agent can do decides. */
export function hostCheckOf({ parameters }: Pick<FencingDevice, 'parameters'>): HostCheckWay {
  const { pcmk_host_list: list, pcmk_host_map: map, pcmk_host_check: check } = parameters;
  const way = check?.toLowerCase();
  if (isWay(way)) return way;
  return list !== undefined || map !== undefined ? 'static-list' : 'auto';
}

function isWay(text: string | undefined): text is HostCheckWay {
  return text !== undefined && WAYS.has(text);
}

/**
 * Whether the device can fence a node, as far as the configuration says: with a static list only nodes of `pcmk_host_list` or `pcmk_host_map`; otherwise any node. What
 * `dynamic-list` and `status` ask the device its executor asks, before it fences (`toFenceAction`).
 */
export function canFence(device: FencingDevice, target: string): boolean {
  if (device.disabled) return false;
  if (hostCheckOf(device) !== 'static-list') return true;
  const { pcmk_host_list: list } = device.parameters;
  const hosts = hostsOf.get(device) ?? new Set([...words(list).map((word) => word.toLowerCase()), ...hostMap(device).keys()]);
  hostsOf.set(device, hosts);
  return hosts.has(target.toLowerCase());
}

/** Names that a device's list and map give, in small letters. */
const hostsOf = new WeakMap<FencingDevice, ReadonlySet<string>>();

export type FencingAction = 'off' | 'reboot' | 'on';

/**
 * What is written to the fence agent's stdin, beside the program's own options: action, `nodename`, and the plug: in `pcmk_host_argument`, else in `port`, which its
 * executor may know better ({@link namesNoArgument}); nowhere where the device has one of its own.
 */
export function agentParameters(device: FencingDevice, target: string, action: FencingAction): Readonly<Record<string, string>> {
  const own = Object.entries(device.parameters).filter(([name]) => !name.startsWith('pcmk_') && name !== 'provides');
  const plug = hostMap(device).get(target.toLowerCase()) ?? target;
  const argument = device.parameters['pcmk_host_argument'] ?? (namesNoArgument(device) ? 'port' : 'none');
  return {
    ...Object.fromEntries(own),
    action: device.parameters[`pcmk_${action}_action`] ?? action,
    nodename: target,
    ...(argument === 'none' || device.parameters[argument] !== undefined ? {} : { [argument]: plug }),
  };
}

/** Whether nothing says in which parameter the plug is given: the agent's meta-data tell. */
export function namesNoArgument({ parameters }: Pick<FencingDevice, 'parameters'>): boolean {
  return ['pcmk_host_argument', 'plug', 'port'].every((name) => parameters[name] === undefined);
}

/** What a device may be asked to do, beside its monitor. */
export type DeviceAction = FencingAction | 'list' | 'status';

/** How often the device is tried before it counts as failed: `pcmk_<action>_retries`, default 2. */
export function maxTries(device: Pick<FencingDevice, 'parameters'>, action: DeviceAction): number {
  const configured = Number.parseInt(device.parameters[`pcmk_${action}_retries`] ?? '', 10);
  return Number.isNaN(configured) ? 2 : Math.max(1, configured);
}

/** How many nodes the device fences at a time: `pcmk_action_limit`, default 1; infinite when it is negative. */
export function actionLimit({ parameters }: Pick<FencingDevice, 'parameters'>): number {
  const configured = integerOf(parameters['pcmk_action_limit'] ?? '') ?? 1;
  return configured < 0 ? Number.POSITIVE_INFINITY : Math.max(1, configured);
}

/** How much may be waited at random before the device switches a node off, ms: what `pcmk_delay_max` leaves beside the delay that is not. */
export function randomDelayMs(device: Pick<FencingDevice, 'parameters'>, target: string): number {
  return Math.max(0, intervalMs(device.parameters['pcmk_delay_max']) - intervalMs(delayOf(device, target)));
}

/** `pcmk_delay_base`: one time for all targets, or a map `node:time` like `pcmk_host_map`. As written; undefined when there is none. */
export function delayOf(device: Pick<FencingDevice, 'parameters'>, target: string): string | undefined {
  const base = device.parameters['pcmk_delay_base'];
  if (base === undefined || !base.includes(':')) return base;
  const name = target.toLowerCase();
  return base
    .split(/[\s;]+/)
    .find((entry) => entry.toLowerCase().startsWith(`${name}:`))
    ?.slice(name.length + 1);
}
