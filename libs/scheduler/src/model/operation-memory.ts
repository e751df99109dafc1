import { firstChildNamed, type XmlElement } from '@systole/cib';
import type { CibContext } from './cib-context.js';

/** The meta table of an operation of one interval (specification 02 §11.4). */
export interface OperationMeta {
  /** Milliseconds. */
  readonly interval: number;
  readonly op: XmlElement | undefined;
  readonly meta: ReadonlyMap<string, string>;
}

/** What the digests of an operation are made from (specification 01 §11.1). */
export interface HashedParameters {
  readonly values: ReadonlyMap<string, string>;
  /** The operation has parameters of its own, and does not recur. */
  readonly extra: boolean;
  /** Of all values. */
  readonly digest: string;
  /** Of those of them that a blank-separated list names, by that list, once asked for. */
  readonly ofNames: Map<string, string>;
}

/** The same, as remembered. */
export interface RememberedParameters extends HashedParameters {
  readonly operation: string;
  /** Milliseconds. */
  readonly interval: number;
}

/** What is known of the operations of one resource, or of all instances of one. */
export interface ResourceOperations {
  /** The element of the resource and of those that it stands in, the nearest first: all have a say in what its operations are. */
  readonly layers: readonly XmlElement[];
  readonly parameters: RememberedParameters[];
  /** By the operation's name. */
  readonly metas: Map<string, OperationMeta[]>;
}

/** Of operations of one resource: histories may tell of ever different ones. */
export const MOST_REMEMBERED = 64;

/** Whether the meta table of one more operation of that name is remembered. */
export function hasRoom(operations: ResourceOperations | undefined, name: string): boolean {
  if (!operations) return false;
  const { metas } = operations;
  const named = metas.get(name);
  return named ? named.length < MOST_REMEMBERED : metas.size < MOST_REMEMBERED;
}

/**
 * What a configuration says of its operations, where neither the time nor a node nor the status has a say in it: kept as long as that very `configuration` element,
 * so that a plan after a failure does not work out anew what the hundreds of operations look like that nobody changed.
 */
export class OperationMemory {
  private readonly byElement = new WeakMap<XmlElement, ResourceOperations>();

  /**
   * What is known of the operations of a resource; undefined for the second of two that are made of one element and stand in different ones.
   *
   * @param layers its element and those of what it stands in, the nearest first
   */
  of(layers: readonly XmlElement[]): ResourceOperations | undefined {
    const [element] = layers;
    if (!element) return undefined;
    const known = this.byElement.get(element);
    if (known)
      return known.layers.length === layers.length && known.layers.every((layer, depth) => layer === layers[depth]) ? known : undefined;
    const operations = { layers, parameters: [], metas: new Map<string, OperationMeta[]>() };
    this.byElement.set(element, operations);
    return operations;
  }
}

/** By `configuration`; undefined for one that says nothing lasting. */
const memories = new WeakMap<XmlElement, OperationMemory | undefined>();

/** The sections from which operations are read. */
const SECTIONS = ['crm_config', 'resources', 'op_defaults'] as const;

/** The memory of a document's configuration. Undefined where rules decide what an operation looks like, or it may be read from elsewhere. */
export function operationMemoryOf(cib: CibContext): OperationMemory | undefined {
  // Sections may stand anywhere in a document that asks not to be validated (specification 01 §1.1).
  if (SECTIONS.some((name) => cib.firstNamed(name) !== cib.section(name))) return undefined;
  const configuration = firstChildNamed(cib.document, 'configuration');
  if (configuration === undefined) return undefined;
  if (!memories.has(configuration)) memories.set(configuration, isLasting(configuration) ? new OperationMemory() : undefined);
  return memories.get(configuration);
}

/** No rules, and no references, which may lead into the status (specification 01 §4.3). */
function isLasting(configuration: XmlElement): boolean {
  const sections = SECTIONS.map((name) => firstChildNamed(configuration, name));
  return sections.every((section) => section === undefined || standsAlone(section));
}

function standsAlone({ name, attributes, children }: XmlElement): boolean {
  return name !== 'rule' && attributes['id-ref'] === undefined && children.every((child) => child.kind !== 'element' || standsAlone(child));
}
