import { childElements, childrenNamed, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { parseInteger } from '../scalars/integer.js';
import { parseScore } from '../scalars/score.js';
import { constraintOf } from './constraint.js';
import type { Constraint } from './constraint.js';
import { entityOf, memoised } from './entity.js';
import type { Entity } from './entity.js';
import { nvpairSetsOf } from './nvpair-set.js';
import type { NvpairSet } from './nvpair-set.js';
import { resourceOf, templateOf } from './resource.js';
import type { Resource, Template } from './resource.js';

/** A `node` of the configuration (specification 03 §1.1). */
export interface ConfiguredNode extends Entity {
  readonly kind: 'node';
  readonly name: string;
  readonly type: 'member' | 'remote';
  readonly score: number;
  readonly attributes: readonly NvpairSet[];
  readonly utilization: readonly NvpairSet[];
}

/** Fence devices that are used together against a target (specification 01 §1.1). */
export interface FencingLevel extends Entity {
  readonly kind: 'fencing-level';
  /** 1 to 9, tried in this order; undefined when invalid. */
  readonly index: number | undefined;
  readonly devices: readonly string[];
  readonly target:
    | { readonly by: 'node'; readonly name: string }
    | { readonly by: 'pattern'; readonly pattern: string }
    | { readonly by: 'attribute'; readonly name: string; readonly value: string };
}

/** A name for several objects (specification 01 §9). */
export interface Tag extends Entity {
  readonly kind: 'tag';
  readonly members: readonly string[];
}

/** A program that is told what happens. */
export interface Alert extends Entity {
  readonly kind: 'alert';
  readonly path: string;
  readonly meta: readonly NvpairSet[];
  readonly parameters: readonly NvpairSet[];
  readonly recipients: readonly AlertRecipient[];
}

export interface AlertRecipient extends Entity {
  readonly value: string;
  readonly meta: readonly NvpairSet[];
  readonly parameters: readonly NvpairSet[];
}

/** The typed view of a `configuration`; all lists are in document order. */
export interface Configuration {
  readonly source: XmlElement | undefined;
  readonly propertySets: readonly NvpairSet[];
  readonly nodes: readonly ConfiguredNode[];
  /** Top-level resources. */
  readonly resources: readonly Resource[];
  readonly templates: readonly Template[];
  readonly constraints: readonly Constraint[];
  readonly resourceDefaults: readonly NvpairSet[];
  readonly operationDefaults: readonly NvpairSet[];
  readonly fencingLevels: readonly FencingLevel[];
  readonly tags: readonly Tag[];
  readonly alerts: readonly Alert[];
  /** Access control has no meaning to the cluster and is kept as it is. */
  readonly acls: XmlElement | undefined;
  /** A resource at any level by its id, with the resource it stands in. */
  readonly resourcesById: ReadonlyMap<string, PlacedResource>;
}

export interface PlacedResource {
  readonly resource: Resource;
  readonly parent: Resource | undefined;
}

/** The typed view of a document's configuration; read once per `configuration` element, section by section as it is asked for. */
export function configurationOf(document: XmlElement): Configuration {
  const source = firstChildNamed(document, 'configuration');
  return source === undefined ? new LazyConfiguration(undefined) : viewOf(source);
}

const viewOf = memoised((source): Configuration => new LazyConfiguration(source));

/** One list of views per section, kept for as long as that very section element lives in any document. */
const propertySetsIn = memoised((section) => nvpairSetsOf(section, 'cluster_property_set'));
const defaultsIn = memoised((section) => nvpairSetsOf(section, 'meta_attributes'));
const nodesIn = memoised((section) => childrenNamed(section, 'node').map(nodeOf));
const resourcesIn = memoised((section) => childElements(section).flatMap((child) => resourceView(child) ?? []));
const templatesIn = memoised((section) => childrenNamed(section, 'template').map(templateOf));
const constraintsIn = memoised((section) => childElements(section).flatMap((child) => constraintView(child) ?? []));
const levelsIn = memoised((section) => childrenNamed(section, 'fencing-level').map(fencingLevelOf));
const tagsIn = memoised((section) => childrenNamed(section, 'tag').map(tagOf));
const alertsIn = memoised((section) => childrenNamed(section, 'alert').map(alertOf));
const indexIn = memoised((section) => indexResources(resourcesIn(section)));
const resourceView = memoised(resourceOf);
const constraintView = memoised(constraintOf);

class LazyConfiguration implements Configuration {
  constructor(readonly source: XmlElement | undefined) {}

  get propertySets(): readonly NvpairSet[] {
    return this.read('crm_config', propertySetsIn) ?? [];
  }

  get nodes(): readonly ConfiguredNode[] {
    return this.read('nodes', nodesIn) ?? [];
  }

  get resources(): readonly Resource[] {
    return this.read('resources', resourcesIn) ?? [];
  }

  get templates(): readonly Template[] {
    return this.read('resources', templatesIn) ?? [];
  }

  get constraints(): readonly Constraint[] {
    return this.read('constraints', constraintsIn) ?? [];
  }

  get resourceDefaults(): readonly NvpairSet[] {
    return this.read('rsc_defaults', defaultsIn) ?? [];
  }

  get operationDefaults(): readonly NvpairSet[] {
    return this.read('op_defaults', defaultsIn) ?? [];
  }

  get fencingLevels(): readonly FencingLevel[] {
    return this.read('fencing-topology', levelsIn) ?? [];
  }

  get tags(): readonly Tag[] {
    return this.read('tags', tagsIn) ?? [];
  }

  get alerts(): readonly Alert[] {
    return this.read('alerts', alertsIn) ?? [];
  }

  get acls(): XmlElement | undefined {
    return this.section('acls');
  }

  get resourcesById(): ReadonlyMap<string, PlacedResource> {
    return this.read('resources', indexIn) ?? new Map();
  }

  private section(name: string): XmlElement | undefined {
    return this.source === undefined ? undefined : firstChildNamed(this.source, name);
  }

  private read<T>(name: string, read: (section: XmlElement) => T): T | undefined {
    const section = this.section(name);
    return section === undefined ? undefined : read(section);
  }
}

/** The resources that stand directly in another. */
export function membersOf(resource: Resource): readonly Resource[] {
  switch (resource.kind) {
    case 'primitive':
      return [];
    case 'group':
      return resource.members;
    case 'clone':
      return resource.child === undefined ? [] : [resource.child];
    case 'bundle':
      return resource.primitive === undefined ? [] : [resource.primitive];
  }
}

function indexResources(resources: readonly Resource[]): ReadonlyMap<string, PlacedResource> {
  const index = new Map<string, PlacedResource>();
  const add = (resource: Resource, parent: Resource | undefined): void => {
    if (!index.has(resource.id)) index.set(resource.id, { resource, parent });
    for (const member of membersOf(resource)) add(member, resource);
  };
  for (const resource of resources) add(resource, undefined);
  return index;
}

function nodeOf(source: XmlElement): ConfiguredNode {
  const { id = '', uname, type, score } = source.attributes;
  return {
    ...entityOf(source),
    kind: 'node',
    name: uname ?? id,
    type: type?.toLowerCase() === 'remote' ? 'remote' : 'member',
    score: parseScore(score) ?? 0,
    attributes: nvpairSetsOf(source, 'instance_attributes'),
    utilization: nvpairSetsOf(source, 'utilization'),
  };
}

function fencingLevelOf(source: XmlElement): FencingLevel {
  const { attributes } = source;
  const index = parseInteger(attributes['index']);
  const attribute = attributes['target-attribute'];
  const pattern = attributes['target-pattern'];
  return {
    ...entityOf(source),
    kind: 'fencing-level',
    index: index !== undefined && index >= 1 && index <= 9 ? index : undefined,
    devices: (attributes['devices'] ?? '')
      .split(',')
      .map((device) => device.trim())
      .filter((device) => device !== ''),
    target:
      attribute !== undefined
        ? { by: 'attribute', name: attribute, value: attributes['target-value'] ?? '' }
        : pattern !== undefined
          ? { by: 'pattern', pattern }
          : { by: 'node', name: attributes['target'] ?? '' },
  };
}

function tagOf(source: XmlElement): Tag {
  const members = childrenNamed(source, 'obj_ref').flatMap(({ attributes }) => attributes['id'] ?? []);
  return { ...entityOf(source), kind: 'tag', members: [...new Set(members)] };
}

function alertOf(source: XmlElement): Alert {
  return {
    ...entityOf(source),
    kind: 'alert',
    path: source.attributes['path'] ?? '',
    meta: nvpairSetsOf(source, 'meta_attributes'),
    parameters: nvpairSetsOf(source, 'instance_attributes'),
    recipients: childrenNamed(source, 'recipient').map((recipient) => ({
      ...entityOf(recipient),
      value: recipient.attributes['value'] ?? '',
      meta: nvpairSetsOf(recipient, 'meta_attributes'),
      parameters: nvpairSetsOf(recipient, 'instance_attributes'),
    })),
  };
}
