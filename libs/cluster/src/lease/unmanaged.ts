import { isManaged, readingOf, type ConfigurationReading, type XmlElement, primitiveIdOf } from '@systole/cib';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { historiesAmong, resourcesWithHistory } from '../state/history.js';
import { isAttributeSet } from '../state/node-attributes.js';
import { nodeStateOf } from '../state/node-state.js';

/**
 * History ids of the resources on a node that its agent must leave alone when it loses its lease: those of a cluster or a node in maintenance,
 * and those that are not managed (specification 02 §3.3, 03 §2.4). What is not known of the node is not named. In the order of the node's history.
 *
 * Asked at every poll: what follows from the configuration is kept with its reading, and costs what is not managed.
 *
 * @param now epoch ms, for rules
 */
export function unmanagedResources(state: ClusterState, node: string, now: number): readonly string[] {
  return memberOf(state, node) === undefined ? [] : knownOf(state, node, unmanagedOn(state, node, now));
}

/** By the node's state: what it was asked for last. */
const listedOf = new WeakMap<XmlElement, { readonly of: 'everything' | Unmanaged; readonly ids: readonly string[] }>();

/** History ids of what of that a node knows of, in the order of its history. Listed once for a state of the node, however many polls ask. */
export function knownOf(state: ClusterState, node: string, unmanaged: 'everything' | Unmanaged): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  const listed = listedOf.get(nodeState);
  if (listed?.of === unmanaged) return listed.ids;
  const ids = listedIn(nodeState, unmanaged);
  listedOf.set(nodeState, { of: unmanaged, ids });
  return ids;
}

function listedIn(nodeState: XmlElement, unmanaged: 'everything' | Unmanaged): readonly string[] {
  if (unmanaged === 'everything') return resourcesWithHistory(nodeState);
  // What a bundle makes has names that can't all be told from its own.
  if (unmanaged.bundles.length > 0) return resourcesWithHistory(nodeState).filter((id) => isAmong(unmanaged, id));
  return historiesAmong(nodeState, unmanaged.ids);
}

/** Which of these resources a node must leave alone; see {@link unmanagedResources}. @param known history ids */
export function unmanagedAmong(state: ClusterState, node: string, known: readonly string[], now: number): readonly string[] {
  if (known.length === 0) return known;
  const unmanaged = unmanagedOn(state, node, now);
  return unmanaged === 'everything' ? known : known.filter((id) => isAmong(unmanaged, id));
}

/** What one configuration does not manage. */
export interface Unmanaged {
  /** Primitives. */
  readonly ids: ReadonlySet<string>;
  /** Bundles, whose containers and addresses are named after them. */
  readonly bundles: readonly string[];
}

/** By state and node: what was asked for last. */
const unmanagedOnNodes = new WeakMap<ClusterState, Map<string, { readonly now: number; readonly unmanaged: 'everything' | Unmanaged }>>();

/** Found out once for a state and a moment, however many polls ask. */
function unmanagedOn(state: ClusterState, node: string, now: number): 'everything' | Unmanaged {
  const ofNodes = unmanagedOnNodes.get(state) ?? new Map<string, { readonly now: number; readonly unmanaged: 'everything' | Unmanaged }>();
  const known = ofNodes.get(node);
  if (known?.now === now) return known.unmanaged;
  const unmanaged = readUnmanagedOn(state, node, now);
  unmanagedOnNodes.set(state, ofNodes.set(node, { now, unmanaged }));
  return unmanaged;
}

function readUnmanagedOn(state: ClusterState, node: string, now: number): 'everything' | Unmanaged {
  const reading = readingOf(state.cib, now);
  if (reading.options.flag('maintenance-mode') || isAttributeSet(state, node, 'maintenance', now)) return 'everything';
  return unmanagedIn(reading);
}

/** Whether a resource is one of those, or made of one. @param id in histories */
export function isAmong({ ids, bundles }: Unmanaged, id: string): boolean {
  return ids.has(id) || ids.has(primitiveIdOf(id)) || bundles.some((bundle) => id.startsWith(`${bundle}-`));
}

const unmanagedOf = new WeakMap<ConfigurationReading, Unmanaged>();

/** What is not managed, whichever node it is on. */
export function unmanagedIn(reading: ConfigurationReading): Unmanaged {
  const known = unmanagedOf.get(reading);
  if (known !== undefined) return known;
  const unmanaged = reading.resources.filter(({ meta }) => !isManaged(meta));
  const found = {
    ids: new Set(unmanaged.filter(({ kind }) => kind === 'primitive').map(({ id }) => id)),
    bundles: unmanaged.filter(({ kind }) => kind === 'bundle').map(({ id }) => id),
  };
  unmanagedOf.set(reading, found);
  return found;
}
