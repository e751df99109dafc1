import { describe, expect, it } from 'vitest';
import { settledCib } from '../resilience/losses.js';
import { primitive, smallCib, type SmallCib } from '../testing/small-cib.js';
import { whatIf } from './what-if.js';

const NOW = 1_800_000_000;
const CLUSTER: SmallCib = {
  nodes: ['n1', 'n2'],
  options: { 'fencing-enabled': 'true' },
  resources: `${primitive('fence', '', 'class="stonith" type="fence_x"')}${primitive('db')}`,
  constraints: '<rsc_location id="l" rsc="db" node="n1" score="100"/>',
};

const settled = settledCib(smallCib(CLUSTER), NOW);

describe('what would become of a cluster', () => {
  it('to which nothing happens: nothing, where there is nothing to do', () => {
    const supposed = whatIf(settled, { now: NOW });
    expect(supposed).toMatchObject({ modifications: [], plans: [], rests: true, affected: [] });
    expect(supposed.after).toEqual(supposed.before);
  });

  it('that loses a node: plan by plan, until it rests', () => {
    const { modifications, plans, rests, affected, before, after } = whatIf(settled, {
      now: NOW,
      injections: { nodesFailed: ['n1'] },
    });
    expect(modifications).toEqual([{ kind: 'node', action: 'failing', node: 'n1' }]);
    expect(plans[0]?.transition.nodes).toMatchObject([{ kind: 'Fence', node: 'n1' }]);
    expect(plans[0]?.executed).toContainEqual({ kind: 'fencing', node: 'n1', action: 'reboot' });
    expect(rests).toBe(true);
    expect(affected.find(({ resource }) => resource === 'db')).toMatchObject({ effect: 'moved', after: [{ node: 'n2' }] });
    expect(before.nodes.map(({ online }) => online)).toEqual([true, true]);
    expect(after.nodes.map(({ online }) => online)).toEqual([false, true]);
  });

  it('in which a start fails each time: it goes where it does not', () => {
    const { plans, affected } = whatIf(smallCib(CLUSTER), { now: NOW, failures: ['db_start_0@n1=1'] });
    expect(plans.length).toBeGreaterThan(1);
    expect(plans.flatMap(({ executed }) => executed)).toContainEqual(expect.objectContaining({ kind: 'pretended-failure', rc: 1 }));
    expect(affected).toEqual([]);
    const last = plans.at(-1);
    expect(last?.transition.resources.map(({ resource, to }) => [resource, to])).toContainEqual(['db', 'n2']);
  });

  it('says what can not be injected', () => {
    const { modifications } = whatIf(settled, { now: NOW, injections: { operations: ['ghost_monitor_0@n1=1'] } });
    expect(modifications).toContainEqual({ kind: 'error', text: 'Invalid resource name: ghost' });
  });
});
