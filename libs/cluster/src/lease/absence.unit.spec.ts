import { serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import type { ClusterEvent } from '../events/cluster-event.js';
import { fencingHold, fencingLimit, heldFencing } from '../fencing/fencing-limit.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { evolve } from '../state/evolve.js';
import { execute, option, planned, threeNodes } from '../testing/stream.js';
import { planningHold } from './planning-hold.js';

const join = (node: string): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 });
const lose = (state: ClusterState, ...nodes: string[]): ClusterState =>
  execute(
    state,
    ...nodes.map((node): ClusterCommand => ({
      type: 'lose-lease',
      node,
      incarnation: memberOf(state, node)?.incarnation ?? 0,
      expiredAt: 'x',
    })),
  );
const quorum = (quorate: boolean): ClusterCommand => ({ type: 'change-quorum', quorate, votes: quorate ? 2 : 0, expectedVotes: 3 });
/** What is held `afterMs` after the newest event. */
const holdAt = (state: ClusterState, afterMs: number, overdue?: ReadonlyMap<string, number>) =>
  planningHold(state, (_cause, moment) => Date.UTC(2026, 0, 1) + state.version * 1000 + afterMs - moment, Date.UTC(2026, 0, 1), overdue);
const three = threeNodes();
/** So many events that change nothing of all this, a second each. */
const waiting = (events: number): readonly ClusterCommand[] =>
  Array.from({ length: events }, (_, index) => ({
    type: 'set-node-attribute',
    node: 'n1',
    name: 'a',
    value: String(index),
    lifetime: 'reboot',
  }));

