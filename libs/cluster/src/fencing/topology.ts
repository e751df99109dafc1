import { childrenNamed, firstChildNamed, type XmlElement } from '@systole/cib';
import { joinedNodes, type ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import { nodeAttributesOf } from '../state/node-attributes.js';
import { planTime } from '../state/plan-time.js';
import { canFence, fencingDevices, onNode, type FencingAction, type FencingDevice } from './device.js';

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
 * first is switched on again. To unfence (`on`), every device that provides it has to succeed.
 */
export function fencingPlan(state: ClusterState, target: string, action: FencingAction): FencingPlan {
  const devices = fencingDevices(state.cib, planTime(state));
  const levels = topologyOf(state, target);
  const able = devices.filter((device) => isAble(state, device, target));
  const unfencing = able.filter((device) => action === 'on' && device.unfences);
  if (unfencing.length > 0) return [turnsOf(unfencing, action)];
  if (levels.length === 0) {
    return able.map((device) => [{ device, action, optional: false }]);
  }
  return levels.flatMap((ids) => {
    const members = ids.map((id) => devices.find((device) => device.id === id && !device.disabled));
    const usable = members.filter((device) => device !== undefined);
    return usable.length === 0 || usable.length < members.length ? [] : [turnsOf(usable, action)];
  });
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
    ...devices.map((device) => ({ device, action: 'on' as const, optional: true })),
  ];
}

/** Device ids of each level for the target: levels that name it, else whose pattern matches it, else whose attribute it has. */
function topologyOf(state: ClusterState, target: string): readonly (readonly string[])[] {
  const topology = firstChildNamed(configurationOf(state.cib), 'fencing-topology');
  if (topology === undefined) return [];
  const levels = childrenNamed(topology, 'fencing-level').filter(({ attributes }) => indexOf(attributes['index']) > 0);
  const ways: readonly ((level: XmlElement) => boolean)[] = [
    ({ attributes }) => attributes['target']?.toLowerCase() === target.toLowerCase(),
    ({ attributes }) => matchesPattern(attributes['target-pattern'], target),
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

function indexOf(text: string | undefined): number {
  const index = Number.parseInt(text ?? '', 10);
  return Number.isNaN(index) ? 0 : index;
}

function matchesPattern(pattern: string | undefined, target: string): boolean {
  if (pattern === undefined) return false;
  try {
    return new RegExp(pattern, 'i').test(target);
  } catch {
    return false;
  }
}
