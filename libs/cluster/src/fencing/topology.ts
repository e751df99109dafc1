import { childrenNamed, firstChildNamed, type XmlElement } from '@systole/cib';
import { configurationOf, configuredNodes, permanentAttribute } from '../state/configuration.js';
import { nodeStateOf, transientAttribute } from '../state/node-state.js';
import { canFence, fencingDevices, type FencingAction, type FencingDevice } from './device.js';

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
export function fencingPlan(cib: XmlElement, target: string, action: FencingAction): FencingPlan {
  const devices = fencingDevices(cib);
  const levels = topologyOf(cib, target);
  const unfencing = devices.filter((device) => action === 'on' && device.unfences && canFence(device, target));
  if (unfencing.length > 0) return [turnsOf(unfencing, action)];
  if (levels.length === 0) {
    return devices.filter((device) => canFence(device, target)).map((device) => [{ device, action, optional: false }]);
  }
  return levels.flatMap((ids) => {
    const members = ids.map((id) => devices.find((device) => device.id === id && !device.disabled));
    const usable = members.filter((device) => device !== undefined);
    return usable.length === 0 || usable.length < members.length ? [] : [turnsOf(usable, action)];
  });
}

function turnsOf(devices: readonly FencingDevice[], action: FencingAction): readonly FencingTurn[] {
  if (action !== 'reboot' || devices.length === 1) return devices.map((device) => ({ device, action, optional: false }));
  return [
    ...devices.map((device) => ({ device, action: 'off' as const, optional: false })),
    ...devices.map((device) => ({ device, action: 'on' as const, optional: true })),
  ];
}

/** Device ids of each level for the target: levels that name it, else whose pattern matches it, else whose attribute it has. */
function topologyOf(cib: XmlElement, target: string): readonly (readonly string[])[] {
  const topology = firstChildNamed(configurationOf(cib), 'fencing-topology');
  if (topology === undefined) return [];
  const levels = childrenNamed(topology, 'fencing-level').filter(({ attributes }) => indexOf(attributes['index']) > 0);
  const ways: readonly ((level: XmlElement) => boolean)[] = [
    ({ attributes }) => attributes['target']?.toLowerCase() === target.toLowerCase(),
    ({ attributes }) => matchesPattern(attributes['target-pattern'], target),
    ({ attributes }) => {
      const { 'target-attribute': name, 'target-value': value } = attributes;
      return name !== undefined && value !== undefined && nodeAttribute(cib, target, name) === value;
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

function nodeAttribute(cib: XmlElement, node: string, name: string): string | undefined {
  const id = configuredNodes(cib).find((candidate) => candidate.name === node)?.id;
  const nodeState = id === undefined ? undefined : nodeStateOf(cib, { id, name: node });
  return transientAttribute(nodeState, name) ?? permanentAttribute(cib, node, name);
}
