import { descendants } from '../document/cib-index.js';
import { childElements } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { rewriteChildren, withAttributes } from '../xml/rewrite.js';
import { isUnsupportedClass } from './from-3-legacy.js';
import type { UpgradeLog } from './upgrade-log.js';

/** A path that matches nothing: what permissions on removed elements now refer to. */
const MATCHES_NOTHING = '/*[false()]';

/**
 * Removes resources of standards that are gone, what is left empty by that, and what names them (specification 01 §2.5). Their status
 * entries stay: they are history of removed resources.
 */
export function dropUnsupportedResources(document: XmlElement, log: UpgradeLog): XmlElement {
  const templates = unsupportedTemplates(document);
  const dropped = new Set<string>();
  const drop = (resource: XmlElement, text: string): readonly [] => {
    for (const { attributes } of descendants(resource)) if (attributes['id'] !== undefined) dropped.add(attributes['id']);
    log.droppedWhole(resource, text);
    return [];
  };
  const remaining = rewriteChildren(document, (current, ancestors) => {
    if (!ancestors.includes('resources')) return current;
    const { class: standard, template } = current.attributes;
    switch (current.name) {
      case 'template':
      case 'primitive': {
        const gone = isUnsupportedClass(standard) ? standard : template === undefined ? undefined : templates.get(template);
        if (gone === undefined) return current;
        return drop(current, `${gone} resources are no longer supported`);
      }
      case 'bundle':
        return childElements(current).some(({ name }) => name === 'rkt') ? drop(current, 'rkt bundles are no longer supported') : current;
      case 'group':
      case 'clone':
        return childElements(current).some(({ name }) => name === 'primitive' || name === 'group')
          ? current
          : drop(current, 'nothing would be in it');
      default:
        return current;
    }
  });
  return dropped.size === 0 ? document : withoutReferences(remaining, dropped, log);
}

function unsupportedTemplates(document: XmlElement): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, attributes } of descendants(document)) {
    const { id, class: standard } = attributes;
    if (name === 'template' && id !== undefined && standard !== undefined && isUnsupportedClass(standard)) found.set(id, standard);
  }
  return found;
}

const RESOURCE_ATTRIBUTES = ['rsc', 'with-rsc', 'first', 'then'];

function withoutReferences(document: XmlElement, dropped: ReadonlySet<string>, log: UpgradeLog): XmlElement {
  const isDropped = (id: string | undefined): boolean => id !== undefined && dropped.has(id);
  const leave = (element: XmlElement): readonly [] => {
    log.droppedWhole(element, 'it refers to what was left out');
    return [];
  };
  return rewriteChildren(document, (current, ancestors) => {
    const parent = ancestors.at(-1) ?? '';
    if (current.name === 'resource_ref' && isDropped(current.attributes['id'])) return leave(current);
    if (current.name === 'resource_set' && parent.startsWith('rsc_')) {
      return current.attributes['id-ref'] === undefined && childElements(current).length === 0 ? leave(current) : current;
    }
    if (current.name === 'acl_permission' && isDropped(current.attributes['reference'])) {
      log.rewritten(current, 'what it refers to was left out: it matches nothing now');
      return withAttributes(current, { reference: undefined, xpath: MATCHES_NOTHING });
    }
    if (parent !== 'constraints') return current;
    if (RESOURCE_ATTRIBUTES.some((name) => isDropped(current.attributes[name]))) return leave(current);
    const named = [...RESOURCE_ATTRIBUTES, 'rsc-pattern'].some((name) => current.attributes[name] !== undefined);
    const sets = childElements(current).filter(({ name }) => name === 'resource_set');
    return named || sets.length > 0 ? current : leave(current);
  });
}
