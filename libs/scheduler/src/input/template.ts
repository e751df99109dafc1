import { childElements, childrenNamed, element, firstChildNamed, type XmlElement, type XmlNode } from '@systole/cib';
import type { Cluster } from '../model/cluster.js';

/**
 * Merges a resource element with the template it names (specification 02 §5.4). Undefined when the template can't be used.
 */
export function expandTemplate(cluster: Cluster, resource: XmlElement): XmlElement | undefined {
  const name = resource.attributes['template'];
  if (name === undefined) return resource;
  const { id } = resource.attributes;
  const resources = cluster.cib.section('resources');
  const template =
    name === id ? undefined : resources && childrenNamed(resources, 'template').find((candidate) => candidate.attributes['id'] === name);
  if (!template) {
    cluster.error(`Ignoring resource ${id ?? ''}: there is no template "${name}"`);
    return undefined;
  }
  const own = firstChildNamed(resource, 'operations');
  const inherited = firstChildNamed(template, 'operations');
  let children: XmlNode[] = [...childElements(template), ...childElements(resource)];
  if (own && inherited) {
    const keys = new Set(childrenNamed(own, 'op').map(templateKey));
    const rest = childrenNamed(inherited, 'op').filter((op) => !keys.has(templateKey(op)));
    const merged = element('operations', own.attributes, [...own.children, ...rest]);
    children = children.filter((child) => child !== inherited).map((child) => (child === own ? merged : child));
  }
  return element(resource.name, { ...template.attributes, ...(id === undefined ? {} : { id }) }, children);
}

/** Operations with equal keys replace one another; the interval isn't part of it. */
function templateKey(op: XmlElement): string {
  const { name = '', role } = op.attributes;
  const plain = role === undefined || /^(started|unpromoted|slave)$/i.test(role);
  return `${name}-${plain ? 'Unknown' : role}`;
}
