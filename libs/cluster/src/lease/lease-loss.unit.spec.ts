import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activationHold } from '../epoch/activation-hold.js';
import { checkIncarnation } from '../commands/decide-nodes.js';
import type { JoinNode } from '../commands/agent-command.js';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { memberOf, type ClusterState, type LeaseLossPolicy } from '../state/cluster-state.js';
import { EPOCH, execute, option, threeNodes } from '../testing/stream.js';
import { leaseLossPolicy, leaseLossTelling as tellingAt } from './lease-loss.js';
import { downMarginMs, leaseVerdict } from './lease.js';
import { planningHold } from './planning-hold.js';

const DEVICE =
  '<primitive id="f" class="stonith" type="fence_x"><instance_attributes id="f-i"><nvpair id="f-h" name="pcmk_host_list" value="n1 n2"/></instance_attributes></primitive>';
const FENCING_OFF = option('stonith-enabled', 'false');
const plainJoin = (node: string): JoinNode => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 });
/** A node joins and is told what to do when its lease is lost. */
const joinTold = (state: ClusterState, node: string, watchdog = false): ClusterState =>
  execute(state, { ...plainJoin(node), onLeaseLoss: leaseLossPolicy(state, node, watchdog, EPOCH) });
const lose = (node: string, incarnation: number): ClusterCommand => ({ type: 'lose-lease', node, incarnation, expiredAt: 'x' });
const configuration = (options: string, resources: string): ClusterCommand => ({
  type: 'replace-configuration',
  cib:
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>' +
    `<crm_config><cluster_property_set id="o">${options}</cluster_property_set></crm_config>` +
    `<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/><node id="3" uname="n3"/></nodes><resources>${resources}</resources><constraints/></configuration><status/></cib>`,
});

