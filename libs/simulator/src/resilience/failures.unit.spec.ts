import { describe, expect, it } from 'vitest';
import { meta, primitive, smallCib, type SmallCib } from '../testing/small-cib.js';
import { outcomeOfFailure, settledCib, type FailureOutcome } from './losses.js';

const NOW = 1_800_000_000;
const monitored = (id: string, content = '', onFail = ''): string =>
  primitive(id, `${content}<operations><op id="${id}-m" name="monitor" interval="10s"${onFail}/></operations>`);

function fail(cib: SmallCib, resource: string, node: string): FailureOutcome {
  return outcomeOfFailure(settledCib(smallCib(cib), NOW), { resource, node }, NOW);
}
const told = ({ affected }: FailureOutcome): readonly string[] => affected.map(({ resource, effect }) => `${effect} ${resource}`);

describe('the failure of a resource', () => {
  const on = (resource: string, node: string) => `<rsc_location id="l-${resource}" rsc="${resource}" node="${node}" score="100"/>`;
  const cluster: SmallCib = {
    nodes: ['n1', 'n2'],
    resources: `${monitored('db')}${monitored('web')}${primitive('blind')}`,
    constraints: `${on('db', 'n1')}${on('web', 'n1')}${on('blind', 'n1')}<rsc_order id="o" first="db" then="web"/>`,
  };

  it('restarts it, and what starts after it', () => {
    const outcome = fail(cluster, 'db', 'n1');
    expect(told(outcome)).toEqual(['restarted db', 'restarted web']);
    expect(outcome).toMatchObject({ unnoticed: false, fenced: [], unaffected: 1, end: 'complete' });
  });

  it('moves it where it may not fail once more', () => {
    const resources = monitored('db', meta('db', { 'migration-threshold': '1' }));
    const outcome = fail({ ...cluster, resources, constraints: on('db', 'n1') }, 'db', 'n1');
    expect(outcome.affected).toEqual([
      { resource: 'db', effect: 'moved', before: [{ node: 'n1', role: 'Started' }], after: [{ node: 'n2', role: 'Started' }] },
    ]);
  });

  it('leaves it down where its monitor says so, and fences where it says that', () => {
    const one = (onFail: string, options: Readonly<Record<string, string>> = {}): SmallCib => ({
      nodes: ['n1', 'n2'],
      options,
      resources: `${primitive('fence', '', 'class="stonith" type="fence_x"')}${monitored('db', '', ` on-fail="${onFail}"`)}`,
      constraints: on('db', 'n1'),
    });
    expect(told(fail(one('stop'), 'db', 'n1'))).toEqual(['down db']);
    expect(fail(one('fence', { 'fencing-enabled': 'true' }), 'db', 'n1').fenced).toEqual(['n1']);
  });

  it('of an instance of a clone is told of the clone', () => {
    const resources = `<clone id="webs">${monitored('web', meta('web', { 'migration-threshold': '1' }))}</clone>`;
    expect(told(fail({ nodes: ['n1', 'n2'], resources }, 'web', 'n2'))).toEqual(['reduced web']);
  });

  it('that no monitor would notice is told as that', () => {
    expect(fail(cluster, 'blind', 'n1')).toMatchObject({ unnoticed: true, affected: [], actions: 0 });
  });
});
