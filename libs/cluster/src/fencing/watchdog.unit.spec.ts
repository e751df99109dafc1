import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../commands/decide.js';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { leaseLossTelling, leaseLossPolicy, watchdogTelling } from '../lease/lease-loss.js';
import { memberOf, type ClusterState, type LeaseLossPolicy } from '../state/cluster-state.js';
import { execute, planned, threeNodes } from '../testing/stream.js';
import { fencingStep } from './fencing-step.js';
import { device, FENCE_N3, level } from './testing/fencing-cluster.js';
import { countsOnWatchdog, fencingPlan } from './topology.js';
import { countingOf, untrueHaveWatchdog, watchdogWaitMs } from './watchdog.js';

const option = (name: string, value: string): string => `<nvpair id="o-${name}" name="${name}" value="${value}"/>`;
const ON = option('stonith-watchdog-timeout', '10s');
const NOW = 0;

function cluster({ options = ON, resources = '', levels = '' } = {}): ClusterState {
  return threeNodes({ options, resources, more: levels === '' ? '' : `<fencing-topology>${levels}</fencing-topology>` });
}

const join = (node: string, more: object = {}): ClusterCommand => ({
  ...{ type: 'join-node', node, agentVersion: '1', leaseMs: 15_000, bootId: 'b', onLeaseLoss: 'watchdog', watchdogMs: 5_000 },
  ...more,
});
const armed = (seq = 1, timeoutMs: number | 'gone' = 5_000, incarnation = 2): ClusterCommand => ({
  ...{ type: 'note-watchdog', node: 'n3', incarnation, seq },
  ...(timeoutMs === 'gone' ? {} : { timeoutMs }),
});
const lost: ClusterCommand = { type: 'lose-lease', node: 'n3', incarnation: 2, expiredAt: '2026-01-01T00:00:00.000Z' };

/** n3 has joined with a watchdog, which is armed. */
function counted(state = cluster()): ClusterState {
  return execute(execute(state, join('n3')), armed());
}

/** The attempt at n3 is under way. */
function requested(state: ClusterState): ClusterState {
  const plan = planned(state);
  const step = fencingStep(plan, FENCE_N3);
  if (step.type !== 'request') throw new Error(`not requested: ${JSON.stringify(step)}`);
  return execute(plan, { type: 'request-fencing', request: { ...step.request, fencingId: 'f1' } });
}

function waitOf(options: string, timeoutMs = 5_000): number | undefined {
  const state = cluster({ options });
  return watchdogWaitMs(execute(execute(state, join('n3', { watchdogMs: timeoutMs })), armed(1, timeoutMs)), 'n3');
}

describe('how long after the loss of its lease a node counts as reset by its watchdog', () => {
  it.each([
    ['10s', 10_000],
    ['6s', 8_000],
    ['-1', 10_000],
    ['-10s', 10_000],
    ['0', undefined],
    ['-0s', undefined],
  ])('fencing-watchdog-timeout %s', (value, expected) => {
    expect(waitOf(option('fencing-watchdog-timeout', value))).toBe(expected);
  });

  it('is never less than what a slow clock makes of the time-out', () => {
    expect(waitOf(option('stonith-watchdog-timeout', '1s'), 60_000)).toBe(72_000);
  });

  it('is nothing where fencing is switched off', () => {
    expect(waitOf(ON + option('stonith-enabled', 'false'))).toBeUndefined();
  });
});