describe('nodes that are missing', () => {
  it('one that is lost alone is fenced at once', () => {
    expect(holdAt(lose(three, 'n3'), 0)).toBeUndefined();
  });

  it('get dc-deadtime when several are lost at once: they may all have been cut off', () => {
    const two = lose(three, 'n2', 'n3');
    expect(holdAt(two, 0)).toEqual({ forMs: 20_000, reason: 'n2, n3 were lost at once: waiting for them to come back' });
    expect(holdAt(two, 20_000)).toBeUndefined();
  });

  it('get it from their loss on, though others that were lost with them are back before', () => {
    const back = execute(lose(three, 'n2', 'n3'), join('n2'));
    expect(holdAt(back, 0)).toEqual({ forMs: 19_000, reason: 'n3 was not lost alone: waiting for it to come back' });
    expect(holdAt(back, 19_000)).toBeUndefined();
    expect(holdAt(execute(back, join('n3')), 0)).toBeUndefined();
    const between = lose(execute(lose(three, 'n2'), join('n2')), 'n3');
    expect(holdAt(between, 0)?.reason).toBe('n3 was not lost alone: waiting for it to come back');
    expect(holdAt(lose(planned(execute(lose(three, 'n2'), join('n2'))), 'n3'), 0)?.forMs).toBe(20_000);
  });

  it('get it though those that were overdue at their loss have renewed their leases in time', () => {
    const command = { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: 'x', overdue: ['n1', 'n3'] } as const;
    const lost = execute(three, command);
    expect(holdAt(lost, 0)).toEqual({ forMs: 20_000, reason: 'n2 was not lost alone: waiting for it to come back' });
    expect(holdAt(lost, 20_000)).toBeUndefined();
    expect(holdAt(execute(three, { ...command, overdue: [] }), 0)).toBeUndefined();
  });

  it('get it though those that were lost with them are lost once more', () => {
    const again = lose(execute(lose(three, 'n2', 'n3'), join('n2'), ...waiting(6)), 'n2');
    expect(holdAt(again, 0)).toEqual({ forMs: 12_000, reason: 'n3 was not lost alone: waiting for it to come back' });
  });

  it('get it though the clock was set forward between their losses', () => {
    const later = evolve(lose(three, 'n2'), {
      version: 6,
      occurredAt: '2026-01-01T09:00:00.000Z',
      actor: 'test',
      correlationId: 'c',
      event: { type: 'NodeLeaseLost', data: { node: 'n3', incarnation: 1, expiredAt: 'x' } },
    });
    const seen = (state: ClusterState) => planningHold(state, () => 3_000, Date.UTC(2026, 0, 1))?.forMs;
    expect(seen(execute(later, join('n2')))).toBe(17_000);
    // A worker that has just taken over sees all losses at once: of those that a plan has seen it goes by the dates.
    const old = lose(planned(execute(lose(three, 'n2'), join('n2'), ...waiting(6))), 'n3');
    expect(seen(old)).toBeUndefined();
  });

  it('get it once each: a node that is dead is not waited for longer because others come and go', () => {
    const flap = (state: ClusterState): ClusterState => execute(lose(execute(state, ...waiting(5)), 'n2'), join('n2'));
    const dead = lose(three, 'n2', 'n3');
    const flapping = lose(flap(flap(execute(dead, join('n2')))), 'n2');
    // 16 s after the loss of n3.
    expect(holdAt(flapping, 0)?.forMs).toBe(4_000);
    expect(holdAt(flapping, 4_000)).toBeUndefined();
    const together = lose(execute(dead, join('n2'), join('n3'), ...waiting(10)), 'n2', 'n3');
    expect(holdAt(together, 0)?.forMs).toBe(6_000);
    // A plan was made for them, or they were back for so long: what happens then is another fault.
    expect(holdAt(lose(execute(dead, join('n2'), join('n3'), ...waiting(20)), 'n2', 'n3'), 0)?.forMs).toBe(20_000);
    expect(holdAt(lose(planned(execute(dead, join('n2'), join('n3'), ...waiting(10))), 'n2', 'n3'), 0)?.forMs).toBe(20_000);
  });

  it('were not lost at once when more than a lease lies between', () => {
    const first = lose(three, 'n3');
    const later = lose(execute(first, ...waiting(6)), 'n2');
    expect(holdAt(execute(later), 0)).toBeUndefined();
  });

  it('are waited for when others that are overdue may follow', () => {
    const one = lose(three, 'n3');
    expect(holdAt(one, 0, new Map([['n2', 1_500]]))).toEqual({
      forMs: 1_500,
      reason: 'n3 was lost, and n2 is overdue: they may have been cut off together',
    });
    expect(holdAt(three, 0, new Map([['n2', 1_500]]))).toBeUndefined();
  });

  it('are not waited for longer than a lease from the loss, though others renew late each time', () => {
    const one = lose(three, 'n3');
    const late = new Map([['n2', 1_500]]);
    expect(holdAt(one, 4_000, late)?.forMs).toBe(1_000);
    expect(holdAt(one, 5_000, late)).toBeUndefined();
  });

  it('are waited for as long as the last of those that are overdue and joined still', () => {
    const one = lose(three, 'n3');
    const overdue = (...late: (readonly [string, number])[]) => holdAt(one, 0, new Map(late));
    expect(overdue(['n1', 500], ['n2', 1_500])).toEqual({
      forMs: 1_500,
      reason: 'n3 was lost, and n1, n2 are overdue: they may have been cut off together',
    });
    expect(overdue(['n3', 1_500])).toBeUndefined();
    expect(overdue(['stranger', 1_500])).toBeUndefined();
  });

  it('were lost at once when the longer of their leases lies between, whoever was lost first', () => {
    const withLeases = (first: number, second: number): ClusterState =>
      execute(three, { ...join('n2'), leaseMs: first } as ClusterCommand, { ...join('n3'), leaseMs: second } as ClusterCommand);
    const apart = (first: number, second: number, losses: readonly [string, string]) => {
      const one = lose(withLeases(first, second), losses[0]);
      return holdAt(lose(execute(one, ...waiting(6)), losses[1]), 0);
    };
    for (const losses of [['n2', 'n3'] as const, ['n3', 'n2'] as const]) {
      expect(apart(7_000, 1_000, losses)?.forMs).toBe(20_000);
      expect(apart(1_000, 7_000, losses)?.forMs).toBe(20_000);
      expect(apart(6_999, 6_999, losses)).toBeUndefined();
    }
  });

  it('get dc-deadtime from the first that comes back when all were lost', () => {
    const none = lose(three, 'n1', 'n2', 'n3');
    expect(holdAt(none, 60_000)?.forMs).toBe(Number.POSITIVE_INFINITY);
    const one = execute(none, join('n1'));
    expect(holdAt(one, 1_000)).toEqual({ forMs: 19_000, reason: 'waiting for n2, n3 to come back' });
    expect(holdAt(one, 20_000)).toBeUndefined();
  });

  it('get it though the clock was set back before the first came back, or quorum was regained', () => {
    const back = (state: ClusterState, event: ClusterEvent) =>
      evolve(state, { version: state.version + 1, occurredAt: '2025-12-31T23:00:00.000Z', actor: 'test', correlationId: 'c', event });
    const joinOf = (node: string): ClusterEvent => ({
      type: 'NodeJoined',
      data: { node, nodeId: node, incarnation: 2, leaseMs: 5000, agentVersion: '1' },
    });
    const none = lose(three, 'n1', 'n2', 'n3');
    const waits = (state: ClusterState) => planningHold(state, () => 60_000, Date.UTC(2026, 0, 1))?.reason;
    const fresh = (state: ClusterState) =>
      planningHold(state, (cause) => (cause.startsWith('loss of') ? 60_000 : 0), Date.UTC(2026, 0, 1))?.reason;
    const one = back(none, joinOf('n1'));
    expect(fresh(one)).toBe('waiting for n2, n3 to come back');
    expect(waits(one)).toBeUndefined();
    const without = execute(lose(execute(three, quorum(true)), 'n3'), quorum(false));
    const regained = back(without, { type: 'QuorumChanged', data: { quorate: true, votes: 2, expectedVotes: 3 } });
    expect(fresh(regained)).toBe('quorum was regained: waiting for n3 to come back');
  });

  it('get it in a cluster of two, where one has quorum', () => {
    const two = execute(three, { type: 'leave-node', node: 'n3', incarnation: 1 });
    expect(holdAt(execute(lose(two, 'n1', 'n2'), join('n2')), 0)).toEqual({ forMs: 20_000, reason: 'waiting for n1 to come back' });
  });

  it('get it when quorum is regained', () => {
    const without = execute(lose(execute(three, quorum(true)), 'n3'), quorum(false));
    const regained = execute(without, quorum(true));
    expect(holdAt(regained, 5_000)).toEqual({ forMs: 15_000, reason: 'quorum was regained: waiting for n3 to come back' });
    expect(holdAt(lose(execute(without, join('n3'), quorum(true)), 'n3'), 0)).toBeUndefined();
  });

  it('get it twice when quorum comes and goes, and then no more: else nobody would ever be fenced for as long as somebody flaps', () => {
    const lost = lose(execute(three, quorum(true)), 'n3');
    const flaps = (times: number): ClusterState =>
      Array.from({ length: times }).reduce<ClusterState>((state) => execute(state, quorum(false), quorum(true)), lost);
    expect(holdAt(flaps(1), 0)?.forMs).toBe(20_000);
    expect(holdAt(flaps(2), 0)?.forMs).toBe(20_000);
    expect(holdAt(flaps(3), 0)).toBeUndefined();
    expect(holdAt(flaps(9), 0)).toBeUndefined();
    // Who is lost after that is waited for anew.
    expect(holdAt(execute(lose(execute(flaps(9), join('n3')), 'n3'), quorum(false), quorum(true)), 0)?.forMs).toBe(20_000);
  });

  it('are not waited for when a person wants them fenced; others that were lost then still are', () => {
    const fence = (node: string): ClusterCommand => ({ type: 'fence-node', node });
    const without = execute(lose(execute(three, quorum(true)), 'n3'), quorum(false), fence('n3'));
    expect(holdAt(execute(without, quorum(true)), 0)).toBeUndefined();
    expect(holdAt(execute(lose(three, 'n1', 'n2', 'n3'), fence('n3'), fence('n2'), join('n1')), 0)).toBeUndefined();
    expect(holdAt(execute(lose(three, 'n3'), fence('n3')), 0, new Map([['n2', 1_500]]))).toBeUndefined();
    const one = execute(lose(three, 'n2', 'n3'), fence('n3'));
    expect(holdAt(one, 0)?.reason).toBe('n2 was not lost alone: waiting for it to come back');
    expect(holdAt(execute(one, fence('n2')), 0)).toBeUndefined();
    expect(holdAt(execute(lose(three, 'n1', 'n2', 'n3'), fence('n3')), 0)?.forMs).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the limit on fencing', () => {
  const AGO = (state: ClusterState, afterMs: number) => (_cause: string, moment: number) =>
    Date.UTC(2026, 0, 1) + state.version * 1000 + afterMs - moment;
  const request = (target: string, attempt = 1): ClusterCommand => ({
    type: 'request-fencing',
    request: {
      fencingId: `${target}-${String(attempt)}`,
      target,
      action: 'off',
      device: 'f',
      executor: 'n1',
      attempt,
      transition: 1,
      graphActionId: attempt,
    },
  });
  const hold = (state: ClusterState, target: string, afterMs = 0) =>
    fencingHold(state, { target, action: 'off' }, AGO(state, afterMs), Date.UTC(2026, 0, 1));
  const fenced = execute(planned(lose(three, 'n3')), request('n3'));

  it('is a minority of the nodes, at least one, unless it is set', () => {
    expect(fencingLimit(three, Date.UTC(2026, 0, 1))).toBe(1);
    expect(fencingLimit(threeNodes({ options: option('systole-fencing-limit', '2') }), Date.UTC(2026, 0, 1))).toBe(2);
    expect(fencingLimit(threeNodes({ options: option('systole-fencing-limit', '100%') }), Date.UTC(2026, 0, 1))).toBe(3);
    expect(fencingLimit(threeNodes({ options: option('systole-fencing-limit', '50%') }), Date.UTC(2026, 0, 1))).toBe(1);
  });

  it('holds the next node until ten minutes have passed, and says so', () => {
    expect(hold(three, 'n2')).toBeUndefined();
    expect(hold(fenced, 'n2')?.forMs).toBe(600_000);
    expect(hold(fenced, 'n2', 599_000)).toMatchObject({
      forMs: 1_000,
      reason: expect.stringContaining('n3 fenced within ten minutes') as string,
    });
    expect(hold(fenced, 'n2', 600_000)).toBeUndefined();
    expect(heldFencing(lose(fenced, 'n2'), [], AGO(fenced, 0), Date.UTC(2026, 0, 1)).map(({ target }) => target)).toEqual(['n2']);
  });

  it('holds no second attempt at the same node, no unfencing and no remote node', () => {
    expect(hold(fenced, 'n3')).toBeUndefined();
    expect(fencingHold(fenced, { target: 'n2', action: 'on' }, AGO(fenced, 0), Date.UTC(2026, 0, 1))).toBeUndefined();
    expect(hold(fenced, 'remote-1')).toBeUndefined();
  });

  it('never holds what a person asked for, nor counts it', () => {
    const asked = execute(fenced, { type: 'set-node-attribute', node: 'n2', name: 'terminate', value: 'true', lifetime: 'reboot' });
    expect(hold(asked, 'n2')).toBeUndefined();
    const wanted = execute(
      planned(execute(three, { type: 'set-node-attribute', node: 'n3', name: 'terminate', value: 'true', lifetime: 'reboot' })),
      request('n3'),
    );
    expect(hold(wanted, 'n2')).toBeUndefined();
  });

  it('is said also of nodes that failed while they hold a lease, and of those that never joined; a person may allow either', () => {
    const before = execute(planned(lose(threeNodes({ options: option('systole-fencing-limit', '1') }), 'n3')), request('n3'));
    const cib = serializeXml(before.cib).replace('</nodes>', '<node id="4" uname="n4"/></nodes>');
    const state = execute(before, { type: 'replace-configuration', cib });
    const held = (now: ClusterState) => heldFencing(now, ['n2', 'n4'], AGO(now, 0), Date.UTC(2026, 0, 1)).map(({ target }) => target);
    expect(held(state)).toEqual(['n2', 'n4']);
    const allowed = execute(state, { type: 'allow-fencing', node: 'n2' }, { type: 'allow-fencing', node: 'n4' });
    expect(held(allowed)).toEqual([]);
  });

  it('gives way to a person, for that node until it joins again', () => {
    const lost = lose(fenced, 'n2');
    const allowed = execute(lost, { type: 'allow-fencing', node: 'n2' });
    expect(hold(allowed, 'n2')).toBeUndefined();
    expect(hold(allowed, 'n1')).toBeDefined();
    expect(hold(execute(allowed, join('n2')), 'n2')).toBeDefined();
    expect(decide({ type: 'allow-fencing', node: 'n2' }, allowed)).toEqual({ ok: true, events: [] });
    expect(decide({ type: 'allow-fencing', node: 'x' }, lost)).toMatchObject({ ok: false, rejection: { code: 'node-not-found' } });
  });
});
