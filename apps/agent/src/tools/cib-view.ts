import {
  childrenNamed,
  firstChildNamed,
  parseBoolean,
  parseXml,
  readingOf,
  type ConfigurationReading,
  type ConfiguredNode,
  type ConfiguredResource,
  type XmlElement,
  primitiveIdOf,
} from '@systole/cib';

/** A node as its peers see it. */
export interface NodeView {
  readonly id: string;
  readonly name: string;
  readonly online: boolean;
  readonly kind: 'cluster' | 'remote' | 'guest';
}

/** Read-only questions about a CIB document, as far as the tools for resource agents ask them: what is in force now, as the scheduler reads it. */
export class CibView {
  private constructor(
    readonly document: XmlElement,
    private readonly reading: ConfigurationReading,
  ) {}

  private static lastParsed: { readonly xml: string; readonly document: XmlElement } | undefined;

  /** The tools ask for the same document again and again: it is parsed once. @param now epoch ms, for rules */
  static parse(xml: string, now = Date.now()): CibView {
    if (CibView.lastParsed?.xml !== xml) CibView.lastParsed = { xml, document: parseXml(xml) };
    const { document } = CibView.lastParsed;
    return new CibView(document, readingOf(document, now));
  }

  get quorate(): boolean {
    return parseBoolean(this.document.attributes['have-quorum']) === true;
  }

  /** A section by its name: `configuration` or `status` themselves, or a child of `configuration`. */
  section(name: string): XmlElement | undefined {
    if (name === 'cib') return this.document;
    return firstChildNamed(this.document, name) ?? firstChildNamed(firstChildNamed(this.document, 'configuration') ?? EMPTY, name);
  }

  /** Cluster nodes first, then remote and guest nodes, each in the order of the document. */
  nodes(): NodeView[] {
    const { nodes, impliedNodes: implied } = this.reading;
    const made = new Set(implied.map(({ name }) => name));
    const others = nodes
      .filter(({ name, kind }) => kind === 'remote' && !made.has(name))
      .map(({ name }) => ({ name, kind: 'remote' as const }));
    return [
      ...nodes.filter(({ kind }) => kind === 'member').map(({ id, name }) => this.viewOf(id, name, 'cluster')),
      ...[...implied, ...others].map(({ name, kind }) => this.viewOf(name, name, kind)),
    ];
  }

  private viewOf(id: string, name: string, kind: NodeView['kind']): NodeView {
    const state = this.nodeState(name);
    const online = state?.attributes['crmd'] === 'online' || Number(state?.attributes['crmd'] ?? 0) > 0;
    return { id, name, kind, online: online && state?.attributes['join'] === 'member' };
  }

  nodeState(node: string): XmlElement | undefined {
    return childrenNamed(firstChildNamed(this.document, 'status') ?? EMPTY, 'node_state').find(
      (state) => state.attributes['uname'] === node || state.attributes['id'] === node,
    );
  }

  /** A node attribute of one lifetime: `reboot` from the status, `forever` from the configuration. */
  nodeAttribute(node: string, name: string, lifetime: 'forever' | 'reboot'): string | undefined {
    return this.nodeAttributes(node, lifetime).get(name);
  }

  /** All attributes of a node of one lifetime. */
  nodeAttributes(node: string, lifetime: 'forever' | 'reboot'): ReadonlyMap<string, string> {
    if (lifetime === 'reboot') return this.transientAttributes(node);
    const configured = this.configuredNode(node);
    return configured === undefined ? new Map() : this.reading.values(configured.element, 'instance_attributes');
  }

  /** All transient attributes of a node. */
  transientAttributes(node: string): ReadonlyMap<string, string> {
    const transient = this.transientOf(node);
    return transient === undefined ? new Map() : this.reading.values(transient, 'instance_attributes');
  }

  utilization(node: string, name: string): string | undefined {
    const configured = this.configuredNode(node);
    return configured && this.reading.values(configured.element, 'utilization').get(name);
  }

  /** A cluster option as configured, by its own name or its older one. */
  clusterOption(name: string): string | undefined {
    return this.reading.options.asConfigured(name);
  }

  /** A parameter of a resource as it is on a node, a meta-attribute, or a part of its utilization. */
  resourceAttribute(
    resource: string,
    set: 'instance_attributes' | 'meta_attributes' | 'utilization',
    name: string,
    node: string,
  ): string | undefined {
    const found = this.configured(resource);
    if (found === undefined) return undefined;
    switch (set) {
      case 'instance_attributes':
        return this.parameters(found, node).get(name);
      case 'meta_attributes':
        return found.meta.get(name);
      case 'utilization':
        return this.reading.values(found.element, 'utilization').get(name);
    }
  }

  /** A resource, or what an instance is of. */
  configured(id: string): ConfiguredResource | undefined {
    return this.reading.resource(id) ?? this.reading.resource(primitiveIdOf(id));
  }

  /** The primitive that is named, or the first in what is; that of an instance of a clone by the id of the instance, too. */
  primitive(id: string): ConfiguredResource | undefined {
    const isIn = (one: ConfiguredResource, of: string): boolean => one.id === of || (one.parent !== undefined && isIn(one.parent, of));
    const primitives = this.reading.resources.filter(({ kind }) => kind === 'primitive');
    return primitives.find((one) => isIn(one, id)) ?? primitives.find((one) => isIn(one, primitiveIdOf(id)));
  }

  /** The parameters of a resource, as they are on a node. */
  parameters(resource: ConfiguredResource, node: string): ReadonlyMap<string, string> {
    return this.reading.parameters(resource, this.attributes(node));
  }

  /** What was recorded of an operation of a resource on a node, the newest where there are several. */
  recorded(node: string, resource: string, operation: string, intervalMs: number): XmlElement['attributes'] | undefined {
    const lrm = firstChildNamed(this.nodeState(node) ?? EMPTY, 'lrm') ?? EMPTY;
    const histories = childrenNamed(firstChildNamed(lrm, 'lrm_resources') ?? EMPTY, 'lrm_resource');
    const history = histories.find(({ attributes }) => attributes['id'] === resource);
    const entries = history === undefined ? [] : childrenNamed(history, 'lrm_rsc_op').map(({ attributes }) => attributes);
    return entries.filter((entry) => entry['operation'] === operation && entry['interval'] === String(intervalMs)).at(-1);
  }

  /** Ids of the configured fence devices. */
  fenceDevices(): readonly string[] {
    return this.reading.resources.flatMap(({ kind, id, element }) =>
      kind === 'primitive' && element.attributes['class'] === 'stonith' ? [id] : [],
    );
  }

  /** What has a tag; undefined when there is no such tag. */
  tagged(tag: string): readonly string[] | undefined {
    const tags = this.section('tags');
    const found = (tags ? childrenNamed(tags, 'tag') : []).find(({ attributes }) => attributes['id'] === tag);
    return found && childrenNamed(found, 'obj_ref').map(({ attributes }) => attributes['id'] ?? '');
  }

  private configuredNode(node: string): ConfiguredNode | undefined {
    return this.reading.nodes.find(({ id, name }) => name === node || id === node);
  }

  private transientOf(node: string): XmlElement | undefined {
    return firstChildNamed(this.nodeState(node) ?? EMPTY, 'transient_attributes');
  }

  private attributes(node: string): ReadonlyMap<string, string> {
    const identity = this.configuredNode(node) ?? { id: node, name: node };
    return this.reading.nodeAttributes(identity, this.transientOf(node), this.document.attributes['dc-uuid']);
  }
}

const EMPTY: XmlElement = { kind: 'element', name: '', attributes: {}, children: [] };
