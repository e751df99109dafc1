import type { GraphActionKind, Synapse, TransitionGraph } from '@systole/scheduler';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { executeInOrder } from './order-of-execution.js';

interface Step {
  readonly id: number;
  readonly after?: readonly number[];
  readonly priority?: number;
  readonly kind?: GraphActionKind;
}

function graphOf(steps: readonly Step[]): TransitionGraph {
  const synapses = steps.map(({ id, after = [], priority = 0, kind = 'rsc_op' }, place): Synapse => {
    return { id: place, priority, inputs: after, action: { kind, id, operation: 'start', operationKey: `r${id}_start_0`, attributes: {} } };
  });
  return {
    clusterDelay: '60s',
    fencingTimeout: '60s',
    failedStopOffset: 'INFINITY',
    failedStartOffset: 'INFINITY',
    batchLimit: '0',
    synapses,
  };
}

function execute(steps: readonly Step[], failing: readonly number[] = []): { order: number[]; end: string } {
  const order: number[] = [];
  const end = executeInOrder(graphOf(steps), ({ action }) => {
    order.push(action.id);
    return !failing.includes(action.id);
  });
  return { order, end };
}

describe('executeInOrder', () => {
  it('carries out in the same pass what becomes ready further down, and in the next one what became ready further up', () => {
    const steps = [{ id: 5, after: [3] }, { id: 3 }, { id: 4, after: [3] }, { id: 6, after: [5] }];
    expect(execute(steps)).toEqual({ order: [3, 4, 5, 6], end: 'complete' });
  });

  it('is complete at once when there is nothing to do', () => {
    expect(execute([])).toEqual({ order: [], end: 'complete' });
  });

  it('says so when something can never start', () => {
    expect(execute([{ id: 1, after: [2] }, { id: 2, after: [1] }, { id: 3 }])).toEqual({ order: [3], end: 'terminated' });
  });

  it('goes on after a failure with pseudo-actions and with what has the highest priority, and with nothing that waits for what failed', () => {
    const steps: Step[] = [
      { id: 1 },
      { id: 2 },
      { id: 3, kind: 'pseudo_event' },
      { id: 4, after: [1] },
      { id: 5, after: [1], priority: 1_000_000 },
      { id: 6, after: [3], kind: 'pseudo_event' },
    ];
    expect(execute(steps, [1])).toEqual({ order: [1, 3, 5, 6], end: 'complete' });
  });

  it('follows the definition by passes on every graph', () => {
    const graphs = fc
      .array(
        fc.record({ inputs: fc.array(fc.nat(15), { maxLength: 3 }), urgent: fc.boolean(), pseudo: fc.boolean(), fails: fc.boolean() }),
        {
          maxLength: 16,
        },
      )
      .map((list) =>
        list.map(({ inputs, urgent, pseudo, fails }, place) => ({
          id: ((place * 7) % 16) + 1,
          after: [...new Set(inputs.map((input) => (input % list.length) + 1))],
          priority: urgent ? 1_000_000 : 0,
          kind: pseudo ? ('pseudo_event' as const) : ('rsc_op' as const),
          fails: fails && !pseudo,
        })),
      );
    fc.assert(
      fc.property(graphs, (steps) => {
        const failing = steps.filter(({ fails }) => fails).map(({ id }) => id);
        expect(execute(steps, failing)).toEqual(executeByPasses(steps, failing));
      }),
    );
  });
});

/** Specification 08 §8.2, word for word. */
function executeByPasses(steps: readonly Step[], failing: readonly number[]): { order: number[]; end: string } {
  const order: number[] = [];
  const waiting = steps.map(({ after = [] }) => new Set(after));
  const executed = new Set<number>();
  const wasReady = new Set<number>();
  let abort = 0;
  for (let progress = true; progress;) {
    progress = false;
    for (const [place, { id, kind, priority = 0 }] of steps.entries()) {
      if (executed.has(place) || waiting[place]?.size !== 0) continue;
      wasReady.add(place);
      if (kind !== 'pseudo_event' && priority < abort) continue;
      executed.add(place);
      order.push(id);
      progress = true;
      const failed = failing.includes(id);
      if (failed) abort = 1_000_000;
      for (const [other, inputs] of waiting.entries()) if (!failed || steps[other]?.priority === 1_000_000) inputs.delete(id);
    }
  }
  return { order, end: wasReady.size < steps.length && abort === 0 ? 'terminated' : 'complete' };
}
