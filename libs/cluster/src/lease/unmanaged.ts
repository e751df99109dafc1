import {
  CibEvaluation,
  configurationOf,
  element,
  firstChildNamed,
  membersOf,
  parseBoolean,
  utc,
  type Configuration,
  type Primitive,
  type Resource,
  type XmlElement,
} from '@systole/cib';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { booleanOption } from '../state/configuration.js';
import { resourcesWithHistory } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { attributeOf } from '../state/relevance.js';

/**
 * History ids of the resources on a node that its agent must leave alone when it loses its lease: those of a cluster or a node in maintenance,
 * and those that are not managed (specification 02 §3.3, 03 §2.4). What is not known of the node is not named.
 *
 * Asked at every poll: what follows from the configuration is kept for as long as that very `configuration` element lives and no rule in it
 * turns.
 *
 * @param now epoch ms, for rules
 */
export function unmanagedResources(state: ClusterState, node: string, now: number): readonly string[] {
  const member = memberOf(state, node);
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  if (nodeState === undefined) return [];
  const known = resourcesWithHistory(nodeState);
  if (known.length === 0 || booleanOption(state.cib, false, 'maintenance-mode') || inMaintenance(state, node)) return known;
  const unmanaged = unmanagedIn(state.cib, Math.floor(now / 1000));
  if (unmanaged.ids.size === 0 && unmanaged.bundles.length === 0) return [];
  return known.filter(
    (id) =>
      unmanaged.ids.has(id) ||
      unmanaged.ids.has(id.replace(/:\d+$/, '')) ||
      unmanaged.bundles.some((bundle) => id.startsWith(`${bundle}-`)),
  );
}

function inMaintenance(state: ClusterState, node: string): boolean {
  const value = attributeOf(state, { node, name: 'maintenance', lifetime: 'reboot' });
  return parseBoolean(value ?? attributeOf(state, { node, name: 'maintenance', lifetime: 'forever' })) === true;
}

/** What one configuration does not manage. */
interface Unmanaged {
  /** Primitives. */
  readonly ids: ReadonlySet<string>;
  /** Bundles, whose containers and addresses are named after them. */
  readonly bundles: readonly string[];
  /** Epoch seconds between which this holds; the end is excluded. */
  readonly from: number;
  readonly until: number;
}

const unmanagedOf = new WeakMap<XmlElement, Unmanaged>();

function unmanagedIn(cib: XmlElement, now: number): Unmanaged {
  const source = firstChildNamed(cib, 'configuration');
  if (source === undefined) return { ids: new Set(), bundles: [], from: now, until: Number.POSITIVE_INFINITY };
  const known = unmanagedOf.get(source);
  if (known !== undefined && known.from <= now && now < known.until) return known;
  const fresh = evaluate(source, now);
  unmanagedOf.set(source, fresh);
  return fresh;
}

function evaluate(source: XmlElement, now: number): Unmanaged {
  // Status has no part in meta-attributes; without it the reading is that of the configuration alone.
  const document = element('cib', {}, [source]);
  const evaluation = new CibEvaluation(document, utc(now));
  const configuration = configurationOf(document);
  const defaults = firstChildNamed(source, 'rsc_defaults');
  const ids = new Set<string>();
  const bundles: string[] = [];
  const visit = (resource: Resource, ancestors: readonly Resource[]): void => {
    const chain = [...layersOf(resource, configuration), ...ancestors.map((ancestor) => ancestor.source)];
    const managed = isManaged(evaluation, resource, [...chain, ...(defaults === undefined ? [] : [defaults])]);
    if (!managed && resource.kind === 'primitive') ids.add(resource.id);
    if (!managed && resource.kind === 'bundle') bundles.push(resource.id);
    for (const member of membersOf(resource)) visit(member, [resource, ...ancestors]);
  };
  for (const resource of configuration.resources) visit(resource, []);
  return { ids, bundles, from: now, until: evaluation.recheckBy ?? Number.POSITIVE_INFINITY };
}

/** The elements whose meta-attributes are the resource's own: itself, then its template. */
function layersOf(resource: Resource, configuration: Configuration): readonly XmlElement[] {
  const template = resource.kind === 'primitive' ? templateOf(resource, configuration) : undefined;
  return template === undefined ? [resource.source] : [resource.source, template];
}

function templateOf({ template }: Primitive, { templates }: Configuration): XmlElement | undefined {
  return template === undefined ? undefined : templates.find(({ id }) => id === template)?.source;
}

/** `is-managed` and `maintenance`, the first layer that has the name wins; any text that means nothing is no (specification 02 §3.2). */
function isManaged(evaluation: CibEvaluation, resource: Resource, layers: readonly XmlElement[]): boolean {
  const agent = resource.kind === 'primitive' ? resource.agent : undefined;
  const meta = new Map<string, string>();
  for (const layer of layers) evaluation.fill(layer, 'meta_attributes', { resource: agent ?? {} }, meta);
  const managed = meta.get('is-managed');
  if (parseBoolean(meta.get('maintenance')) === true) return false;
  return managed === undefined || managed.toLowerCase() === 'default' || parseBoolean(managed) === true;
}
