import { element, type XmlElement, type XmlNode } from '@systole/cib';
import { cluster, nvpairs, primitive } from './clusters.js';
import { afterEvents, settled } from './states.js';

const OPTIONS = { 'stonith-enabled': 'false' };
const FEW_NODES = 3;

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `primitive${index}`);

function group(count: number): XmlElement {
  return cluster(FEW_NODES, OPTIONS, [element('group', { id: 'group' }, idsOf(count).map(primitive))], []);
}

function chain(count: number, score: string, options: Readonly<Record<string, string>> = OPTIONS): XmlElement {
  const ids = idsOf(count);
  const links = ids
    .slice(1)
    .map((rsc, index) => element('rsc_colocation', { id: `colocation${index}`, rsc, 'with-rsc': `primitive${index}`, score }));
  return cluster(FEW_NODES, options, ids.map(primitive), links);
}

function clone(nodes: number): XmlElement {
  const meta = element('meta_attributes', { id: 'meta' }, nvpairs('meta', { 'clone-max': String(nodes) }));
  return cluster(nodes, OPTIONS, [element('clone', { id: 'clone' }, [meta, primitive('instance')])], []);
}

/** The clone's history on its only node, that many times. */
function repeatedHistory(count: number): XmlElement {
  const repeat = (parent: XmlElement): XmlElement => {
    const children = parent.children.flatMap((child): readonly XmlNode[] => {
      if (child.kind !== 'element') return [child];
      return child.name === 'lrm_resource' ? Array<XmlElement>(count).fill(child) : [repeat(child)];
    });
    return { ...parent, children };
  };
  return repeat(settled(clone(1)));
}

/** Clusters that consist of one thing with so many parts. */
export const shapes: Readonly<Record<string, (count: number) => XmlElement>> = {
  group,
  'group, running': (count) => settled(group(count)),
  'group, its first member failed': (count) => afterEvents(settled(group(count)), { operations: ['primitive0_monitor_10000@node1=1'] }),
  'chain of mandatory colocations': (count) => chain(count, 'INFINITY'),
  'chain of optional colocations': (count) => chain(count, '1000'),
  'chain of colocations, nearly mandatory': (count) => chain(count, '999999'),
  'chain of colocations, balanced': (count) => chain(count, 'INFINITY', { ...OPTIONS, 'placement-strategy': 'balanced' }),
  'clone on as many nodes, running': (count) => settled(clone(count)),
  'histories of one name on one node': repeatedHistory,
};
