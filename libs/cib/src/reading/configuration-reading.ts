import { CibEvaluation } from '../document/cib-evaluation.js';
import { CibIndex, descendants } from '../document/cib-index.js';
import { perPart } from '../document/per-part.js';
import type { NvpairSetName } from '../nvpairs/nvpair-sets.js';
import type { ClusterOptionValues } from '../options/cluster-options.js';
import { nextTurn } from '../rules/next-turn.js';
import type { ResourceAgent } from '../rules/rule-input.js';
import { parseBoolean } from '../scalars/boolean.js';
import { utc } from '../time/date-time.js';
import { childElements, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { fillNodeAttributes, readNodes } from './nodes.js';
import { impliedNodes } from './remote-nodes.js';
import type { ImpliedNode } from './remote-nodes.js';
import type { ConfiguredNode } from './nodes.js';
import { findOperation, operationMeta } from './operations.js';
import { hasRules, resourceParameters } from './parameters.js';
import { agentOf, cloneOf, layersOf, readResources } from './resource-tree.js';
import { primitiveIdOf } from './instance-name.js';
import type { ConfiguredResource } from './resource-tree.js';

/**
 * What a configuration says at one moment, by the evaluation that the scheduler uses: rules, scores of sets, references, templates, defaults. Each part is
 * read when it is first asked for, and kept. Get one by {@link readingOf}.
 */
export class ConfigurationReading {
  readonly options: ClusterOptionValues;
  private readonly evaluation: CibEvaluation;
  /** Without a condition on the time it has held for ever, and will. */
  private readonly timeless: boolean;
  /** Up to when no condition on the time turns, whether it was read yet or not, epoch seconds; the end excluded. */
  private readonly holdsUntil: number;
  private nodeList: readonly ConfiguredNode[] | undefined;
  private resourceList: readonly ConfiguredResource[] | undefined;
  private resourcesById: ReadonlyMap<string, ConfiguredResource> | undefined;
  private readonly parametersOf = new Map<ConfiguredResource, ReadonlyMap<string, string>>();
  private readonly stopTimeouts = new Map<string, number>();
  private readonly demoteTimeouts = new Map<string, number>();

  /** @param now epoch seconds */
  constructor(document: XmlElement, now: number) {
    this.evaluation = new CibEvaluation(document, utc(now));
    this.options = this.evaluation.options;
    this.timeless = this.evaluation.index.firstNamed('date_expression') === undefined;
    this.holdsUntil = this.timeless ? Infinity : nextTurn(this.evaluation);
  }

  /** Whether all that it says, and has still to be asked, is the same at another moment, epoch seconds. */
  holdsAt(now: number): boolean {
    return this.timeless || (this.evaluation.now.epochSeconds <= now && now < this.holdsUntil);
  }

  /** Whether it holds at any time. */
  get holdsForEver(): boolean {
    return this.timeless;
  }

  /** The nodes of the configuration, in document order. */
  get nodes(): readonly ConfiguredNode[] {
    return (this.nodeList ??= readNodes(this.evaluation.index.firstNamed('nodes')).nodes);
  }

  /** The remote and guest nodes that the resources make, in document order; they may be among the nodes besides. */
  get impliedNodes(): readonly ImpliedNode[] {
    return impliedNodes(this.evaluation.index.section('resources'));
  }

  /** Every resource, parents before their members, in document order. */
  get resources(): readonly ConfiguredResource[] {
    return (this.resourceList ??= readResources(this.evaluation));
  }

  /** The resource of that id; the first one where several have it. */
  resource(id: string): ConfiguredResource | undefined {
    this.resourcesById ??= new Map(this.resources.toReversed().map((resource) => [resource.id, resource]));
    return this.resourcesById.get(id);
  }

  /** The pairs of an element's sets that are in force; not for what depends on a resource or a node. */
  values(of: XmlElement, kind: NvpairSetName): ReadonlyMap<string, string> {
    const values = new Map<string, string>();
    this.evaluation.fill(of, kind, {}, values);
    return values;
  }

  /**
   * The parameters of a resource.
   *
   * @param nodeAttributes those of the node where it is used; undefined: as it is without any
   */
  parameters(resource: ConfiguredResource, nodeAttributes?: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    if (nodeAttributes !== undefined && this.differsByNode(resource)) {
      return resourceParameters(this.evaluation, layersOf(resource), nodeAttributes);
    }
    const known = this.parametersOf.get(resource);
    if (known !== undefined) return known;
    const read = resourceParameters(this.evaluation, layersOf(resource), undefined);
    this.parametersOf.set(resource, read);
    return read;
  }

  /** Whether its parameters may be others on one node than on another. */
  differsByNode(resource: ConfiguredResource): boolean {
    return [...layersOf(resource)].some((layer) => hasRules(this.evaluation.index, layer, 'instance_attributes'));
  }

  /**
   * How long a stop of a resource may take, ms (specification 01 §4.7, §10.6).
   *
   * @param resource id of a primitive or of an instance of it (`web:0`)
   * @param agent of a resource that is not configured by itself, as those that a bundle makes
   */
  stopTimeoutMs(resource: string, agent: ResourceAgent = {}): number {
    const configured = this.resourceOf(resource);
    const key = configured?.id ?? `agent ${agent.standard ?? ''}:${agent.provider ?? ''}:${agent.type ?? ''}`;
    const known = this.stopTimeouts.get(key);
    if (known !== undefined) return known;
    const of = configured === undefined ? agent : configured.kind === 'primitive' ? agentOf(configured.element.attributes) : {};
    const timeout = this.timeoutOf('stop', configured?.operations ?? [], of);
    this.stopTimeouts.set(key, timeout);
    return timeout;
  }

  /**
   * How long a demote of a resource may take, ms; undefined for what can't be promoted.
   *
   * @param resource id of a primitive or of an instance of it (`web:0`)
   */
  demoteTimeoutMs(resource: string): number | undefined {
    const configured = this.resourceOf(resource);
    if (configured?.kind !== 'primitive' || parseBoolean(cloneOf(configured)?.meta.get('promotable')) !== true) return undefined;
    const known = this.demoteTimeouts.get(configured.id);
    if (known !== undefined) return known;
    const timeout = this.operationTimeoutMs(configured, 'demote');
    this.demoteTimeouts.set(configured.id, timeout);
    return timeout;
  }

  private resourceOf(instance: string): ConfiguredResource | undefined {
    return this.resource(instance) ?? this.resource(primitiveIdOf(instance));
  }

  /** Whether it is to be shown that an operation of a resource is under way: its `record-pending`. @param resource id of a primitive or of an instance of it (`web:0`) */
  recordsPending(resource: string, name: string, interval: number): boolean {
    const configured = this.resourceOf(resource);
    if (configured?.kind !== 'primitive') return true;
    const { operations, element } = configured;
    const op = findOperation(this.evaluation, operations, name, interval, true);
    const meta = operationMeta(this.evaluation, { name, interval, op, operations }, agentOf(element.attributes));
    return parseBoolean(meta.get('record-pending')) !== false;
  }

  /** How long an operation of a primitive that runs once may take, ms (specification 01 §4.7, §10.6). */
  operationTimeoutMs({ operations, element: { attributes } }: ConfiguredResource, name: string): number {
    return this.timeoutOf(name, operations, agentOf(attributes));
  }

  private timeoutOf(name: string, operations: readonly XmlElement[], agent: ResourceAgent): number {
    const op = findOperation(this.evaluation, operations, name, 0, true);
    const meta = operationMeta(this.evaluation, { name, interval: 0, op, operations }, agent);
    return this.evaluation.timeout(meta.get('timeout'));
  }

  /**
   * All attributes of a node as rules see them: built-in, permanent, transient (specification 01 §4.8).
   *
   * @param transient its `transient_attributes`
   */
  nodeAttributes(
    node: { readonly id: string; readonly name: string },
    transient: XmlElement | undefined,
    dc?: string,
  ): Map<string, string> {
    const configured = this.nodes.find(({ id }) => id === node.id) ?? this.nodes.find(({ name }) => name === node.name);
    const identity = { ...node, isDc: dc !== undefined && dc.toLowerCase() === node.id.toLowerCase() };
    const implied = this.impliedNodes.find(({ name }) => name === node.name);
    const kind = implied?.kind === 'guest' ? 'container' : implied !== undefined || configured?.kind === 'remote' ? 'remote' : 'cluster';
    const attributes = new Map([['#kind', kind]]);
    fillNodeAttributes(this.evaluation, identity, { element: configured?.element, lifetime: 'forever' }, attributes);
    if (transient !== undefined) fillNodeAttributes(this.evaluation, identity, { element: transient, lifetime: 'reboot' }, attributes);
    return attributes;
  }
}

const readings = new WeakMap<XmlElement, ConfigurationReading>();
const EMPTY = element('configuration');

/**
 * The reading of a document's configuration at a moment. Kept for as long as that very `configuration` element lives and none of its conditions on the
 * time turns, so that it may be asked for at every poll.
 *
 * @param now epoch ms
 */
export function readingOf(cib: XmlElement, now: number): ConfigurationReading {
  const configuration = firstChildNamed(cib, 'configuration') ?? EMPTY;
  const seconds = Math.floor(now / 1000);
  const alone = isSelfContained(configuration);
  const key = alone ? configuration : cib;
  const known = readings.get(key);
  if (known?.holdsAt(seconds) === true) return known;
  const reading = new ConfigurationReading(alone ? element('cib', {}, [configuration]) : cib, seconds);
  readings.set(key, reading);
  return reading;
}

const selfContained = new WeakMap<XmlElement, boolean>();

/**
 * Whether everything that a configuration refers to stands in it. References may lead into the status (specification 01 §4.3), in documents that ask not
 * to be validated; the reading is then that of one state of the cluster, not of the configuration.
 */
function isSelfContained(configuration: XmlElement): boolean {
  const known = selfContained.get(configuration);
  if (known !== undefined) return known;
  const references = [configuration, ...childElements(configuration)]
    .filter(isReference)
    .concat(childElements(configuration).flatMap(childElements).flatMap(referencesInPart));
  const index = new CibIndex(element('cib', {}, [configuration]));
  const answer = references.every(({ name, attributes }) => index.byId(name, attributes['id-ref'] ?? '') !== undefined);
  selfContained.set(configuration, answer);
  return answer;
}

const NONE: readonly XmlElement[] = [];

/** The elements that refer to another one. Most parts have none, and many elements. */
const referencesInPart = perPart((part): readonly XmlElement[] => {
  const references = [...descendants(part)].filter(isReference);
  return references.length === 0 ? NONE : references;
});

function isReference({ attributes }: XmlElement): boolean {
  return attributes['id-ref'] !== undefined;
}
