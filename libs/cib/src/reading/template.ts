import type { CibIndex } from '../document/cib-index.js';
import { childElements, childrenNamed, element, firstChildNamed } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';

/** Merges a primitive with the template that it names (specification 02 §5.4). Undefined when there is no such template. */
export function expandTemplate(index: CibIndex, primitive: XmlElement): XmlElement | undefined {
  const name = primitive.attributes['template'];
  if (name === undefined) return primitive;
  const { id } = primitive.attributes;
  const resources = index.section('resources');
  const template =
    name === id ? undefined : resources && childrenNamed(resources, 'template').find((candidate) => candidate.attributes['id'] === name);
  if (!template) return undefined;
  const own = firstChildNamed(primitive, 'operations');
  const inherited = firstChildNamed(template, 'operations');
  let children: XmlNode[] = [...childElements(template), ...childElements(primitive)];
  if (own && inherited) {
    const keys = new Set(childrenNamed(own, 'op').map(templateKey));
    const rest = childrenNamed(inherited, 'op').filter((op) => !keys.has(templateKey(op)));
    const merged = element('operations', own.attributes, [...own.children, ...rest]);
    children = children.filter((child) => child !== inherited).map((child) => (child === own ? merged : child));
  }
  return element(primitive.name, { ...template.attributes, ...(id === undefined ? {} : { id }) }, children);
}

/** Operations with equal keys replace one another; the interval isn't part of it. */
function templateKey(op: XmlElement): string {
  const { name = '', role } = op.attributes;
  const plain = role === undefined || /^(started|unpromoted|slave)$/i.test(role);
  return `${name}-${plain ? 'Unknown' : role}`;
}
