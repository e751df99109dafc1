import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttributeDelay, ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import { execute, option, planned, threeNodes } from '../testing/stream.js';
import type { ClusterState } from './cluster-state.js';
import { heldAttributes } from './dampening.js';
import { transientByNode } from './transient-by-node.js';
import { nodeStateOf, transientAttribute } from './node-state.js';

const MOVED_BY_PINGD = `<rsc_location id="near" rsc="web"><rule id="near-r" score="-1"><expression id="near-e" attribute="pingd" operation="lt" value="1"/></rule></rsc_location>`;
const cluster = threeNodes({
  resources: '<primitive id="web" class="ocf" provider="systole" type="Dummy"/>',
  options: option('stonith-enabled', 'false'),
  constraints: MOVED_BY_PINGD,
});

const delay = (ms: number, sets: AttributeDelay['sets'] = 'also'): { readonly delay: AttributeDelay } => ({ delay: { ms, sets } });
const set = (node: string, value: string, more: object = {}): ClusterCommand => ({
  type: 'set-node-attribute',
  node,
  name: 'pingd',
  value,
  lifetime: 'reboot',
  agent: node,
  ...more,
});
const clear = (node: string): ClusterCommand => ({ type: 'clear-node-attribute', node, name: 'pingd', lifetime: 'reboot', agent: node });
const WRITE: ClusterCommand = { type: 'write-held-attributes', names: ['pingd'] };

const written = (state: ClusterState): (string | undefined)[] =>
  Object.values(state.nodes).map((member) => transientAttribute(nodeStateOf(state.cib, member), 'pingd'));
const newest = (state: ClusterState): string[] => transientByNode(state, { name: 'pingd' }).map(({ node, value }) => `${node}=${value}`);
const typesOf = (command: ClusterCommand, state: ClusterState): string[] => {
  const decision = decide(command, state);
  return decision.ok ? decision.events.map(({ type }) => type) : [decision.rejection.code];
};
/** As if all that is dated had happened so long ago. */
const dueIn = (state: ClusterState, agoMs: number): number[] => heldAttributes(state, () => agoMs).map(({ inMs }) => inMs);

