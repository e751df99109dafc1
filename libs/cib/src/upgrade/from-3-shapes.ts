import { element } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { rewriteChildren, withAttributes, withRenamedAttribute } from '../xml/rewrite.js';
import { UPGRADE_3_PREFIX } from './from-3-legacy.js';
import type { UpgradeLog } from './upgrade-log.js';

/** Elements that changed their form: clones, bundles, fencing levels, dates and ping nodes (specification 01 §2.5). */
export function upgradeShapes(document: XmlElement, log: UpgradeLog): XmlElement {
  const pingNodes: string[] = [];
  const upgraded = rewriteChildren(document, (current, ancestors) => {
    switch (current.name) {
      case 'master':
        return asPromotableClone(current, log);
      case 'docker':
      case 'podman':
        if (current.attributes['masters'] !== undefined) log.rewritten(current, 'masters is promoted-max now');
        return withRenamedAttribute(current, 'masters', 'promoted-max');
      case 'fencing-level':
        if (!(Number(current.attributes['index']) > 9)) return current;
        log.dropped(current, `the level of index ${current.attributes['index'] ?? ''} is left out: 9 is the highest`);
        return [];
      case 'date_spec':
        if (current.attributes['moon'] !== undefined)
          log.dropped(current, `moon="${current.attributes['moon']}": the moon's phase counts no more`);
        return withAttributes(current, { moon: undefined });
      case 'node':
        if (ancestors.at(-1) !== 'nodes' || current.attributes['type'] !== 'ping') return current;
        log.rewritten(current, 'type "ping" is "member" now, and a constraint keeps all resources away from it');
        pingNodes.push(current.attributes['uname'] ?? current.attributes['id'] ?? '');
        return withAttributes(current, { type: 'member' });
      default:
        return current;
    }
  });
  return withPingBans(upgraded, pingNodes);
}

/** `promotable=true` in a set of the highest score overrides what the user may have said to the contrary. */
function asPromotableClone(master: XmlElement, log: UpgradeLog): XmlElement {
  log.rewritten(master, '<master> is <clone> now, with promotable="true"');
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
