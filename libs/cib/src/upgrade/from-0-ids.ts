import { freeIds } from '../edits/free-id.js';
import { xmlId } from '../schema/attribute-types.js';
import { firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import type { UpgradeLog } from './upgrade-log.js';

const RESOURCES = new Set(['primitive', 'group', 'clone', 'master', 'bundle', 'template']);

/** Elements whose ids are ids of their own; those of nodes and references are texts. */
const IDENTIFIED = new Set([
  ...RESOURCES,
  ...['op', 'nvpair', 'cluster_property_set', 'instance_attributes', 'meta_attributes', 'utilization', 'rule', 'expression'],
  ...['date_expression', 'date_spec', 'duration', 'rsc_location', 'rsc_colocation', 'rsc_order', 'resource_set', 'operations'],
]);

/** Attributes that refer to a resource. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  rsc_location: ['rsc'],
  rsc_colocation: ['rsc', 'with-rsc'],
  rsc_order: ['first', 'then'],
  resource_ref: ['id'],
};

/**
 * Ids that are XML ids and unique in the document: in that generation they were texts, unique among elements of one name at most, and missing here and there. Resources keep theirs wherever
 * they can, and what refers to them follows. Two resources of one id stay: which of them is meant nobody but the author knows.
 */
export function upgradeIds(document: XmlElement, log: UpgradeLog): XmlElement {
  const configuration = firstChildNamed(document, 'configuration');
  if (configuration === undefined) return document;
  const ids = new NewIds(document, configuration, log);
  const upgraded = ids.references(ids.element(configuration, configuration.name));
  return { ...document, children: document.children.map((child) => (child === configuration ? upgraded : child)) };
}

class NewIds {
  private readonly free: (wished: string) => string;
  /** Ids that elements keep. */
  private readonly kept = new Set<string>();
  /** The same by what the element is, as `id-ref` asks. */
  private readonly keptByKind = new Set<string>();
  /** New ids of resources, and of what `id-ref` may refer to, by the element's name (`''` for resources) and the old id. */
  private readonly renamed = new Map<string, string>();

  constructor(
    document: XmlElement,
    configuration: XmlElement,
    private readonly log: UpgradeLog,
  ) {
    this.free = freeIds(document);
    this.keepResources(configuration);
  }

  private keepResources(parent: XmlElement): void {
    for (const child of parent.children) {
      if (child.kind === 'comment') continue;
      const { id } = child.attributes;
      if (RESOURCES.has(child.name) && id !== undefined && xmlId(id) === undefined) this.kept.add(id.trim());
      this.keepResources(child);
    }
  }

  /** @param owner the id of the nearest element around it that has one, or its name */
  element(current: XmlElement, owner: string): XmlElement {
    const named = IDENTIFIED.has(current.name) ? this.identified(current, owner) : current;
    const inner = named.attributes['id'] ?? owner;
    const children = named.children.map((child): XmlNode => (child.kind === 'comment' ? child : this.element(child, inner)));
    return children.every((child, index) => child === named.children[index]) ? named : { ...named, children };
  }

  private identified(current: XmlElement, owner: string): XmlElement {
    const { id, 'id-ref': reference } = current.attributes;
    const isResource = RESOURCES.has(current.name);
    if (id === undefined || id.trim() === '') {
      const needsNone = isResource || reference !== undefined || current.name === 'operations';
      return needsNone ? current : this.withId(current, owner);
    }
    const wrong = xmlId(id);
    const key = keyOf(isResource ? '' : current.name, id);
    if (wrong === undefined && (isResource || !this.kept.has(id.trim()))) {
      this.kept.add(id.trim());
      this.keptByKind.add(key);
      return current;
    }
    const made = this.free(id.trim());
    if (!this.renamed.has(key)) this.renamed.set(key, made);
    this.log.rewritten(
      current,
      wrong === undefined ? `the id "${id}" is "${made}" now: another element has it` : `the id "${id}" is "${made}" now: it was no XML id`,
    );
    return { ...current, attributes: { ...current.attributes, id: made } };
  }

  private withId(current: XmlElement, owner: string): XmlElement {
    const { name = current.name, interval } = current.attributes;
    const made = this.free([owner, name, ...(current.name === 'op' && interval !== undefined ? [interval] : [])].join('-'));
    this.log.rewritten(current, `it had no id, and has "${made}" now`);
    return { ...current, attributes: { id: made, ...withoutId(current.attributes) } };
  }

  /** What referred to the old ids refers to the new ones. */
  references(current: XmlElement): XmlElement {
    let upgraded = current;
    for (const name of Object.hasOwn(REFERENCES, current.name) ? (REFERENCES[current.name] ?? []) : []) {
      upgraded = this.follow(upgraded, name, '');
    }
    if (current.attributes['id-ref'] !== undefined) upgraded = this.follow(upgraded, 'id-ref', current.name);
    const children = upgraded.children.map((child): XmlNode => (child.kind === 'comment' ? child : this.references(child)));
    return children.every((child, index) => child === upgraded.children[index]) ? upgraded : { ...upgraded, children };
  }

  private follow(current: XmlElement, attribute: string, kind: string): XmlElement {
    const id = current.attributes[attribute];
    const key = keyOf(kind, id ?? '');
    const made = this.renamed.get(key);
    // Of two elements of one id a reference means the first, which keeps it if it can.
    if (id === undefined || made === undefined || this.keptByKind.has(key)) return current;
    this.log.rewritten(current, `${attribute}="${id}" is "${made}" now, as what it refers to`);
    return withAttributes(current, { [attribute]: made });
  }
}

function keyOf(kind: string, id: string): string {
  return JSON.stringify([kind, id.trim()]);
}

function withoutId(attributes: XmlElement['attributes']): XmlElement['attributes'] {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'id'));
}
