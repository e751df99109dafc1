import { childElements } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import { hasOwnId, referencesIn } from './references.js';

/** An element by another id, and whatever refers to it by that one. Shares what stays as it is. @param from of an element that others refer to; ids are unique */
export function withIdRenamed(configuration: XmlElement, from: string, to: string): XmlElement {
  return rewritten(configuration, (element) => {
    const own = hasOwnId(element) && element.attributes['id']?.trim() === from ? { id: to } : {};
    const referring = referencesIn(element).filter((reference) => reference.to === from);
    const attributes = referring.map(
      ({ attribute }) => [attribute, withNameReplaced(element.attributes[attribute] ?? '', from, to)] as const,
    );
    return { ...own, ...Object.fromEntries(attributes) };
  });
}

/** Attributes of elements that name a node. In rules it is the value that `#uname` is compared with. */
const NODE_NAMES: Readonly<Record<string, readonly string[]>> = { rsc_location: ['node'], 'fencing-level': ['target'] };

/**
 * Whatever names a node, by another name: constraints, fencing levels, rules, and lists of nodes in parameters of fence devices (`pcmk_host_list`, `pcmk_host_map`). Not the entry of the node itself.
 * Patterns (`target-pattern`) stay as they are, and so do texts of which nobody knows that they name a node.
 */
export function withNodeRenamed(configuration: XmlElement, from: string, to: string): XmlElement {
  return rewritten(configuration, ({ name, attributes }) => {
    const named = (NODE_NAMES[name] ?? []).filter((attribute) => attributes[attribute] === from);
    const direct = Object.fromEntries(named.map((attribute) => [attribute, to]));
    const { attribute, value, name: pair } = attributes;
    if (name === 'expression' && attribute === '#uname' && value === from) return { value: to };
    if (name !== 'nvpair' || value === undefined) return direct;
    if (pair === 'pcmk_host_list') return { value: withNameReplaced(value, from, to) };
    if (pair === 'pcmk_host_map')
      return { value: value.replace(MAPPED, (text, node: string) => (node === from ? `${to}${text.slice(node.length)}` : text)) };
    return direct;
  });
}

/** An entry of `pcmk_host_map`: a name, and what the device calls it. */
const MAPPED = /([^\s;,:=]+)(?=[:=])/g;

/** A name in a list that is separated by blanks, commas or semicolons; also a list of one. */
function withNameReplaced(list: string, from: string, to: string): string {
  return list
    .split(/([\s,;]+)/)
    .map((part) => (part === from ? to : part))
    .join('');
}

/** @param changed attributes of an element that are others, or the same again */
function rewritten(element: XmlElement, changed: (element: XmlElement) => Readonly<Record<string, string>>): XmlElement {
  const children = element.children.map((child) => (child.kind === 'element' ? rewritten(child, changed) : child));
  const same = children.every((child, index) => child === element.children[index]);
  const attributes = Object.entries(changed(element)).filter(([name, value]) => element.attributes[name] !== value);
  const next = same ? element : { ...element, children };
  return attributes.length === 0 ? next : withAttributes(next, Object.fromEntries(attributes));
}

/** Whether anything in a configuration is called by an id already. */
export function isIdTaken(configuration: XmlElement, id: string): boolean {
  return (
    (hasOwnId(configuration) && configuration.attributes['id']?.trim() === id) ||
    childElements(configuration).some((child) => isIdTaken(child, id))
  );
}
