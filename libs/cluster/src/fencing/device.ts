import { childElements, childrenNamed, firstChildNamed, type XmlElement } from '@systole/cib';
import { configurationOf } from '../state/configuration.js';

/** A `stonith` primitive of the configuration as the fencer sees it: parameters without regard to rules. */
export interface FencingDevice {
  readonly id: string;
  /** Program name of the fence agent: the primitive's type. */
  readonly agent: string;
  /** Instance attributes, the primitive's before its template's. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Its own or an ancestor's `target-role` is `Stopped`: not used. */
  readonly disabled: boolean;
  /** Meta-attribute `provides` is `unfencing`: `on` is for it. */
  readonly unfences: boolean;
}

const devicesOf = new WeakMap<XmlElement, readonly FencingDevice[]>();

/** All fence devices, in document order; memoised on the `resources` element. */
export function fencingDevices(cib: XmlElement): readonly FencingDevice[] {
  const resources = firstChildNamed(configurationOf(cib), 'resources');
  if (resources === undefined) return [];
  const known = devicesOf.get(resources);
  if (known !== undefined) return known;
  const devices = collect(resources, resources, false);
  devicesOf.set(resources, devices);
  return devices;
}

function collect(parent: XmlElement, resources: XmlElement, disabled: boolean): readonly FencingDevice[] {
  return childElements(parent).flatMap((child) => {
    if (!['primitive', 'group', 'clone', 'master'].includes(child.name)) return [];
    const stopped = disabled || pairs(child, 'meta_attributes').get('target-role')?.toLowerCase() === 'stopped';
    if (child.name !== 'primitive') return collect(child, resources, stopped);
    const template = childrenNamed(resources, 'template').find(({ attributes }) => attributes['id'] === child.attributes['template']);
    const of = { ...template?.attributes, ...child.attributes };
    if (of.class !== 'stonith' || of.id === undefined || of.type === undefined) return [];
    const inherited = template === undefined ? [] : pairs(template, 'instance_attributes');
    const parameters = Object.fromEntries([...inherited, ...pairs(child, 'instance_attributes')]);
    const provides = pairs(child, 'meta_attributes').get('provides') ?? (template && pairs(template, 'meta_attributes').get('provides'));
    return [{ id: of.id, agent: of.type, parameters, disabled: stopped, unfences: provides === 'unfencing' }];
  });
}

/** All pairs of an element's sets of one kind; the first value of a name wins. */
function pairs(of: XmlElement, kind: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const set of childrenNamed(of, kind)) {
    for (const { attributes } of childrenNamed(set, 'nvpair')) {
      const { name, value } = attributes;
      if (name !== undefined && value !== undefined && !found.has(name)) found.set(name, value);
    }
  }
  return found;
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

/**
 * Whether the device can fence a node, by `pcmk_host_check`: with `static-list` (the default when a list or a map is given) only nodes
 * of `pcmk_host_list` or `pcmk_host_map`; otherwise any node. What `dynamic-list` and `status` would ask the device is not asked: a device
 * that can't do it fails its attempt, and the next one is tried.
 */
export function canFence(device: FencingDevice, target: string): boolean {
  if (device.disabled) return false;
  const { pcmk_host_list: list, pcmk_host_map: map, pcmk_host_check: check } = device.parameters;
  const listed = list !== undefined || map !== undefined;
  if ((check ?? (listed ? 'static-list' : 'none')) !== 'static-list') return true;
  const name = target.toLowerCase();
  return words(list).some((word) => word.toLowerCase() === name) || hostMap(device).has(name);
}

export type FencingAction = 'off' | 'reboot' | 'on';

/** What is written to the fence agent's stdin, beside the program's own options: action, `nodename`, and the plug. */
export function agentParameters(device: FencingDevice, target: string, action: FencingAction): Readonly<Record<string, string>> {
  const own = Object.entries(device.parameters).filter(([name]) => !name.startsWith('pcmk_') && name !== 'provides');
  const plug = hostMap(device).get(target.toLowerCase()) ?? target;
  const argument = device.parameters['pcmk_host_argument'] ?? 'port';
  return {
    ...Object.fromEntries(own),
    action: device.parameters[`pcmk_${action}_action`] ?? action,
    nodename: target,
    ...(argument === 'none' || device.parameters[argument] !== undefined ? {} : { [argument]: plug }),
  };
}

/** How often the device is tried before it counts as failed: `pcmk_<action>_retries`, default 2. */
export function maxTries(device: FencingDevice, action: FencingAction): number {
  const configured = Number.parseInt(device.parameters[`pcmk_${action}_retries`] ?? '', 10);
  return Number.isNaN(configured) ? 2 : Math.max(1, configured);
}

/** `pcmk_delay_base`: one time for all targets, or a map `node:time` like `pcmk_host_map`. As written; undefined when there is none. */
export function delayOf(device: FencingDevice, target: string): string | undefined {
  const base = device.parameters['pcmk_delay_base'];
  if (base === undefined || !base.includes(':')) return base;
  const name = target.toLowerCase();
  return base
    .split(/[\s;]+/)
    .find((entry) => entry.toLowerCase().startsWith(`${name}:`))
    ?.slice(name.length + 1);
}