describe('time proves that a node is down', () => {
  const waits = (state: ClusterState): boolean => watchdogWaitMs(state, 'n3') !== undefined;

  it('only when its agent has told that the watchdog is armed, not when it is to be', () => {
    const joined = execute(cluster(), join('n3'));
    expect(waits(joined)).toBe(false);
    expect(waits(execute(joined, armed()))).toBe(true);
  });

  it('no more when it may have been told to do something else, joined anew, or the watchdog is gone', () => {
    const told: ClusterCommand = { type: 'reckon-with', node: 'n3', incarnation: 2, policy: 'keep' };
    expect(waits(execute(counted(), told))).toBe(false);
    expect(waits(execute(execute(counted(), told), { ...told, policy: 'watchdog' }))).toBe(false);
    expect(waits(execute(counted(), join('n3')))).toBe(false);
    expect(waits(execute(counted(), armed(2, 'gone')))).toBe(false);
  });

  it('not by a poll that comes late, nor of a node that is lost', () => {
    const gone = execute(counted(), armed(9, 'gone'));
    expect(waits(execute(gone, armed(7)))).toBe(false);
    expect(waits(execute(gone, armed(10)))).toBe(true);
    const unarmed = execute(execute(cluster(), join('n3')), lost);
    expect(waits(execute(unarmed, armed()))).toBe(false);
  });

  it('not by a poll that a frozen server records when a later one was told something else', () => {
    const joined = execute(cluster(), join('n3'));
    const said = { watchdog: true, armedMs: 5_000, follows: 'watchdog' } as const;
    expect(watchdogTelling(joined, 'n3', said, 'watchdog')).toEqual({ type: 'counts', timeoutMs: 5_000 });
    const changed = { ...joined, cib: cluster({ options: ON + option('systole-on-lease-loss', 'stop') }).cib };
    // The poll after it, of which nothing has to be recorded: its answer has the agent feed the watchdog to the end.
    expect(leaseLossTelling(changed, 'n3', said, NOW)).toEqual({ tell: 'stop' });
    expect(watchdogTelling(changed, 'n3', said, 'stop')).toBeUndefined();
    expect(waits(execute(changed, armed()))).toBe(false);
  });

  it('not of an agent that says nothing of its watchdog', () => {
    const old = execute(cluster(), join('n3', { watchdogMs: undefined }));
    expect(watchdogTelling(old, 'n3', { watchdog: true, follows: 'watchdog' }, 'watchdog')).toBeUndefined();
    expect(fencingStep(planned(execute(old, lost)), FENCE_N3)).toMatchObject({
      type: 'held',
      reason: expect.stringContaining('has told of no watchdog') as string,
    });
  });

  it('as long as whatever its agent may follow is to starve it, in whatever order things are told, lost and recorded', () => {
    const step = fc.record({
      does: fc.constantFrom('poll', 'join', 'lose'),
      configured: fc.constantFrom('auto', 'keep', 'stop', 'watchdog'),
      counts: fc.boolean(),
      arrives: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        let state = counted();
        let follows: LeaseLossPolicy = 'watchdog';
        let acknowledged: LeaseLossPolicy | undefined;
        let seq = 1;
        for (const { does, configured, counts, arrives } of steps) {
          const options = (counts ? ON : '') + option('systole-on-lease-loss', configured);
          const xml = threeNodes({ options }).cib;
          state = { ...state, cib: xml };
          const { incarnation = 0, membership } = memberOf(state, 'n3') ?? {};
          if (does === 'lose') {
            if (membership === 'joined') state = execute(state, { ...lost, incarnation });
          } else if (does === 'join') {
            const tell = leaseLossPolicy(state, 'n3', true, NOW);
            const decision = decide(join('n3', { onLeaseLoss: tell }), state);
            if (!decision.ok) continue;
            state = execute(state, join('n3', { onLeaseLoss: tell }));
            acknowledged = arrives ? tell : undefined;
            if (arrives) follows = tell;
          } else if (membership === 'joined') {
            seq += 1;
            const agent = { watchdog: true, follows, ...(acknowledged === undefined ? {} : { acknowledged }) };
            const { tell, record } = leaseLossTelling(state, 'n3', agent, NOW);
            if (record !== undefined) state = execute(state, { type: 'reckon-with', node: 'n3', incarnation, policy: record });
            const telling = watchdogTelling(state, 'n3', { watchdog: true, armedMs: 5_000, follows }, tell);
            if (telling !== undefined)
              state = execute(state, armed(seq, telling.type === 'counts' ? telling.timeoutMs : 'gone', incarnation));
            if (arrives) follows = acknowledged = tell;
          }
          const counting: ClusterState = { ...state, cib: threeNodes({ options: ON }).cib };
          if (watchdogWaitMs(counting, 'n3') !== undefined) expect(follows).toBe('watchdog');
        }
      }),
    );
  });
});