describe('what an agent does that loses its lease', () => {
  const policies = (options: string, resources: string, watchdog: boolean): readonly LeaseLossPolicy[] =>
    ['n1', 'n3'].map((node) => leaseLossPolicy(threeNodes({ options, resources }), node, watchdog, EPOCH));

  it.each([
    ['', DEVICE, false, ['keep', 'stop']],
    ['', DEVICE, true, ['keep', 'watchdog']],
    ['', '', false, ['stop', 'stop']],
    [FENCING_OFF, DEVICE, true, ['watchdog', 'watchdog']],
    [FENCING_OFF, DEVICE, false, ['stop', 'stop']],
    [option('systole-on-lease-loss', 'keep'), '', true, ['keep', 'keep']],
    [option('systole-on-lease-loss', 'stop'), DEVICE, true, ['stop', 'stop']],
    [option('systole-on-lease-loss', 'watchdog'), DEVICE, true, ['watchdog', 'watchdog']],
    [option('systole-on-lease-loss', 'watchdog'), DEVICE, false, ['stop', 'stop']],
    [option('systole-on-lease-loss', 'auto'), DEVICE, false, ['keep', 'stop']],
  ] as const)(
    'with options %j, devices %j, watchdog %j: %j of n1, which a device can fence, and n3',
    (options, devices, watchdog, expected) => {
      expect(policies(options, devices, watchdog)).toEqual(expected);
    },
  );

  it('is recorded with its join; of an agent that follows no server it is known that it stops', () => {
    const joined = joinTold(threeNodes({ resources: DEVICE }), 'n1');
    expect(memberOf(joined, 'n1')?.onLeaseLoss).toBe('keep');
    expect(memberOf(execute(joined, plainJoin('n1')), 'n1')?.onLeaseLoss).toBeUndefined();
  });

  it('by a setting of its own counts whatever it is told: from the join on where the server has to wait longer, and from the first poll on where less', () => {
    const fenceable = threeNodes({ resources: DEVICE });
    const plain = threeNodes({ options: FENCING_OFF });
    const keeps = execute(plain, { ...plainJoin('n1'), bootId: 'b', onLeaseLoss: 'stop', localOnLeaseLoss: 'keep' });
    expect(memberOf(keeps, 'n1')).toMatchObject({ onLeaseLoss: 'keep', localOnLeaseLoss: 'keep' });
    expect(tellingAt(keeps, 'n1', { watchdog: false, acknowledged: 'stop' }, EPOCH)).toEqual({ tell: 'stop' });
    expect(activationHold(execute(keeps, lose('n1', 2)), EPOCH)).toBeDefined();
    const stops = execute(joinTold(fenceable, 'n1'), { ...plainJoin('n1'), onLeaseLoss: 'keep', localOnLeaseLoss: 'stop' });
    expect(memberOf(stops, 'n1')?.onLeaseLoss).toBe('keep');
    expect(tellingAt(stops, 'n1', { watchdog: false, follows: 'stop' }, EPOCH)).toEqual({ tell: 'keep', record: 'stop', lowers: true });
  });

  it('that its agent follows still counts until it is known to follow another', () => {
    const stopping = joinTold(threeNodes({ options: FENCING_OFF }), 'n1');
    expect(tellingAt(stopping, 'n1', { watchdog: false, follows: 'keep', acknowledged: 'stop' }, EPOCH)).toEqual({
      tell: 'stop',
      record: 'keep',
    });
    expect(tellingAt(stopping, 'n1', { watchdog: false, follows: 'stop', acknowledged: 'stop' }, EPOCH)).toEqual({ tell: 'stop' });
  });

  it('counts from before it is told where the server has to wait longer, and from when it is known to be told where less', () => {
    const keeping = joinTold(threeNodes({ resources: DEVICE }), 'n1');
    const leaseLossTelling = (state: ClusterState, node: string, agent: Parameters<typeof tellingAt>[2]) =>
      tellingAt(state, node, agent, EPOCH);
    expect(leaseLossTelling(keeping, 'n1', { watchdog: false })).toEqual({ tell: 'keep' });
    const off = execute(keeping, configuration(FENCING_OFF, DEVICE));
    expect(leaseLossTelling(off, 'n1', { watchdog: false })).toEqual({ tell: 'stop' });
    expect(leaseLossTelling(off, 'n1', { watchdog: false, acknowledged: 'keep' })).toEqual({ tell: 'stop' });
    expect(leaseLossTelling(off, 'n1', { watchdog: false, acknowledged: 'stop' })).toEqual({ tell: 'stop', record: 'stop', lowers: true });
    const stopping = execute(off, { type: 'reckon-with', node: 'n1', incarnation: 2, policy: 'stop' });
    expect(leaseLossTelling(stopping, 'n1', { watchdog: false })).toEqual({ tell: 'stop' });
    const on = execute(stopping, configuration('', DEVICE));
    expect(leaseLossTelling(on, 'n1', { watchdog: false, acknowledged: 'stop' })).toEqual({ tell: 'keep', record: 'keep' });
  });

  it('is not lowered by a poll that a frozen server records when a later one was told to keep what runs', () => {
    const off = execute(joinTold(threeNodes({ resources: DEVICE }), 'n1'), configuration(FENCING_OFF, DEVICE));
    expect(tellingAt(off, 'n1', { watchdog: false, acknowledged: 'stop' }, EPOCH)).toMatchObject({ record: 'stop' });
    const on = execute(off, configuration('', DEVICE));
    // The poll after it, of which nothing has to be recorded.
    expect(tellingAt(on, 'n1', { watchdog: false, follows: 'stop' }, EPOCH)).toEqual({ tell: 'keep' });
    const late = execute(on, { type: 'reckon-with', node: 'n1', incarnation: 2, policy: 'stop' });
    expect(memberOf(late, 'n1')?.onLeaseLoss).toBe('keep');
  });

  it('never is worse than what the server reckons with, in whatever order things are told, lost and recorded, over joins too', () => {
    const step = fc.record({
      does: fc.constantFrom('poll', 'join', 'lose'),
      fencing: fc.boolean(),
      watchdog: fc.boolean(),
      arrives: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const caution: readonly LeaseLossPolicy[] = ['stop', 'watchdog', 'keep'];
        let state = joinTold(threeNodes({ resources: DEVICE }), 'n1');
        let follows = memberOf(state, 'n1')?.onLeaseLoss ?? 'stop';
        let acknowledged: LeaseLossPolicy | undefined;
        for (const { does, fencing, watchdog, arrives } of steps) {
          state = execute(state, configuration(fencing ? '' : FENCING_OFF, DEVICE));
          const { incarnation, membership } = memberOf(state, 'n1') ?? { incarnation: 0 };
          if (does === 'lose') {
            if (membership === 'joined') state = execute(state, lose('n1', incarnation));
          } else if (does === 'join') {
            const tell = leaseLossPolicy(state, 'n1', false, EPOCH);
            state = joinTold(state, 'n1');
            acknowledged = arrives ? tell : undefined;
            if (arrives) follows = tell;
          } else if (membership === 'joined') {
            const { tell, record } = tellingAt(state, 'n1', { watchdog, ...(acknowledged === undefined ? {} : { acknowledged }) }, EPOCH);
            if (record !== undefined) state = execute(state, { type: 'reckon-with', node: 'n1', incarnation, policy: record });
            if (arrives) follows = acknowledged = tell;
          }
          const reckoned = memberOf(state, 'n1')?.onLeaseLoss ?? 'stop';
          expect(caution.indexOf(reckoned)).toBeGreaterThanOrEqual(caution.indexOf(follows));
        }
      }),
    );
  });

  it.each([
    ['of the same boot', { bootId: 'b1' }, [], { bootId: 'b1' }, 'keep'],
    ['of a boot that nobody knows', {}, [], { bootId: 'b1' }, 'keep'],
    ['of the same boot after its lease was lost', { bootId: 'b1' }, [lose('n1', 2)], { bootId: 'b1' }, 'keep'],
    ['of another boot', { bootId: 'b1' }, [lose('n1', 2)], { bootId: 'b2' }, 'stop'],
    ['after it left', { bootId: 'b1' }, [{ type: 'leave-node', node: 'n1', incarnation: 2 }], { bootId: 'b1' }, 'stop'],
    ['after it was down', {}, [lose('n1', 2), { type: 'confirm-node-down', node: 'n1' }], {}, 'stop'],
    [
      'of the same boot after it was said to be down',
      { bootId: 'b1' },
      [lose('n1', 2), { type: 'confirm-node-down', node: 'n1' }],
      { bootId: 'b1' },
      'keep',
    ],
    [
      'after the log went back: nobody knows what it was told',
      {},
      [{ type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'n2' }],
      {},
      'keep',
    ],
  ] as const)('goes on over a join as long as that may not have been answered: %s', (_case, boot, meanwhile, again, expected) => {
    const keeping = execute(threeNodes({ resources: DEVICE }), { ...plainJoin('n1'), ...boot, onLeaseLoss: 'keep' });
    const rejoined = execute(keeping, configuration(FENCING_OFF, DEVICE), ...meanwhile, {
      ...plainJoin('n1'),
      ...again,
      onLeaseLoss: 'stop',
    });
    expect(memberOf(rejoined, 'n1')?.onLeaseLoss).toBe(expected);
  });
});

