import { element } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { rewriteChildren, withAttributes, withRenamedAttribute } from '../xml/rewrite.js';
import { UPGRADE_3_PREFIX } from './from-3-legacy.js';

/** Elements that changed their form: clones, bundles, fencing levels, dates and ping nodes (specification 01 §2.5). */
export function upgradeShapes(document: XmlElement): XmlElement {
  const pingNodes: string[] = [];
  const upgraded = rewriteChildren(document, (current, ancestors) => {
    switch (current.name) {
      case 'master':
        return asPromotableClone(current);
      case 'docker':
      case 'podman':
        return withRenamedAttribute(current, 'masters', 'promoted-max');
      case 'fencing-level':
        return Number(current.attributes['index']) > 9 ? [] : current;
      case 'date_spec':
        return withAttributes(current, { moon: undefined });
      case 'node':
        if (ancestors.at(-1) !== 'nodes' || current.attributes['type'] !== 'ping') return current;
        pingNodes.push(current.attributes['uname'] ?? current.attributes['id'] ?? '');
        return withAttributes(current, { type: 'member' });
      default:
        return current;
    }
  });
  return withPingBans(upgraded, pingNodes);
}

/** `promotable=true` in a set of the highest score overrides what the user may have said to the contrary. */
function asPromotableClone(master: XmlElement): XmlElement {
  const id = `${UPGRADE_3_PREFIX}${master.attributes['id'] ?? ''}-promotable`;
  const pair = element('nvpair', { id: `${id}-value`, name: 'promotable', value: 'true' });
  return { ...master, name: 'clone', children: [element('meta_attributes', { id, score: 'INFINITY' }, [pair]), ...master.children] };
}

/** Ping nodes ran nothing; as members they are told not to. */
function withPingBans(document: XmlElement, nodes: readonly string[]): XmlElement {
  if (nodes.length === 0) return document;
  const bans = nodes.map((node) =>
    element('rsc_location', {
      id: `${UPGRADE_3_PREFIX}ping-${node.replace(/[^\w.-]/g, '.')}`,
      'rsc-pattern': '.*',
      node,
      score: '-INFINITY',
      'resource-discovery': 'never',
    }),
  );
  return rewriteChildren(document, (current) => {
    if (current.name === 'constraints') return { ...current, children: [...current.children, ...bans] };
    if (current.name !== 'configuration' || current.children.some((child) => child.kind === 'element' && child.name === 'constraints')) {
      return current;
    }
    return { ...current, children: [...current.children, element('constraints', {}, bans)] };
  });
}
