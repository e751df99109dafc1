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
const announced = (seq: number, incarnation = 2): ClusterCommand => ({
  ...{ type: 'note-watchdog', node: 'n3', incarnation, seq, timeoutMs: 5_000, announced: true },
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
    ['6s', 10_000],
    ['11s', 11_000],
    ['-1', 10_000],
    ['-10s', 10_000],
    ['0', undefined],
    ['-0s', undefined],
  ])('fencing-watchdog-timeout %s', (value, expected) => {
    expect(waitOf(option('fencing-watchdog-timeout', value))).toBe(expected);
  });

  it('is never less than twice the time-out: an agent may stand still between looking whether it may feed the watchdog and feeding it', () => {
    expect(waitOf(option('stonith-watchdog-timeout', '1s'), 60_000)).toBe(120_000);
    expect(waitOf(option('stonith-watchdog-timeout', '1s'), 1_000)).toBe(4_000);
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
    expect(waits(execute(gone, announced(7)))).toBe(false);
    const again = execute(gone, announced(10));
    expect(waits(again)).toBe(false);
    expect(waits(execute(again, armed(9)))).toBe(false);
    expect(waits(execute(again, armed(11)))).toBe(true);
    const unarmed = execute(execute(cluster(), join('n3')), lost);
    expect(waits(execute(unarmed, armed()))).toBe(false);
  });

  it('not by a poll that a frozen server records when a later one was told something else', () => {
    const joined = execute(cluster(), join('n3'));
    const said = { watchdog: true, armedMs: 5_000, follows: 'watchdog' } as const;
    expect(watchdogTelling(joined, 'n3', said, 'watchdog')).toEqual({ type: 'counts', timeoutMs: 5_000 });
    const changed = { ...joined, cib: cluster({ options: ON + option('systole-on-lease-loss', 'stop') }).cib };
    // The answer to the poll after it has the agent feed the watchdog to the end.
    expect(leaseLossTelling(changed, 'n3', said, NOW)).toEqual({ tell: 'stop' });
    expect(watchdogTelling(changed, 'n3', said, 'stop')).toEqual({ type: 'void' });
    const told = execute(changed, armed(2, 'gone'));
    expect(waits(execute(told, armed()))).toBe(false);
    expect(waits(execute({ ...told, cib: joined.cib }, armed()))).toBe(false);
  });

  it('not by a poll that a frozen server records when a later one has said that the watchdog is gone', () => {
    const gone = execute(counted(), armed(2, 'gone'));
    const said = { watchdog: true, armedMs: 5_000, follows: 'watchdog' } as const;
    // There again, and gone again at the next poll, of which nothing is recorded.
    expect(watchdogTelling(gone, 'n3', said, 'watchdog')).toEqual({ type: 'announced', timeoutMs: 5_000 });
    expect(watchdogTelling(gone, 'n3', { watchdog: false, follows: 'stop' }, 'stop')).toBeUndefined();
    const thawed = execute(gone, announced(3));
    expect(waits(thawed)).toBe(false);
    expect(watchdogTelling(thawed, 'n3', { watchdog: false, follows: 'stop' }, 'stop')).toEqual({ type: 'void' });
  });

  it('by the longest time that was told of it within its life, until nobody counts on it any more', () => {
    const said = (armedMs: number) => ({ watchdog: true, armedMs, follows: 'watchdog' }) as const;
    const longer = { type: 'note-watchdog', node: 'n3', incarnation: 2, timeoutMs: 60_000, seq: 4 } as const;
    const state = execute(counted(), longer);
    expect(watchdogTelling(counted(), 'n3', said(60_000), 'watchdog')).toEqual({ type: 'counts', timeoutMs: 60_000, grows: true });
    expect(watchdogWaitMs(state, 'n3')).toBe(120_000);
    // Shorter again: what was armed with the longer time may go on.
    expect(watchdogTelling(state, 'n3', said(5_000), 'watchdog')).toBeUndefined();
    expect(watchdogWaitMs(execute(state, { ...longer, timeoutMs: 5_000, seq: 5 }), 'n3')).toBe(120_000);
    const gone = execute(state, armed(6, 'gone'));
    expect(watchdogTelling(gone, 'n3', said(5_000), 'watchdog')).toEqual({ type: 'announced', timeoutMs: 5_000 });
  });

  it('not of an agent that says nothing of its watchdog', () => {
    const old = execute(cluster(), join('n3', { watchdogMs: undefined }));
    expect(watchdogTelling(old, 'n3', { watchdog: true, follows: 'watchdog' }, 'watchdog')).toBeUndefined();
    expect(fencingStep(planned(execute(old, lost)), FENCE_N3)).toMatchObject({
      type: 'held',
      reason: expect.stringContaining('has told of no watchdog') as string,
    });
  });

  it('as long as whatever its agent may follow is to starve it, in whatever order things are told, lost, recorded and recorded late', () => {
    const step = fc.record({
      does: fc.constantFrom('poll', 'poll', 'poll', 'thaw', 'thaw', 'join', 'lose'),
      configured: fc.constantFrom('auto', 'auto', 'auto', 'watchdog', 'keep', 'stop'),
      counts: fc.boolean(),
      /** The answer arrives. */
      arrives: fc.boolean(),
      /** The watchdog can be fed, as the poll says. */
      has: fc.boolean(),
      /** The server freezes before it records anything. */
      freezes: fc.boolean(),
    });
    const cibs = new Map<string, ClusterState['cib']>();
    const configuredAs = (policy: string, counts: boolean): ClusterState['cib'] => {
      const options = (counts ? ON : '') + option('systole-on-lease-loss', policy);
      const cib = cibs.get(options) ?? threeNodes({ options }).cib;
      cibs.set(options, cib);
      return cib;
    };
    const begin = counted();
    fc.assert(
      fc.property(fc.array(step, { maxLength: 16 }), (steps) => {
        let state = begin;
        let follows: LeaseLossPolicy = 'watchdog';
        let acknowledged: LeaseLossPolicy | undefined;
        let fed = true;
        let isHeard = true;
        let seq = 1;
        const late: ClusterCommand[] = [];
        for (const { does, configured, counts, arrives, has, freezes } of steps) {
          state = { ...state, cib: configuredAs(configured, counts) };
          const { incarnation = 0, membership } = memberOf(state, 'n3') ?? {};
          if (does === 'lose') {
            if (membership === 'joined') state = execute(state, { ...lost, incarnation });
          } else if (does === 'thaw') {
            const command = late.shift();
            if (command !== undefined && decide(command, state).ok) state = execute(state, command);
          } else if (does === 'join') {
            const tell = leaseLossPolicy(state, 'n3', has, NOW);
            const command = join('n3', { onLeaseLoss: tell, watchdogMs: has ? 5_000 : undefined });
            if (!decide(command, state).ok) continue;
            state = execute(state, command);
            acknowledged = arrives ? tell : undefined;
            if (arrives) follows = tell;
            [fed, isHeard, seq] = [has, true, 0];
          } else if (membership === 'joined') {
            seq += 1;
            fed = has;
            const now = follows === 'watchdog' && !fed ? 'stop' : follows;
            const agent = { watchdog: fed, follows: now, ...(acknowledged === undefined ? {} : { acknowledged }) };
            const { tell, record } = leaseLossTelling(state, 'n3', agent, NOW);
            const reckon = record === undefined ? [] : [{ type: 'reckon-with', node: 'n3', incarnation, policy: record } as const];
            const said = { watchdog: fed, ...(fed ? { armedMs: 5_000 } : {}), follows: now };
            isHeard = !freezes;
            if (freezes) {
              const telling = watchdogTelling(all(state, reckon), 'n3', said, tell);
              late.push(...reckon, ...noted(telling, seq, incarnation));
              continue;
            }
            state = all(state, reckon);
            state = all(state, noted(watchdogTelling(state, 'n3', said, tell), seq, incarnation));
            if (arrives) follows = acknowledged = tell;
          }
          const counting: ClusterState = { ...state, cib: configuredAs('auto', true) };
          if (isHeard && watchdogWaitMs(counting, 'n3') !== undefined) expect([follows, fed]).toEqual(['watchdog', true]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const all = (state: ClusterState, commands: readonly ClusterCommand[]): ClusterState =>
  commands.reduce((before, command) => execute(before, command), state);

function noted(telling: ReturnType<typeof watchdogTelling>, seq: number, incarnation: number): readonly ClusterCommand[] {
  if (telling === undefined) return [];
  if (telling.type === 'announced') return [announced(seq, incarnation)];
  return [armed(seq, telling.type === 'counts' ? telling.timeoutMs : 'gone', incarnation)];
}

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

it('have-watchdog stays true when the only node that has one is lost, reset, or can not feed it for a while; not when its agent joins without one', () => {
  const noted = execute(counted(), { type: 'note-have-watchdog', haveWatchdog: true });
  const reset = execute(execute(noted, lost), { type: 'confirm-node-down', node: 'n3' });
  expect(memberOf(reset, 'n3')?.membership).toBe('down');
  expect(untrueHaveWatchdog(reset, NOW)).toBeUndefined();
  expect(untrueHaveWatchdog(execute(noted, armed(2, 'gone')), NOW)).toBeUndefined();
  const without = execute(noted, join('n3', { watchdogMs: undefined }));
  expect(untrueHaveWatchdog(without, NOW)).toBe(false);
});