describe('a dampened attribute', () => {
  const three = execute(cluster, set('n1', '0', delay(10_000)), set('n2', '0'), set('n3', '0'));

  it('is not written, and plans nothing, before its delay is over; whoever asks for it knows it at once', () => {
    expect(written(three)).toEqual([undefined, undefined, undefined]);
    expect(three.recompute).toEqual(cluster.recompute);
    expect(newest(three)).toEqual(['n1=0', 'n2=0', 'n3=0']);
    expect(dueIn(three, 0)).toEqual([10_000]);
    expect(dueIn(three, 10_001)).toEqual([-1]);
  });

  it('is written for all nodes together, and then waits for nothing', () => {
    expect(typesOf(WRITE, three)).toEqual(['NodeAttributeSet', 'NodeAttributeSet', 'NodeAttributeSet']);
    const after = execute(three, WRITE);
    expect(written(after)).toEqual(['0', '0', '0']);
    expect(execute(planned(three), WRITE).transition).toMatchObject({ status: 'aborting', abortReason: 'attribute pingd of n1 changed' });
    expect(planned(three).transition?.status).toBe('running');
    expect(execute(planned(cluster), set('n1', '0', delay(9))).transition?.status).toBe('running');
    expect(heldAttributes(after, () => 0)).toEqual([]);
    expect(typesOf(WRITE, after)).toEqual([]);
    expect(typesOf(set('n2', '1'), after)).toEqual(['NodeAttributeHeld']);
  });

  it('waits from its newest change on, on whatever node', () => {
    const { since: before } = three.dampened?.['pingd']?.held ?? {};
    const { since: after, version } = execute(three, set('n2', '5')).dampened?.['pingd']?.held ?? {};
    expect(Date.parse(after ?? '')).toBeGreaterThan(Date.parse(before ?? ''));
    expect(version).toBe(three.version + 1);
  });

  it('that comes back to what is written before that waits for nothing any more', () => {
    const down = execute(execute(three, WRITE), set('n1', '1'));
    expect(dueIn(down, 0)).toEqual([10_000]);
    const back = execute(down, set('n1', '0'));
    expect(dueIn(back, 0)).toEqual([]);
    expect(written(back)).toEqual(['0', '0', '0']);
  });

  it('is no event where nothing changes', () => {
    expect(typesOf(set('n1', '0'), three)).toEqual([]);
    expect(typesOf(set('n1', '0', delay(10_000)), three)).toEqual([]);
  });

  it('is cleared with its delay, too', () => {
    const cleared = execute(execute(three, WRITE), clear('n1'));
    expect(written(cleared)).toEqual(['0', '0', '0']);
    expect(newest(cleared)).toEqual(['n2=0', 'n3=0']);
    expect(written(execute(cleared, WRITE))).toEqual([undefined, '0', '0']);
  });

  it('is written at once as soon as its delay is 0', () => {
    const over = execute(three, set('n1', '', delay(0, 'only')));
    expect(dueIn(over, 0)).toEqual([0]);
    expect(written(execute(over, WRITE))).toEqual(['0', '0', '0']);
    expect(typesOf(set('n1', '7'), over)).toEqual(['NodeAttributeSet']);
  });

  it('keeps the delay that it has where another one is meant for a new attribute', () => {
    expect(execute(three, set('n1', '3', delay(1, 'new'))).dampened?.['pingd']?.delayMs).toBe(10_000);
    const undampened = execute(cluster, set('n1', '0'));
    expect(typesOf(set('n1', '1', delay(1_000, 'new')), undampened)).toEqual(['NodeAttributeSet']);
    expect(typesOf(set('n1', '1', delay(1_000, 'new')), cluster)).toEqual(['NodeAttributeHeld']);
  });

  it('is written as a person says it, and what was held of that node is forgotten', () => {
    const said: ClusterCommand = { type: 'set-node-attribute', node: 'n1', name: 'pingd', value: '9', lifetime: 'reboot' };
    const state = execute(three, said);
    expect(written(state)).toEqual(['9', undefined, undefined]);
    expect(written(execute(state, WRITE))).toEqual(['9', '0', '0']);
    const same = execute(execute(three, WRITE), set('n1', '1'), { ...said, value: '0' });
    expect(dueIn(same, 0)).toEqual([]);
  });

  it('ends with the life of the node, and outlasts a restart of its agent', () => {
    const { incarnation = 0 } = three.nodes['n1'] ?? {};
    expect(newest(execute(three, { type: 'leave-node', node: 'n1', incarnation, active: [] }))).toEqual(['n2=0', 'n3=0']);
    const join: ClusterCommand = { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5_000, bootId: 'b' };
    const restarted = execute(execute(cluster, join), set('n1', '0', delay(10_000)), join);
    expect(newest(restarted)).toEqual(['n1=0']);
    expect(newest(execute(three, join))).toEqual(['n2=0', 'n3=0']);
  });

  it('can be written although the stream goes on, as long as nothing of it changes', () => {
    const expected = [{ version: three.version }];
    const moved = execute(three, { type: 'set-node-attribute', node: 'n1', name: 'other', value: '1', lifetime: 'reboot' });
    expect(decide(WRITE, moved, { expected }).ok).toBe(true);
    const changed = execute(three, set('n3', '4'));
    expect(decide(WRITE, changed, { expected })).toMatchObject({ rejection: { code: 'version-mismatch' } });
  });

  it('is one of no more than are dampened at most', () => {
    let state = cluster;
    for (let index = 0; index < 200; index += 1) state = execute(state, set('n1', '1', { name: `x${String(index)}`, ...delay(1_000) }));
    expect(typesOf(set('n1', '1', { name: 'more', ...delay(1_000) }), state)).toEqual(['attributes-full']);
    expect(typesOf(set('n1', '1', { name: 'more' }), state)).toEqual(['NodeAttributeSet']);
    expect(typesOf(set('n1', '2', { name: 'x7' }), state)).toEqual(['NodeAttributeHeld']);
  });

  it('is none that the cluster itself acts upon: a delay that would not count is refused, with a value or without one', () => {
    const standby = (more: object): ClusterCommand => set('n1', 'on', { name: 'standby', ...more });
    for (const sets of ['only', 'also', 'new'] as const)
      expect(typesOf(standby(delay(5_000, sets)), cluster)).toEqual(['attribute-reserved']);
    expect(typesOf(standby(delay(0)), cluster)).toEqual(['NodeAttributeSet']);
    // It would not count for any other attribute either.
    const known = execute(cluster, standby({}));
    expect(typesOf(standby({ value: 'off', ...delay(5_000, 'new') }), known)).toEqual(['NodeAttributeSet']);
  });

  it('that the cluster acts upon and that was given a delay once loses it with the next change that says 0', () => {
    const given: ClusterState = { ...cluster, dampened: { standby: { delayMs: 60_000 } } };
    for (const command of [set('n1', '', { name: 'standby', ...delay(0, 'only') }), set('n1', 'on', { name: 'standby', ...delay(0) })])
      expect(execute(given, command).dampened).toBeUndefined();
  });

  it('takes no more room than an agent may take', () => {
    const large = 'x'.repeat(300_000);
    const state = execute(cluster, ...['a', 'b', 'c'].map((name) => set('n1', large, { name, ...delay(1_000) })));
    expect(typesOf(set('n1', large, { name: 'd', ...delay(1_000) }), state)).toEqual(['attributes-full']);
    expect(typesOf(set('n1', large, { name: 'd' }), state)).toEqual(['attributes-full']);
  });

  it('comes to what was said last of each node, whatever is said in whatever order', () => {
    const step = fc.record({
      node: fc.constantFrom('n1', 'n2', 'n3'),
      value: fc.option(fc.constantFrom('0', '1', 'x')),
      add: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined }),
      ms: fc.constantFrom(undefined, 0, 1_000),
      write: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const said = new Map<string, string>();
        let state = cluster;
        for (const { node, value, add, ms, write } of steps) {
          const more = ms === undefined ? {} : delay(ms);
          if (value === null) {
            said.delete(node);
            state = execute(state, { ...clear(node), ...more });
          } else if (add !== undefined) {
            said.set(node, String((Number.parseInt(said.get(node) ?? '0', 10) || 0) + add));
            state = execute(state, set(node, '', { add, ...more }));
          } else {
            said.set(node, value);
            state = execute(state, set(node, value, more));
          }
          expect(newest(state).sort()).toEqual([...said].map(([name, text]) => `${name}=${text}`).sort());
          if (write) state = execute(state, WRITE);
        }
        const done = execute(state, WRITE);
        expect(written(done)).toEqual(['n1', 'n2', 'n3'].map((node) => said.get(node)));
        expect(heldAttributes(done, () => 0)).toEqual([]);
      }),
    );
  });
});

describe('counting up', () => {
  it.each([
    ['5', 1, '6'],
    [undefined, 7, '7'],
    ['abc', 1, '1'],
    ['12abc', 1, '13'],
    ['999999', 5, '1000000'],
    ['INFINITY', 1, '1000000'],
    ['-INFINITY', 5, '-999995'],
  ])('from %s by %i comes to %s', (present, add, sum) => {
    const before = present === undefined ? cluster : execute(cluster, set('n1', present));
    expect(written(execute(before, set('n1', '', { add })))[0]).toBe(sum);
  });

  it('goes by the permanent value where that is meant', () => {
    const of = { name: 'perm', lifetime: 'forever' as const };
    const state = execute(cluster, set('n1', '4', of), set('n1', '', { add: 3, ...of }));
    expect(decide(set('n1', '7', of), state)).toEqual({ ok: true, events: [] });
  });
});
