import { childElements, childrenNamed, descendants, firstChildNamed, type XmlElement } from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';

/** By configuration: agents set attributes far more often than anybody changes it. */
const known = new WeakMap<XmlElement, ReadonlySet<string>>();

/**
 * Names of the node attributes that say which devices fence a node, and with what: those of fencing levels, and of rules in all that a fence device has its parameters from: itself, its template, what contains it, and what any of
 * them takes over by `id-ref`. Whoever sets one decides whether a node that is fenced is switched off, or another one is in its place (safety rule S1).
 */
export function steersFencing(state: ClusterState, name: string): boolean {
  const configuration = configurationOf(state.cib);
  const names = known.get(configuration) ?? new Set([...namesInLevels(configuration), ...namesInDevices(configuration)]);
  known.set(configuration, names);
  return names.has(name);
}

function namesInLevels(configuration: XmlElement): readonly string[] {
  const topology = firstChildNamed(configuration, 'fencing-topology');
  const levels = topology === undefined ? [] : childrenNamed(topology, 'fencing-level');
  return levels.flatMap(({ attributes: { 'target-attribute': name } }) => (name === undefined ? [] : [name]));
}

function namesInDevices(configuration: XmlElement): readonly string[] {
  const sources = deviceSources(configuration);
  return sources.flatMap((source) =>
    [...descendants(source)].flatMap(({ name, attributes: { attribute } }) =>
      name === 'expression' && attribute !== undefined ? [attribute] : [],
    ),
  );
}

/** All that fence devices may have parameters from; what only may be is taken as well. */
function deviceSources(configuration: XmlElement): readonly XmlElement[] {
  const resources = firstChildNamed(configuration, 'resources');
  if (resources === undefined) return [];
  const all = childElements(resources);
  const templates = new Map(all.filter(({ name }) => name === 'template').map((template) => [template.attributes['id'], template]));
  const templateOf = ({ attributes: { template } }: XmlElement): XmlElement | undefined =>
    template === undefined ? undefined : templates.get(template);
  const devices = all.map((top) => ({
    top,
    own: [top, ...descendants(top)].filter((one) => isFenceDevice(one) || isFenceDevice(templateOf(one))),
  }));
  const found = new Set(devices.flatMap(({ top, own }) => (own.length === 0 ? [] : [top, ...own.flatMap((one) => templateOf(one) ?? [])])));
  return found.size === 0 ? [] : [...found, ...takenOver(configuration, found)];
}

/** What elements take over from elsewhere in the configuration by `id-ref`, and what that takes over. */
function takenOver(configuration: XmlElement, by: ReadonlySet<XmlElement>): readonly XmlElement[] {
  const byId = new Map<string, XmlElement>();
  for (const element of descendants(configuration)) {
    const { id } = element.attributes;
    if (id !== undefined) byId.set(id, element);
  }
  const taken = new Set<XmlElement>();
  const waiting = [...by];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const { attributes } of [next, ...descendants(next)]) {
      const element = byId.get(attributes['id-ref'] ?? '');
      if (element === undefined || taken.has(element)) continue;
      taken.add(element);
      waiting.push(element);
    }
  return [...taken];
}

function isFenceDevice(element: XmlElement | undefined): boolean {
  return element?.attributes['class']?.toLowerCase() === 'stonith';
}