/**
 * S1 for each combination of what the agent was told, whether fencing is enabled when its lease ends, and whether it is switched meanwhile: what keeps its
 * resources from being started elsewhere while it may run them. The table of the guide.
 */
describe('the resources of a node whose lease ends are started elsewhere', () => {
  const told: Readonly<Record<LeaseLossPolicy, { readonly options: string; readonly devices: string; readonly watchdog: boolean }>> = {
    keep: { options: '', devices: DEVICE, watchdog: false },
    stop: { options: FENCING_OFF, devices: DEVICE, watchdog: false },
    watchdog: { options: FENCING_OFF, devices: DEVICE, watchdog: true },
  };
  /** n1 is told, fencing is switched, its lease ends, fencing is switched again. */
  function protection(policy: LeaseLossPolicy, fencing: { readonly atLoss: boolean; readonly afterwards: boolean }): string {
    const { options, devices, watchdog } = told[policy];
    const state = joinTold(threeNodes({ options, resources: devices }), 'n1', watchdog);
    expect(memberOf(state, 'n1')?.onLeaseLoss).toBe(policy);
    const atLoss = execute(state, configuration(fencing.atLoss ? '' : FENCING_OFF, devices));
    const verdict = leaseVerdict(atLoss, 'n1', 1_000, 1_000, EPOCH);
    const waited = verdict.type === 'expired' ? verdict.until - 1_000 : 0;
    const lost = execute(atLoss, lose('n1', 2), configuration(fencing.afterwards ? '' : FENCING_OFF, devices));
    if (fencing.afterwards && waited === 0) return 'after fencing';
    if (activationHold(lost, EPOCH)?.nodes.includes('n1') === true) return 'never by time';
    const lostAt = Date.parse(memberOf(lost, 'n1')?.since ?? '');
    const hold = planningHold(lost, (_cause, moment) => lostAt - moment, EPOCH);
    return `after ${String((waited + (hold?.forMs ?? 0)) / 1000)} s`;
  }

  it.each([
    ['keep', true, true, 'after fencing'],
    ['keep', true, false, 'never by time'],
    ['keep', false, true, 'after fencing'],
    ['keep', false, false, 'never by time'],
    ['stop', true, true, 'after fencing'],
    ['stop', true, false, 'after 20 s'],
    ['stop', false, true, 'after 20 s'],
    ['stop', false, false, 'after 20 s'],
    ['watchdog', true, true, 'after fencing'],
    ['watchdog', true, false, 'after 60 s'],
    ['watchdog', false, true, 'after 60 s'],
    ['watchdog', false, false, 'after 60 s'],
  ] as const)('told %s, fencing at the loss %j, afterwards %j: %s', (policy, atLoss, afterwards, expected) => {
    expect(protection(policy, { atLoss, afterwards })).toBe(expected);
  });

  it('without a device, and told to keep them by the option, only when a person says that it is down', () => {
    const keep = option('systole-on-lease-loss', 'keep') + FENCING_OFF;
    const lost = execute(joinTold(threeNodes({ options: keep }), 'n1'), lose('n1', 2));
    expect(activationHold(lost, EPOCH)).toMatchObject({ nodes: ['n1'], reason: expect.stringContaining('was told to keep') as string });
    expect(activationHold(execute(lost, { type: 'confirm-node-down', node: 'n1' }), EPOCH)).toBeUndefined();
    expect(activationHold(joinTold(lost, 'n1'), EPOCH)).toBeUndefined();
  });

  it('the margin of a watchdog is that of the resources where that is longer', () => {
    const state = threeNodes({ options: FENCING_OFF + option('systole-down-margin', '5min') });
    expect(downMarginMs(joinTold(state, 'n1', true), 'n1', EPOCH)).toBe(300_000);
  });
});

describe('a node that comes back', () => {
  const code = (state: ClusterState): string | undefined => checkIncarnation(state, 'n1', 2)?.rejection.code;
  const keeping = execute(joinTold(threeNodes({ resources: DEVICE }), 'n1'), lose('n1', 2));

  it('rejoins and is probed when its lease was lost', () => {
    expect(code(keeping)).toBe('lease-lost');
  });

  it('stops everything first when it was declared down while it may live', () => {
    expect(code(execute(keeping, { type: 'confirm-node-down', node: 'n1' }))).toBe('declared-down');
  });

  it('stops everything first when time alone declared it down, whatever is configured by then', () => {
    const stopping = execute(joinTold(threeNodes({ options: FENCING_OFF, resources: DEVICE }), 'n1'), lose('n1', 2));
    expect(code(stopping)).toBe('declared-down');
    expect(code(execute(stopping, configuration('', DEVICE)))).toBe('declared-down');
  });

  it('rejoins when fencing was switched off meanwhile but it was told to keep its resources: nothing was started elsewhere', () => {
    expect(code(execute(keeping, configuration(FENCING_OFF, DEVICE)))).toBe('lease-lost');
  });
});
