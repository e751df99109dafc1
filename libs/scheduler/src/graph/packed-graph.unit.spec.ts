import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packGraph, unpackGraph } from './packed-graph.js';
import type { GraphAction, Synapse, TransitionGraph } from './transition-graph.js';

const word = fc.constantFrom('web', 'db:0', 'n1', 'start', 'é€😀"\\');
const attributes = fc.dictionary(fc.constantFrom('CRM_meta_timeout', 'CRM_meta_on_node', 'ip', 'Ä'), word, { noNullPrototype: true });
const number = fc.nat(1_000_000);

function anyOf<Value extends object>(model: { [Name in keyof Value]-?: fc.Arbitrary<Value[Name]> }, required: (keyof Value)[]) {
  return fc.record<Value, keyof Value>(model, { requiredKeys: required, noNullPrototype: true }) as unknown as fc.Arbitrary<Value>;
}

const action: fc.Arbitrary<GraphAction> = anyOf<GraphAction>(
  {
    kind: fc.constantFrom('rsc_op' as const, 'pseudo_event' as const, 'crm_event' as const),
    id: number,
    operation: word,
    operationKey: word,
    attributes,
    internalOperationKey: word,
    mode: fc.constant('cib' as const),
    node: fc.record({ id: word, name: word }, { noNullPrototype: true }),
    shutdownLock: number,
    primitive: fc.record({ id: word, class: word, type: word }, { noNullPrototype: true }),
    params: fc.array(fc.record({ name: word, value: word }, { noNullPrototype: true }), { maxLength: 2 }),
    downed: fc.array(word, { maxLength: 2 }),
    maintenance: fc.array(fc.record({ nodeId: word, inMaintenance: fc.boolean() }, { noNullPrototype: true }), { maxLength: 2 }),
  },
  ['kind', 'id', 'operation', 'operationKey', 'attributes'],
);

const graph: fc.Arbitrary<TransitionGraph> = fc
  .array(fc.record({ priority: number, action, inputs: fc.array(number, { maxLength: 3 }) }), { maxLength: 20 })
  .map((synapses) => ({
    clusterDelay: '60s',
    fencingTimeout: '60s',
    failedStopOffset: 'INFINITY',
    failedStartOffset: '1',
    batchLimit: '0',
    recheckBy: 17,
    synapses: synapses.map((synapse, id): Synapse => ({ id, ...synapse })),
  }));

function unpacked(packed: ReturnType<typeof packGraph>): TransitionGraph {
  const steps = unpackGraph(packed);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

describe('a packed graph', () => {
  it('is the same graph when it is unpacked, also on the other side of a thread', () => {
    fc.assert(
      fc.property(graph, (one) => {
        expect(unpacked(structuredClone(packGraph(one)))).toEqual(one);
      }),
    );
  });

  it('holds what actions have in common once', () => {
    const synapses = Array.from({ length: 2_000 }, (_, id): Synapse => {
      const node = `node${id % 3}`;
      const at = { node: { id: node, name: node }, attributes: { CRM_meta_on_node: node, CRM_meta_timeout: '20000' } };
      const shown: GraphAction = { kind: 'rsc_op', id: id + 1, operation: 'monitor', operationKey: `r${id}_monitor_0`, ...at };
      return { id, priority: 0, inputs: [], action: shown };
    });
    const one: TransitionGraph = {
      clusterDelay: '60s',
      fencingTimeout: '60s',
      failedStopOffset: 'INFINITY',
      failedStartOffset: '1',
      batchLimit: '0',
      synapses,
    };
    const packed = packGraph(one);
    expect([packed.nodes.length, packed.attributes.length, packed.operations.length]).toEqual([3, 3, 1]);
    const [first, , , fourth] = unpacked(packed).synapses;
    expect(first?.action.attributes).toBe(fourth?.action.attributes);
  });
});
