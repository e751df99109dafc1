import { serializeXml } from '@systole/cib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../commands/decide-configuration.js';
import { append, execute } from '../testing/stream.js';
import { nodeAttributesOf } from './node-attributes.js';
import { initialState, type ClusterState } from './cluster-state.js';

/** Ids of nodes and names of attributes that are put together to the ids of sets and pairs. */
const PARTS = ['1', 'web', 'foo', 'web-1', '1-foo', 'foo-2', 'a.b', 'a#b', 'nodes-1'];

function clusterOf(nodes: readonly string[], resource: string): ClusterState {
  const cib =
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes>' +
    nodes.map((id, index) => `<node id="${id}" uname="n${String(index)}"/>`).join('') +
    `</nodes><resources><primitive id="${resource}" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration></cib>`;
  return execute(initialState(), { type: 'create-cluster', name: 'c', cib });
}

const set = (state: ClusterState, node: string, name: string, value = 'x'): ClusterState =>
  execute(state, { type: 'set-node-attribute', node, name, value, lifetime: 'forever' });
const problemsOf = (state: ClusterState): readonly string[] => {
  const reading = readConfiguration(serializeXml(state.cib));
  return reading.ok ? [] : reading.issues.map(({ message }) => message);
};

describe('the ids of permanent attributes', () => {
  it('are of no other node', () => {
    const pairFirst = set(set(clusterOf(['web', 'web-1'], 'r'), 'n0', '1'), 'n1', 'standby');
    const setFirst = set(set(clusterOf(['web', 'web-1'], 'r'), 'n1', 'standby'), 'n0', '1');
    for (const state of [pairFirst, setFirst]) expect(problemsOf(state)).toEqual([]);
  });

  it('are of nothing else', () => {
    expect(problemsOf(set(clusterOf(['1'], 'nodes-1'), 'n0', 'a'))).toEqual([]);
    expect(problemsOf(set(clusterOf(['1'], 'nodes-1-a'), 'n0', 'a'))).toEqual([]);
  });

  it('are each only once in the document, whatever nodes, names and order', () => {
    const change = fc.record({ node: fc.nat({ max: 2 }), name: fc.constantFrom(...PARTS), clear: fc.boolean() });
    const ids = fc.uniqueArray(fc.constantFrom(...PARTS), { minLength: 3, maxLength: 3 });
    const resource = fc.constantFrom('r', 'nodes-1', 'nodes-1-foo', 'nodes-web', 'nodes-web-1', 'nodes-web-1-2');
    fc.assert(
      fc.property(ids, resource, fc.array(change, { maxLength: 12 }), (nodes, id, changes) => {
        const expected = new Map<string, string>();
        const state = changes.reduce(
          (before, { node, name, clear }, index) => {
            const of = { node: `n${String(node)}`, name, lifetime: 'forever' } as const;
            const value = String(index);
            if (clear) expected.delete(`${of.node} ${name}`);
            else expected.set(`${of.node} ${name}`, value);
            return execute(before, clear ? { type: 'clear-node-attribute', ...of } : { type: 'set-node-attribute', ...of, value });
          },
          clusterOf(nodes, id),
        );
        expect(problemsOf(state)).toEqual([]);
        for (const [key, value] of expected) {
          const [node = '', name = ''] = key.split(' ');
          expect(nodeAttributesOf(state, node, 0).get(name)).toBe(value);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('stay in older logs what they were: later changes name them', () => {
    const data = { lifetime: 'forever', value: 'x' } as const;
    const state = append(
      clusterOf(['web', 'web-1'], 'r'),
      { type: 'NodeAttributeSet', data: { ...data, node: 'n0', name: '1' } },
      { type: 'NodeAttributeSet', data: { ...data, node: 'n1', name: 'standby' } },
    );
    expect(problemsOf(state)).toHaveLength(1);
  });
});
