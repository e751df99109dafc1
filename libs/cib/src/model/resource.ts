import { parseBoolean } from '../scalars/boolean.js';
import { parseInteger } from '../scalars/integer.js';
import { intervalMs } from '../scalars/interval.js';
import { parseRole } from '../scalars/role.js';
import type { Role } from '../scalars/role.js';
import { childElements, childrenNamed, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { entityOf } from './entity.js';
import type { Entity } from './entity.js';
import { nvpairSetsOf } from './nvpair-set.js';
import type { NvpairSet } from './nvpair-set.js';

/** A resource of the configuration; templates apart, which are no resources (specification 02). */
export type Resource = Primitive | Group | Clone | Bundle;

interface ResourceEntity extends Entity {
  readonly description: string | undefined;
  readonly meta: readonly NvpairSet[];
  /** Instance attributes. */
  readonly parameters: readonly NvpairSet[];
}

/** What runs a primitive: `class`, `provider` and `type` in the document. */
export interface Agent {
  readonly standard: string;
  readonly provider: string | undefined;
  readonly type: string;
}

interface AgentEntity extends ResourceEntity {
  readonly agent: Agent | undefined;
  readonly utilization: readonly NvpairSet[];
  readonly operations: readonly Operation[];
  /** Id of the `operations` element that this one's stands for. */
  readonly operationsReference: string | undefined;
}

export interface Primitive extends AgentEntity {
  readonly kind: 'primitive';
  /** Id of its template; the agent is the template's then. */
  readonly template: string | undefined;
}

export interface Template extends AgentEntity {
  readonly kind: 'template';
}

export interface Group extends ResourceEntity {
  readonly kind: 'group';
  readonly members: readonly Primitive[];
}

export interface Clone extends ResourceEntity {
  readonly kind: 'clone';
  readonly child: Primitive | Group | undefined;
}

export interface Bundle extends ResourceEntity {
  readonly kind: 'bundle';
  readonly container: BundleContainer | undefined;
  readonly network: BundleNetwork | undefined;
  readonly storage: readonly StorageMapping[];
  readonly primitive: Primitive | undefined;
}

/** Counts are undefined where the document leaves them to their defaults (specification 02 §8.1). */
export interface BundleContainer {
  readonly technology: 'docker' | 'podman';
  readonly image: string;
  readonly replicas: number | undefined;
  readonly replicasPerHost: number | undefined;
  readonly promotedMax: number | undefined;
  readonly runCommand: string | undefined;
  readonly network: string | undefined;
  readonly options: string | undefined;
  readonly source: XmlElement;
}

export interface BundleNetwork {
  readonly ipRangeStart: string | undefined;
  readonly hostNetmask: string | undefined;
  readonly hostInterface: string | undefined;
  readonly controlPort: string | undefined;
  /** True unless it is said otherwise. */
  readonly addHost: boolean;
  readonly ports: readonly PortMapping[];
  readonly source: XmlElement;
}

export interface PortMapping extends Entity {
  readonly port: string | undefined;
  readonly internalPort: string | undefined;
  readonly range: string | undefined;
}

export interface StorageMapping extends Entity {
  readonly sourceDir: string | undefined;
  /** Root below which every replica has a directory of its own. */
  readonly sourceDirRoot: string | undefined;
  readonly targetDir: string | undefined;
  readonly options: string | undefined;
}

/** An `op`: how an action of a primitive is configured (specification 02 §11). */
export interface Operation extends Entity {
  readonly name: string;
  /** In ms; 0 is not recurring. */
  readonly interval: number;
  /** As written. */
  readonly timeout: string | undefined;
  readonly role: Role | undefined;
  readonly onFail: string | undefined;
  /** False only when it says so. */
  readonly enabled: boolean;
  readonly meta: readonly NvpairSet[];
  readonly parameters: readonly NvpairSet[];
}

/** The view of a resource element; undefined for an element of another kind. */
export function resourceOf(source: XmlElement): Resource | undefined {
  switch (source.name) {
    case 'primitive':
      return primitiveOf(source);
    case 'group':
      return groupOf(source);
    case 'clone':
      return { ...resourceEntityOf(source), kind: 'clone', child: cloneChildOf(source) };
    case 'bundle':
      return bundleOf(source);
    default:
      return undefined;
  }
}

/** The view of a `template` element. */
export function templateOf(source: XmlElement): Template {
  return { ...agentEntityOf(source), kind: 'template' };
}

function resourceEntityOf(source: XmlElement): ResourceEntity {
  return {
    ...entityOf(source),
    description: source.attributes['description'],
    meta: nvpairSetsOf(source, 'meta_attributes'),
    parameters: nvpairSetsOf(source, 'instance_attributes'),
  };
}

function agentEntityOf(source: XmlElement): AgentEntity {
  const { class: standard, provider, type } = source.attributes;
  const operations = firstChildNamed(source, 'operations');
  return {
    ...resourceEntityOf(source),
    agent: standard === undefined || type === undefined ? undefined : { standard, provider, type },
    utilization: nvpairSetsOf(source, 'utilization'),
    operations: operations === undefined ? [] : childrenNamed(operations, 'op').map(operationOf),
    operationsReference: operations?.attributes['id-ref'],
  };
}

function primitiveOf(source: XmlElement): Primitive {
  return { ...agentEntityOf(source), kind: 'primitive', template: source.attributes['template'] };
}

function groupOf(source: XmlElement): Group {
  return { ...resourceEntityOf(source), kind: 'group', members: childrenNamed(source, 'primitive').map(primitiveOf) };
}

function cloneChildOf(source: XmlElement): Primitive | Group | undefined {
  const child = childElements(source).find(({ name }) => name === 'primitive' || name === 'group');
  if (child === undefined) return undefined;
  return child.name === 'group' ? groupOf(child) : primitiveOf(child);
}

function operationOf(source: XmlElement): Operation {
  const { name = '', interval, timeout, role, enabled, 'on-fail': onFail } = source.attributes;
  return {
    ...entityOf(source),
    name,
    interval: intervalMs(interval),
    timeout,
    role: parseRole(role),
    onFail,
    enabled: parseBoolean(enabled) !== false,
    meta: nvpairSetsOf(source, 'meta_attributes'),
    parameters: nvpairSetsOf(source, 'instance_attributes'),
  };
}

function bundleOf(source: XmlElement): Bundle {
  const container = firstChildNamed(source, 'docker') ?? firstChildNamed(source, 'podman');
  const network = firstChildNamed(source, 'network');
  const storage = firstChildNamed(source, 'storage');
  const primitive = firstChildNamed(source, 'primitive');
  return {
    ...resourceEntityOf(source),
    kind: 'bundle',
    container: container === undefined ? undefined : containerOf(container),
    network: network === undefined ? undefined : networkOf(network),
    storage: storage === undefined ? [] : childrenNamed(storage, 'storage-mapping').map(storageMappingOf),
    primitive: primitive === undefined ? undefined : primitiveOf(primitive),
  };
}

function containerOf(source: XmlElement): BundleContainer {
  const { attributes } = source;
  return {
    technology: source.name === 'docker' ? 'docker' : 'podman',
    image: attributes['image'] ?? '',
    replicas: parseInteger(attributes['replicas']),
    replicasPerHost: parseInteger(attributes['replicas-per-host']),
    promotedMax: parseInteger(attributes['promoted-max']),
    runCommand: attributes['run-command'],
    network: attributes['network'],
    options: attributes['options'],
    source,
  };
}

function networkOf(source: XmlElement): BundleNetwork {
  const { attributes } = source;
  return {
    ipRangeStart: attributes['ip-range-start'],
    hostNetmask: attributes['host-netmask'],
    hostInterface: attributes['host-interface'],
    controlPort: attributes['control-port'],
    addHost: parseBoolean(attributes['add-host']) !== false,
    ports: childrenNamed(source, 'port-mapping').map((mapping) => ({
      ...entityOf(mapping),
      port: mapping.attributes['port'],
      internalPort: mapping.attributes['internal-port'],
      range: mapping.attributes['range'],
    })),
    source,
  };
}

function storageMappingOf(source: XmlElement): StorageMapping {
  const { attributes } = source;
  return {
    ...entityOf(source),
    sourceDir: attributes['source-dir'],
    sourceDirRoot: attributes['source-dir-root'],
    targetDir: attributes['target-dir'],
    options: attributes['options'],
  };
}
