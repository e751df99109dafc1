import {
  childrenNamed,
  firstChildNamed,
  posixPattern,
  readingOf,
  type ConfigurationReading,
  type MatchPattern,
  type XmlElement,
} from '@systole/cib';
import { type ClusterState } from '../state/cluster-state.js';
import { joinedNodes } from '../remote/remote-nodes.js';
import { configurationOf } from '../state/configuration.js';
import { nodeAttributesOf } from '../state/node-attributes.js';
import { planTime } from '../state/plan-time.js';
import { canFence, fencingDevices, onNode, type FencingAction, type FencingDevice } from './device.js';
import { devicesAndWatchdog, isWatchdog, watchdogWaitMs } from './watchdog.js';

/** One attempt's worth of a fencing plan. */
export interface FencingTurn {
  readonly device: FencingDevice;
  readonly action: FencingAction;
  /** A failure does not spoil the level: the node is off already, only powering it on again failed. */
  readonly optional: boolean;
}

/** Levels in the order in which they are tried; all turns of a level must succeed, in order. */
export type FencingPlan = readonly (readonly FencingTurn[])[];

/**
 * Which devices fence a target, in which order. With `fencing-level`s for the target only those count, by ascending index; without,
 * each device that can fence it is a level of its own, in document order. To reboot by several devices, all are switched off before the
 * first is switched on again. To unfence (`on`), every device that provides it has to succeed. Watchdogs (specification 15 §1) fence where a level names them, and without levels whomever no device can fence; as long as time proves anything
 * of the target.
 */
export function fencingPlan(state: ClusterState, target: string, action: FencingAction): FencingPlan {
  return levelsFor(state, target, action, watchdogWaitMs(state, target) !== undefined);
}

/** @param watchdog whether that of the target is reckoned with */
function levelsFor(state: ClusterState, target: string, action: FencingAction, watchdog: boolean): FencingPlan {
  const known = devicesAndWatchdog(state, fencingDevices(state.cib, planTime(state)));
  const devices = watchdog && action !== 'on' ? known : known.filter((device) => !isWatchdog(device));
  const levels = topologyOf(state, target);
  const able = devices.filter((device) => isAble(state, device, target));
  const unfencing = able.filter((device) => action === 'on' && device.unfences);
  if (unfencing.length > 0) return [turnsOf(unfencing, action)];
  if (levels.length === 0) {
    const others = able.filter((device) => !isWatchdog(device));
    return (others.length === 0 ? able : others).map((device) => [{ device, action, optional: false }]);
  }
  return levels.flatMap((ids) => {
    const members = ids.map((id) => devices.find((device) => device.id === id && !device.disabled));
    const usable = members.filter((device) => device !== undefined).filter((device) => !isWatchdog(device) || able.includes(device));
    return usable.length === 0 || usable.length < members.length ? [] : [turnsOf(usable, action)];
  });
}

/** Whether the target would be fenced by its watchdog, did its agent feed one: so that it has to starve it when it loses its lease. */
export function countsOnWatchdog(state: ClusterState, target: string): boolean {
  return levelsFor(state, target, 'off', true).some((level) => level.some(({ device }) => isWatchdog(device)));
}

/** By node, of what depends on the configuration alone; undefined where it does not. */
const fenceableOf = new WeakMap<ConfigurationReading, Map<string, boolean> | undefined>();

/** Whether anything but its watchdog can switch the target off ({@link fencingPlan}). Asked at every poll: what follows from the configuration is found once for each node, and kept with its reading. */
export function isFenceable(state: ClusterState, target: string): boolean {
  const reading = readingOf(state.cib, planTime(state));
  if (!fenceableOf.has(reading)) fenceableOf.set(reading, goesByConfiguration(state) ? new Map() : undefined);
  const nodes = fenceableOf.get(reading);
  const known = nodes?.get(target);
  if (known !== undefined) return known;
  const found = levelsFor(state, target, 'off', false).length > 0;
  nodes?.set(target, found);
  return found;
}

/** Whether which device fences whom is the same whatever nodes are there, and whatever is said of them. */
function goesByConfiguration(state: ClusterState): boolean {
  if (fencingDevices(state.cib, planTime(state)).some(({ disabled, differsByNode }) => differsByNode && !disabled)) return false;
  return levelsOf(state).every(({ attributes }) => attributes['target-attribute'] === undefined);
}

/**
 * The devices that can fence a target, in document order, whatever its levels say; as far as the configuration tells ({@link canFence}).
 *
 * @param target name of a node
 */
export function ableDevices(state: ClusterState, target: string): readonly FencingDevice[] {
  return fencingDevices(state.cib, planTime(state)).filter((device) => isAble(state, device, target));
}

/** Whether the device can fence the target: from any of the nodes, where it is not the same on all. */
function isAble(state: ClusterState, device: FencingDevice, target: string): boolean {
  if (!device.differsByNode) return canFence(device, target);
  return joinedNodes(state).some((node) => canFence(onNode(state, device, node), target));
}

function turnsOf(devices: readonly FencingDevice[], action: FencingAction): readonly FencingTurn[] {
  if (action !== 'reboot' || devices.length === 1) return devices.map((device) => ({ device, action, optional: false }));
  return [
    ...devices.map((device) => ({ device, action: 'off' as const, optional: false })),
    ...devices.filter((device) => !isWatchdog(device)).map((device) => ({ device, action: 'on' as const, optional: true })),
  ];
}

/** Device ids of each level for the target: levels that name it, else whose pattern matches it, else whose attribute it has. */
function topologyOf(state: ClusterState, target: string): readonly (readonly string[])[] {
  const levels = levelsOf(state);
  if (levels.length === 0) return [];
  const ways: readonly ((level: XmlElement) => boolean)[] = [
    ({ attributes }) => attributes['target']?.toLowerCase() === target.toLowerCase(),
    (level) => matchesPattern(level, target),
    ({ attributes }) => {
      const { 'target-attribute': name, 'target-value': value } = attributes;
      return name !== undefined && value !== undefined && nodeAttributesOf(state, target, planTime(state)).get(name) === value;
    },
  ];
  for (const way of ways) {
    const found = levels.filter(way);
    if (found.length === 0) continue;
    return found
      .toSorted((a, b) => indexOf(a.attributes['index']) - indexOf(b.attributes['index']))
      .map(({ attributes }) => (attributes['devices'] ?? '').split(/[\s,]+/).filter((id) => id !== ''));
  }
  return [];
}

function levelsOf(state: ClusterState): readonly XmlElement[] {
  const topology = firstChildNamed(configurationOf(state.cib), 'fencing-topology');
  if (topology === undefined) return [];
  return childrenNamed(topology, 'fencing-level').filter(({ attributes }) => indexOf(attributes['index']) > 0);
}

function indexOf(text: string | undefined): number {
  const index = Number.parseInt(text ?? '', 10);
  return Number.isNaN(index) ? 0 : index;
}

const patterns = new WeakMap<XmlElement, MatchPattern | 'none'>();

/** By a POSIX extended regular expression, whatever the case of letters; one that is none matches nobody, and the findings say so. */
function matchesPattern(level: XmlElement, target: string): boolean {
  const pattern = patterns.get(level) ?? patternOf(level);
  patterns.set(level, pattern);
  return pattern !== 'none' && pattern(target) !== undefined;
}

function patternOf({ attributes: { 'target-pattern': pattern } }: XmlElement): MatchPattern | 'none' {
  return (pattern === undefined ? undefined : posixPattern(pattern, { ignoreCase: true })) ?? 'none';
}
