import { describe, expect, it } from 'vitest';
import type { ReportedResult } from '../commands/agent-command.js';
import { initialState } from '../state/cluster-state.js';
import { EPOCH, execute, option, planned, threeNodes } from '../testing/stream.js';
import { startedResult } from '../testing/started.js';
import { downMarginMs, leaseVerdict } from './lease.js';
import { planningHold } from './planning-hold.js';

const at =
  (now: number) =>
  (_cause: string, moment: number): number =>
    now - moment;

describe('a lease', () => {
  it('that ran out means lost where there is fencing', () => {
    const state = threeNodes();
    expect(leaseVerdict(state, 'n1', 1000, 999, EPOCH)).toEqual({ type: 'held', until: 1000 });
    expect(leaseVerdict(state, 'n1', 1000, 1000, EPOCH)).toEqual({ type: 'lost' });
  });
});

describe('without fencing', () => {
  const started = (resource: string, rc = 0): ReportedResult => startedResult(resource, { rc });
  const resources =
    '<primitive id="db" class="ocf" provider="systole" type="Dummy"><operations><op id="s" name="stop" interval="0s" timeout="2min"/></operations></primitive>' +
    '<primitive id="web" class="ocf" provider="systole" type="Dummy"/>';
  const cluster = (...more: string[]) => threeNodes({ options: [option('stonith-enabled', 'false'), ...more].join(''), resources });

  const probed = (resource: string): ReportedResult => ({ ...started(resource, 7), resultId: `probe-${resource}`, operation: 'monitor' });
  const report = (incarnation: number, ...results: readonly ReportedResult[]) =>
    ({ type: 'record-results', node: 'n1', incarnation, results }) as const;

  it('a node is lost only after its resources had time to stop: the longest stop time-out of what may be active', () => {
    const idle = execute(cluster(), report(1, probed('db'), probed('web')));
    expect(downMarginMs(idle, 'n1', EPOCH)).toBe(20_000);
    const busy = execute(idle, report(1, started('db')));
    expect(downMarginMs(busy, 'n1', EPOCH)).toBe(120_000);
    expect(leaseVerdict(busy, 'n1', 1000, 2000, EPOCH)).toEqual({ type: 'expired', until: 121_000 });
    expect(leaseVerdict(busy, 'n1', 1000, 121_000, EPOCH)).toEqual({ type: 'lost' });
  });

  it.each<[string, ReportedResult, number]>([
    ['a stop', { ...started('db'), operation: 'stop' }, 20_000],
    ['a probe that found nothing', probed('db'), 20_000],
    ['a stop that failed', { ...started('db', 1), operation: 'stop' }, 120_000],
    ['a probe that found it running', { ...started('db'), operation: 'monitor' }, 120_000],
    ['a probe that failed', { ...started('db', 1), operation: 'monitor' }, 120_000],
    ['a start that says that it is not running', started('db', 7), 120_000],
  ])('after %s the margin is that of what may be active', (_, result, ms) => {
    const idle = execute(cluster(), report(1, probed('web'), { ...result, resultId: 'last' }));
    expect(downMarginMs(idle, 'n1', EPOCH)).toBe(ms);
  });

  it.each([
    ['of a time-out that nobody knows', {}, 60_000],
    ['of 10 s', { watchdogMs: 10_000 }, 60_000],
    ['of two minutes', { watchdogMs: 120_000 }, 240_000],
  ])('a node that its watchdog resets, %s, is lost only when that has happened', (_, own, ms) => {
    const told = { agentVersion: '1', leaseMs: 15_000, onLeaseLoss: 'watchdog', ...own } as const;
    const idle = execute(threeNodes({ options: option('stonith-enabled', 'false') }), { type: 'join-node', node: 'n1', ...told });
    expect(downMarginMs(idle, 'n1', EPOCH)).toBe(ms);
  });

  it('what a node runs that is not configured any more may need its time to stop, as does what nobody knows of a node that never joined', () => {
    const gone = execute(cluster(), report(1, probed('db'), probed('web'), started('orphan')));
    expect(downMarginMs(gone, 'n1', EPOCH)).toBe(20_000);
    expect(downMarginMs(execute(gone, report(1, { ...started('db'), resultId: 'later' })), 'n1', EPOCH)).toBe(120_000);
    expect(downMarginMs(cluster(), 'nobody', EPOCH)).toBe(20_000);
  });

  it('what was not probed since the node joined may be active', () => {
    const idle = execute(cluster(), report(1, probed('db'), probed('web')));
    const again = execute(idle, { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 });
    expect(downMarginMs(again, 'n1', EPOCH)).toBe(120_000);
    expect(downMarginMs(execute(again, report(2, { ...probed('db'), resultId: 'again' })), 'n1', EPOCH)).toBe(20_000);
  });

  it('what was stopped may be active again while a transition runs, and on a lost node after that', () => {
    const idle = execute(cluster(), report(1, probed('db'), probed('web')));
    const running = planned(idle);
    expect(downMarginMs(running, 'n1', EPOCH)).toBe(120_000);
    const lost = execute(running, { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' });
    const over = execute(lost, {
      type: 'complete-transition',
      result: { number: running.lastTransitionNumber, outcome: 'aborted', completed: 0, skipped: 1, failed: 0 },
    });
    expect(over.transition).toBeUndefined();
    expect(downMarginMs(over, 'n1', EPOCH)).toBe(120_000);
  });

  it('an instance that runs is not stopped because another one is', () => {
    const cloned = threeNodes({
      options: option('stonith-enabled', 'false'),
      resources: `<clone id="c">${resources.slice(0, resources.indexOf('<primitive id="web"'))}</clone>`,
    });
    const instance = (result: ReportedResult, id: string) => ({ ...result, resultId: id, resource: { ...result.resource, historyId: id } });
    const both = execute(cloned, report(1, instance(probed('db'), 'db:0'), instance(started('db'), 'db:1')));
    expect(downMarginMs(both, 'n1', EPOCH)).toBe(120_000);
    expect(downMarginMs(execute(cloned, report(1, instance(probed('db'), 'db:0'))), 'n1', EPOCH)).toBe(20_000);
  });

  it('what can be promoted has its demote before its stop, and the time for both', () => {
    const db =
      '<primitive id="db" class="ocf" provider="pacemaker" type="Stateful"><operations><op id="s" name="stop" interval="0s" timeout="30s"/>' +
      '<op id="d" name="demote" interval="0s" timeout="90s"/></operations></primitive>';
    const promotable = threeNodes({
      options: option('stonith-enabled', 'false'),
      resources: `<clone id="c"><meta_attributes id="m"><nvpair id="p" name="promotable" value="true"/></meta_attributes>${db}</clone>`,
    });
    const idle = execute(promotable, report(1, probed('db')));
    expect(downMarginMs(idle, 'n1', EPOCH)).toBe(20_000);
    expect(downMarginMs(execute(idle, report(1, started('db'))), 'n1', EPOCH)).toBe(120_000);
    expect(downMarginMs(execute(threeNodes({ options: option('stonith-enabled', 'false'), resources: db })), 'n1', EPOCH)).toBe(30_000);
  });

  it('the margin can be set', () => {
    expect(downMarginMs(cluster(option('systole-down-margin', '5s')), 'n1', EPOCH)).toBe(5000);
  });

  it('planning waits when fencing was switched off after a node was lost', () => {
    const withFencing = execute(threeNodes({ resources }), { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' });
    expect(planningHold(withFencing, at(EPOCH), EPOCH)).toBeUndefined();
    const cib =
      '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config><cluster_property_set id="o">' +
      `${option('stonith-enabled', 'false')}</cluster_property_set></crm_config><nodes/><resources/><constraints/></configuration><status/></cib>`;
    const without = execute(withFencing, { type: 'replace-configuration', cib });
    const lostAt = Date.parse(without.nodes['n1']?.since ?? '');
    expect(planningHold(without, at(lostAt + 1_000), EPOCH)?.forMs).toBe(19_000);
    expect(planningHold(without, at(lostAt + 20_000), EPOCH)).toBeUndefined();
  });
});

describe('at start-up', () => {
  const cib =
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes><node id="1" uname="n1"/>' +
    '<node id="2" uname="n2"/></nodes><resources/><constraints/></configuration><status/></cib>';
  const created = execute(initialState(), { type: 'create-cluster', name: 'c', cib });
  const join = (node: string) => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 }) as const;

  it('planning waits for the nodes that are configured', () => {
    expect(planningHold(created, at(EPOCH), EPOCH)).toEqual({ forMs: Number.POSITIVE_INFINITY, reason: 'waiting for n1, n2 to join' });
    const one = execute(created, join('n1'));
    expect(planningHold(one, at(EPOCH + 2_000), EPOCH)).toEqual({ forMs: 20_000, reason: 'waiting for n2 to join' });
    expect(planningHold(one, at(EPOCH + 22_000), EPOCH)).toBeUndefined();
    expect(planningHold(execute(one, join('n2')), at(EPOCH), EPOCH)).toBeUndefined();
  });

  it('a node that a person confirms to be down is not waited for', () => {
    expect(planningHold(execute(created, join('n1'), { type: 'confirm-node-down', node: 'n2' }), at(EPOCH), EPOCH)).toBeUndefined();
  });
});
