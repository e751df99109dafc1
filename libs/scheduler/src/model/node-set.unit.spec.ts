import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClusterNode } from './node.js';
import { NodeSet } from './node-set.js';

const nodes = Array.from({ length: 100 }, (_, index) => new ClusterNode(index, String(index), `n${index}`, false, 0));
const some = fc.uniqueArray(fc.constantFrom(...nodes));
const setOf = (members: readonly ClusterNode[]): NodeSet => {
  const set = new NodeSet();
  for (const node of members) set.add(node);
  return set;
};

describe('a set of nodes', () => {
  it('has what was added, alone or with all of another set', () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        const set = setOf(a);
        set.addAll(setOf(b));
        const members = new Set([...a, ...b]);
        expect(nodes.filter((node) => set.has(node))).toEqual(nodes.filter((node) => members.has(node)));
        expect(set.size).toBe(members.size);
      }),
    );
  });
});
