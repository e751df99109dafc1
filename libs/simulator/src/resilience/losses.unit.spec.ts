import { describe, expect, it } from 'vitest';
import { meta, primitive, smallCib, type SmallCib } from '../testing/small-cib.js';
import { outcomeOfLoss, settledCib, type LossOutcome } from './losses.js';

const NOW = 1_800_000_000;
const OPTIONS = { 'fencing-enabled': 'true' };
const DEVICE = primitive('fence', '', 'class="stonith" type="fence_x"');
const only = (resource: string, node: string): string =>
  `<rsc_location id="l-${resource}" rsc="${resource}"><rule id="r-${resource}" score="-INFINITY"><expression id="e-${resource}" attribute="#uname" operation="ne" value="${node}"/></rule></rsc_location>`;

function lose(cib: SmallCib, nodes: readonly string[], quorum = true): LossOutcome {
  return outcomeOfLoss(settledCib(smallCib(cib), NOW), { nodes, quorum }, NOW);
}

describe('the loss of a node', () => {
  const cluster: SmallCib = {
    nodes: ['n1', 'n2', 'n3'],
    options: OPTIONS,
    resources: `${DEVICE}${primitive('db')}${primitive('pinned')}<clone id="pings">${primitive('ping')}</clone>`,
    constraints: `${only('pinned', 'n1')}<rsc_location id="l-db" rsc="db" node="n1" score="100"/>`,
  };

  it('is fenced, moves what can run elsewhere, and leaves down what can not', () => {
    const { fenced, affected, unaffected, plans, end } = lose(cluster, ['n1']);
    expect(fenced).toEqual(['n1']);
    const told = affected.map(({ resource, effect }) => `${effect} ${resource}`);
    expect(told.filter((text) => !text.endsWith('fence'))).toEqual(['down pinned', 'reduced ping', 'moved db']);
    const db = affected.find(({ resource }) => resource === 'db');
    expect(db?.before).toEqual([{ node: 'n1', role: 'Started' }]);
    expect(db?.after.map(({ node }) => node)).not.toContain('n1');
    expect(unaffected + affected.length).toBe(4);
    expect([plans !== undefined, end]).toEqual([true, 'complete']);
  });

  it('that no fence device covers leaves down what ran there, and lets everything else go on', () => {
    const assumed = { nodes: ['n1'], quorum: true, unfenceable: ['n1'] };
    const { fenced, affected, plans, output } = outcomeOfLoss(settledCib(smallCib(cluster), NOW), assumed, NOW);
    expect([fenced, plans]).toEqual([[], expect.any(Number)]);
    const told = affected.map(({ resource, effect }) => `${effect} ${resource}`).filter((text) => !text.endsWith('fence'));
    expect(told).toEqual(['down db', 'down pinned', 'reduced ping']);
    expect(outcomeOfLoss(output, { nodes: ['n2'], quorum: true }, NOW).fenced).toEqual(['n2']);
  });

  it('of another node touches nothing but what runs there', () => {
    const { affected } = lose(cluster, ['n3']);
    expect(affected.map(({ resource, effect }) => `${effect} ${resource}`)).not.toContain('down pinned');
    expect(affected.find(({ resource }) => resource === 'ping')).toMatchObject({ effect: 'reduced' });
    expect(affected.find(({ resource }) => resource === 'db')).toBeUndefined();
  });

  it('that takes quorum away stops what is left', () => {
    const { affected } = lose(cluster, ['n1', 'n2'], false);
    const services = affected.filter(({ resource }) => resource !== 'fence');
    expect(services.map(({ resource, effect }) => `${effect} ${resource}`)).toEqual(['down db', 'down ping', 'down pinned']);
  });

  it('says what is demoted and what is only restarted for it', () => {
    const promotable = `<clone id="dbs">${meta('dbs', { promotable: 'true' })}${primitive('db')}</clone>`;
    const score = (node: string, value: number) =>
      `<rsc_location id="p-${node}" rsc="dbs"><rule id="pr-${node}" score="${String(value)}" role="Promoted"><expression id="pe-${node}" attribute="#uname" operation="eq" value="${node}"/></rule></rsc_location>`;
    const one: SmallCib = { nodes: ['n1', 'n2'], options: OPTIONS, resources: `${DEVICE}${promotable}`, constraints: score('n1', 10) };
    expect(lose(one, ['n1']).affected.find(({ resource }) => resource === 'db')).toMatchObject({
      effect: 'demoted',
      before: [
        { node: 'n1', role: 'Promoted' },
        { node: 'n2', role: 'Started' },
      ],
      after: [{ node: 'n2', role: 'Started' }],
    });
    const two = { ...one, constraints: score('n1', 10) + score('n2', 5) };
    expect(lose(two, ['n1']).affected.find(({ resource }) => resource === 'db')).toMatchObject({ effect: 'reduced' });
    const ordered: SmallCib = {
      nodes: ['n1', 'n2'],
      options: OPTIONS,
      resources: `${DEVICE}${primitive('first')}${primitive('then')}`,
      constraints: `<rsc_location id="a" rsc="first" node="n1" score="100"/>${only('then', 'n2')}<rsc_order id="o" first="first" then="then"/>`,
    };
    expect(lose(ordered, ['n1']).affected).toEqual(
      expect.arrayContaining([expect.objectContaining({ resource: 'then', effect: 'restarted' })]),
    );
  });

  it('is compared with the cluster once what is planned already was carried out', () => {
    expect(lose({ ...cluster, history: [] }, ['n2']).affected.map(({ effect }) => effect)).not.toContain('down');
  });

  it('of one that nothing knows is refused', () => {
    expect(() => lose(cluster, ['n9'])).toThrow('n9');
  });
});
