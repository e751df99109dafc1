import { isManaged, readingOf, type ConfigurationReading } from '@systole/cib';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { resourcesWithHistory } from '../state/history.js';
import { isAttributeSet } from '../state/node-attributes.js';
import { nodeStateOf } from '../state/node-state.js';

/**
 * History ids of the resources on a node that its agent must leave alone when it loses its lease: those of a cluster or a node in maintenance,
 * and those that are not managed (specification 02 §3.3, 03 §2.4). What is not known of the node is not named.
 *
 * Asked at every poll: what follows from the configuration is kept with its reading.
 *
 * @param now epoch ms, for rules
 */
export function unmanagedResources(state: ClusterState, node: string, now: number): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  return unmanagedAmong(state, node, resourcesWithHistory(nodeState), now);
}

/** Which of these resources a node must leave alone; see {@link unmanagedResources}. @param known history ids */
export function unmanagedAmong(state: ClusterState, node: string, known: readonly string[], now: number): readonly string[] {
  if (known.length === 0) return known;
  const reading = readingOf(state.cib, now);
  if (reading.options.flag('maintenance-mode') || isAttributeSet(state, node, 'maintenance', now)) return known;
  const unmanaged = unmanagedIn(reading);
  if (unmanaged.ids.size === 0 && unmanaged.bundles.length === 0) return [];
  return known.filter(
    (id) =>
      unmanaged.ids.has(id) ||
      unmanaged.ids.has(id.replace(/:\d+$/, '')) ||
      unmanaged.bundles.some((bundle) => id.startsWith(`${bundle}-`)),
  );
}

/** What one configuration does not manage. */
interface Unmanaged {
  /** Primitives. */
  readonly ids: ReadonlySet<string>;
  /** Bundles, whose containers and addresses are named after them. */
  readonly bundles: readonly string[];
}

const unmanagedOf = new WeakMap<ConfigurationReading, Unmanaged>();

function unmanagedIn(reading: ConfigurationReading): Unmanaged {
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