describe('an attempt by the watchdog of the target', () => {
  it('is counted from the loss by nobody but the server, and has fenced the node then', () => {
    const state = requested(execute(counted(), lost));
    expect(Object.values(state.fencing)).toMatchObject([{ target: 'n3', device: 'watchdog', executor: 'n3', watchdogMs: 10_000 }]);
    const [attempt] = Object.values(state.fencing);
    if (attempt === undefined) throw new Error('no attempt');
    expect(fencingStep(state, FENCE_N3)).toMatchObject({ type: 'count' });
    expect(countingOf(state, attempt)).toMatchObject({ type: 'since-lost', version: memberOf(state, 'n3')?.lostVersion, forMs: 10_000 });
    const result = { fencingId: 'f1', target: 'n3', action: 'reboot', device: 'watchdog', executor: 'n3', outcome: 'succeeded' } as const;
    const claimed = execute(state, { type: 'complete-fencing', result: { ...result, incarnation: 2 } });
    expect(memberOf(claimed, 'n3')?.membership).toBe('lost');
    const done = execute(state, { type: 'complete-fencing', result });
    expect(memberOf(done, 'n3')?.membership).toBe('down');
  });

  it('proves nothing while the target holds its lease, which it is not given again; and is refused to be completed', () => {
    const state = requested(execute(counted(), { type: 'fence-node', node: 'n3' }));
    const [attempt] = Object.values(state.fencing);
    if (attempt === undefined) throw new Error('no attempt');
    expect(countingOf(state, attempt).type).toBe('until-lost');
    const result = { fencingId: 'f1', target: 'n3', action: 'reboot', device: 'watchdog', executor: 'n3', outcome: 'succeeded' } as const;
    expect(decide({ type: 'complete-fencing', result }, state)).toMatchObject({ ok: false, rejection: { code: 'stale-decision' } });
    expect(decide(join('n3'), state)).toMatchObject({ ok: false, rejection: { code: 'reset-ordered' } });
    const failed = execute(state, { type: 'complete-fencing', result: { ...result, outcome: 'failed' } });
    expect(failed.fencingFailures).toEqual({});
    expect(decide(join('n3'), failed)).toMatchObject({ ok: true });
  });

  it('keeps the same boot from joining, which would feed it again, and not another one: the machine was reset', () => {
    const state = requested(execute(counted(), lost));
    expect(decide(join('n3'), state)).toMatchObject({ ok: false, rejection: { code: 'reset-ordered' } });
    const again = execute(state, join('n3', { bootId: 'b2', uptimeMs: 1_000, silentMs: 20_000 }));
    const [attempt] = Object.values(again.fencing);
    expect(memberOf(again, 'n3')?.membership).toBe('joined');
    expect(attempt && countingOf(again, attempt)).toMatchObject({ type: 'void' });
  });
});

describe('which nodes their watchdogs fence', () => {
  const plan = (state: ClusterState): unknown =>
    fencingPlan(state, 'n3', 'reboot').map((turns) => turns.map((turn) => `${turn.action} ${turn.device.id}`));

  it('without levels those that no device can fence', () => {
    expect(plan(counted())).toEqual([['reboot watchdog']]);
    expect(plan(counted(cluster({ resources: device('f') })))).toEqual([['reboot f']]);
    expect(plan(counted(cluster({ resources: device('f', { pcmk_host_list: 'n1' }) })))).toEqual([['reboot watchdog']]);
  });

  it('where a level names it, in turn; switched on again are others only', () => {
    const resources = device('f');
    expect(plan(counted(cluster({ resources, levels: level(1, 'f') + level(2, 'watchdog') })))).toEqual([
      ['reboot f'],
      ['reboot watchdog'],
    ]);
    expect(plan(counted(cluster({ resources, levels: level(1, 'f,watchdog') })))).toEqual([['off f', 'off watchdog', 'on f']]);
    expect(plan(cluster({ resources, levels: level(1, 'f') + level(2, 'watchdog') }))).toEqual([['reboot f']]);
  });

  it('by the list of the primitive that stands for them', () => {
    const primitive = (list: string): string => device('wd', { pcmk_host_list: list }).replace('fence_test', 'fence_watchdog');
    expect(plan(counted(cluster({ resources: primitive('n3') })))).toEqual([['reboot wd']]);
    expect(plan(counted(cluster({ resources: primitive('n1 n2') })))).toEqual([]);
    expect(countsOnWatchdog(cluster({ resources: primitive('n1 n2') }), 'n3')).toBe(false);
  });

  it('and to these it is told to starve it, where they feed one', () => {
    const levels = level(1, 'f') + level(2, 'watchdog');
    const policyOf = (state: ClusterState, watchdog: boolean): LeaseLossPolicy => leaseLossPolicy(state, 'n3', watchdog, NOW);
    expect(policyOf(cluster({ resources: device('f') }), true)).toBe('keep');
    expect(policyOf(cluster({ resources: device('f'), levels }), true)).toBe('watchdog');
    expect(policyOf(cluster({ resources: device('f'), levels }), false)).toBe('keep');
    expect(policyOf(cluster(), true)).toBe('watchdog');
    expect(policyOf(cluster(), false)).toBe('stop');
  });
});

it('have-watchdog says the truth, whatever was written', () => {
  expect(untrueHaveWatchdog(cluster(), NOW)).toBeUndefined();
  const joined = execute(cluster(), join('n3'));
  expect(untrueHaveWatchdog(joined, NOW)).toBe(true);
  const noted = execute(joined, { type: 'note-have-watchdog', haveWatchdog: true });
  expect(untrueHaveWatchdog(noted, NOW)).toBeUndefined();
  expect(JSON.stringify(noted.cib)).toContain('have-watchdog');
  expect(untrueHaveWatchdog(cluster({ options: option('have-watchdog', 'true') }), NOW)).toBe(false);
});
