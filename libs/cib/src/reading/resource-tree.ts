import type { CibEvaluation } from '../document/cib-evaluation.js';
import { descendants } from '../document/cib-index.js';
import { perPart } from '../document/per-part.js';
import type { ResourceAgent } from '../rules/rule-input.js';
import { childElements, childrenNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { fillMetaAttributes } from './meta-attributes.js';
import { operationsOf } from './operations.js';
import { expandTemplate } from './template.js';

/** A resource as configured, not multiplied into instances or replicas. */
export interface ConfiguredResource {
  readonly kind: 'primitive' | 'group' | 'clone' | 'bundle';
  readonly id: string;
  /** With what it has from its template. */
  readonly element: XmlElement;
  /** The resource that it stands in. */
  readonly parent: ConfiguredResource | undefined;
  /** The complete table of its meta-attributes. */
  readonly meta: ReadonlyMap<string, string>;
  readonly operations: readonly XmlElement[];
}

/** Every resource of the configuration, parents before their members, in document order; what can't be used is left out (specification 02 §2). */
export function readResources(evaluation: CibEvaluation): readonly ConfiguredResource[] {
  const section = evaluation.index.section('resources');
  const defaults = evaluation.index.firstNamed('rsc_defaults');
  const isKept = defaults === undefined || standsAlone(defaults);
  const found: ConfiguredResource[] = [];
  for (const child of section === undefined ? [] : childElements(section)) {
    // One by one: as arguments of a call they could be too many.
    for (const resource of isKept && standsAlone(child) ? keptBelow(evaluation, child, defaults) : readBelow(evaluation, child))
      found.push(resource);
  }
  return found;
}

function readBelow(evaluation: CibEvaluation, child: XmlElement): readonly ConfiguredResource[] {
  const found: ConfiguredResource[] = [];
  const read = (written: XmlElement, parent: ConfiguredResource | undefined): void => {
    const resource = readResource(evaluation, written, parent);
    if (resource === undefined) return;
    found.push(resource);
    for (const member of memberElements(resource)) read(member, resource);
  };
  read(child, undefined);
  return found;
}

interface Kept {
  readonly defaults: XmlElement | undefined;
  readonly resources: readonly ConfiguredResource[];
}

/** By the child of the section: after an edit of one of thousands only that one is read anew. */
const kept = new WeakMap<XmlElement, Kept>();

function keptBelow(evaluation: CibEvaluation, child: XmlElement, defaults: XmlElement | undefined): readonly ConfiguredResource[] {
  const known = kept.get(child);
  if (known !== undefined && known.defaults === defaults) return known.resources;
  const resources = readBelow(evaluation, child);
  kept.set(child, { defaults, resources });
  return resources;
}

/** Whether what is said here depends on nothing else in the document, nor on the time: it has no references, templates and rules, and no scores, which may be words for the health of nodes. */
const standsAlone = perPart((part) => {
  for (const { name, attributes } of descendants(part)) {
    if (name === 'rule' || attributes['id-ref'] !== undefined || attributes['template'] !== undefined) return false;
    if (name.endsWith('_attributes') && attributes['score'] !== undefined) return false;
  }
  return true;
});

function readResource(
  evaluation: CibEvaluation,
  written: XmlElement,
  parent: ConfiguredResource | undefined,
): ConfiguredResource | undefined {
  const { id } = written.attributes;
  const kind = kindOf(written.name);
  const element = kind === 'primitive' ? expandTemplate(evaluation.index, written) : written;
  if (id === undefined || kind === undefined || element === undefined) return undefined;
  const meta = new Map<string, string>();
  const ancestors = layersOf(parent);
  fillMetaAttributes(
    evaluation,
    { element, id, instance: undefined, ancestors, parentMeta: parent?.meta },
    { resource: kind === 'primitive' ? agentOf(element.attributes) : {} },
    meta,
  );
  return { kind, id, element, parent, meta, operations: operationsOf(evaluation.index, element) };
}

function kindOf(name: string): ConfiguredResource['kind'] | undefined {
  return name === 'primitive' || name === 'group' || name === 'clone' || name === 'bundle' ? name : undefined;
}

function memberElements({ kind, element }: ConfiguredResource): readonly XmlElement[] {
  switch (kind) {
    case 'primitive':
      return [];
    case 'group':
      return childrenNamed(element, 'primitive');
    case 'clone':
      return childElements(element)
        .filter(({ name }) => name === 'primitive' || name === 'group')
        .slice(0, 1);
    case 'bundle':
      return childrenNamed(element, 'primitive').slice(0, 1);
  }
}

/** How an element, or an action, names the agent of its resource. */
interface AgentAttributes {
  readonly class?: string | undefined;
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
}

/** The agent of a resource, as rules compare it. */
export function agentOf({ class: standard, provider, type }: AgentAttributes): ResourceAgent {
  return { standard, provider, type };
}

/** The element of a resource and of those that it stands in, the nearest first. */
export function* layersOf(resource: ConfiguredResource | undefined): Generator<XmlElement, void, undefined> {
  for (let at = resource; at !== undefined; at = at.parent) yield at.element;
}

/** The clone that a resource stands in, itself or with its group. */
export function cloneOf(resource: ConfiguredResource): ConfiguredResource | undefined {
  for (let at = resource.parent; at !== undefined; at = at.parent) if (at.kind === 'clone') return at;
  return undefined;
}
