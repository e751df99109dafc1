import { describe, expect, it } from 'vitest';
import { checkIncarnation } from '../commands/decide-nodes.js';
import type { ReportedResult } from '../commands/agent-command.js';
import type { BeginEpoch } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import { historyOf } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { planningHold } from '../lease/planning-hold.js';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, planned, threeNodes } from '../testing/stream.js';
import { activationHold as holdAt } from './activation-hold.js';
import { nextIncarnation } from './incarnations.js';
import { tellingsOf, waitAfter } from './tellings.js';
import { epochOf, judgeWitness, type LogHead } from './witness.js';
import { reportedResult } from '../testing/reported-result.js';

const activationHold = (state: ClusterState) => holdAt(state, 0);
const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';
const CLUSTER = 'cluster-1';
const witness = (epoch: string, version = 120, hash = 'aa'): LogHead => ({ epoch, version, hash });
const restored = (epoch: string): BeginEpoch => ({
  type: 'begin-epoch',
  clusterId: CLUSTER,
  epoch,
  reason: 'yesterday’s copy was put back',
  by: 'a person',
});
const begin = (epoch: string, shown = witness(CLUSTER)): BeginEpoch => ({
  ...restored(epoch),
  reason: 'n1 was told of version 120, which the log does not have',
  by: 'n1',
  witness: shown,
});
const join = (node: string) => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 }) as const;
const startOfDb = (changes: Partial<ReportedResult> = {}): ReportedResult =>
  reportedResult('db', { actionId: `${CLUSTER}:1:7`, transitionKey: `7:1:0:${CLUSTER}`, ...changes });
const lifeOf = (state: ClusterState, node: string): number => state.nodes[node]?.incarnation ?? 0;
const historyOfDb = (state: ClusterState, node: string) => {
  const member = state.nodes[node];
  return member && historyOf(nodeStateOf(state.cib, member), 'db');
};

describe('a head that somebody was told', () => {
  const state = threeNodes();
  const later = execute(state, begin('e2', witness('lost-epoch')));

  it('says nothing when the log has it, and that the log went back when it has not', () => {
    expect(judgeWitness(state, CLUSTER, witness(CLUSTER, 2), 'aa')).toBe('contained');
    expect(judgeWitness(state, CLUSTER, witness(CLUSTER, 2), 'bb')).toBe('contradicted');
    expect(judgeWitness(state, CLUSTER, witness(CLUSTER), undefined)).toBe('contradicted');
  });

  it('of an epoch that the log does not name speaks of a tail that was lost', () => {
    expect(judgeWitness(state, CLUSTER, witness('lost-epoch'), undefined)).toBe('contradicted');
    expect(judgeWitness(state, CLUSTER, witness('lost-epoch', 2), 'bb')).toBe('contradicted');
  });

  it('of an epoch that is known to be over proves nothing new, whichever way it ended', () => {
    const certain = execute(later, restored('e3'));
    for (const epoch of [CLUSTER, 'lost-epoch', 'e2'])
      expect(judgeWitness(certain, CLUSTER, witness(epoch, 300), undefined)).toBe('earlier-epoch');
    expect(judgeWitness(certain, CLUSTER, witness('e3', 300), undefined)).toBe('contradicted');
  });

  it('of an epoch that a mere word ended may prove that the log did go back, when the log does not have it', () => {
    expect(judgeWitness(later, CLUSTER, witness(CLUSTER), undefined)).toBe('told-only');
    expect(judgeWitness(later, CLUSTER, witness('lost-epoch', 300), undefined)).toBe('told-only');
    expect(judgeWitness(later, CLUSTER, witness(CLUSTER, 2), 'bb')).toBe('told-only');
    expect(judgeWitness(later, CLUSTER, witness(CLUSTER, 2), 'aa')).toBe('earlier-epoch');
    expect(judgeWitness(later, CLUSTER, witness('e2', 300), undefined)).toBe('contradicted');
  });
});

describe('a new epoch of the log', () => {
  it('begins once, however many witnesses tell of the same loss', () => {
    const once = execute(threeNodes(), begin('e2'));
    expect(epochOf(once, CLUSTER)).toBe('e2');
    expect(decide(begin('e3'), once)).toEqual({ ok: true, events: [] });
    expect(decide(begin('e3', witness('e2', 200)), once)).toMatchObject({ events: [{ type: 'EpochBegan', data: { previous: 'e2' } }] });
    expect(decide(restored('e3'), once)).toMatchObject({ events: [{ type: 'EpochBegan', data: { epoch: 'e3' } }] });
  });

  it('begins once by the word of one node, whoever else believes it at the same time', () => {
    const tale = (epoch: string, told: number): BeginEpoch => ({ ...begin(epoch, witness(`tale-${epoch}`)), told });
    const once = execute(threeNodes(), tale('e2', 0));
    expect(tellingsOf(once, 'n1')).toMatchObject({ times: 1 });
    expect(decide(tale('e3', 0), once)).toEqual({ ok: true, events: [] });
    const twice = execute(once, tale('e3', 1), { ...restored('e4'), by: 'n1' });
    expect(tellingsOf(twice, 'n1')).toMatchObject({ times: 2 });
    expect([undefined, once, twice].map((state) => waitAfter(state && tellingsOf(state, 'n1')))).toEqual([0, 300_000, 600_000]);
    expect(waitAfter({ times: 5_000, at: '' })).toBe(3_600_000);
  });

  it('that a seal proved makes nobody suspect who showed it, however often the database is restored', () => {
    const sealed = (epoch: string): BeginEpoch => ({ ...begin(epoch, witness(`lost-${epoch}`)), proven: true });
    const twice = execute(threeNodes(), sealed('e2'), sealed('e3'));
    expect(twice.epoch?.id).toBe('e3');
    expect(tellingsOf(twice, 'n1')).toBeUndefined();
    expect(tellingsOf(execute(twice, begin('e4', witness('tale'))), 'n1')).toMatchObject({ times: 1 });
  });

  it('ends every lease: all nodes have to join anew, and are told why', () => {
    const before = threeNodes();
    const after = execute(before, begin('e2'));
    expect(Object.values(after.nodes).map(({ membership }) => membership)).toEqual(['unheard', 'unheard', 'unheard']);
    expect(checkIncarnation(after, 'n1', 1)?.rejection).toMatchObject({ status: 409, code: 'log-epoch-changed' });
    const joined = execute(after, join('n1'));
    expect(checkIncarnation(joined, 'n1', lifeOf(joined, 'n1'))).toBeUndefined();
  });

  it('uses no number of a life again that the lost tail may have given: neither to nodes that it knows nor to others, whatever became of them', () => {
    const copy = threeNodes();
    const lostTail = execute(copy, join('n1'), join('n1'), join('n4'));
    expect([lifeOf(lostTail, 'n1'), lifeOf(lostTail, 'n4')]).toEqual([3, 1]);
    const restoredOnce = execute(copy, begin('e2'));
    const down = execute(restoredOnce, { type: 'confirm-node-down', node: 'n1' });
    for (const state of [execute(restoredOnce, join('n1'), join('n4')), execute(down, join('n1'), join('n4'))]) {
      expect(lifeOf(state, 'n1')).toBeGreaterThan(1_000);
      expect(lifeOf(state, 'n4')).toBeGreaterThan(1_000);
    }
    const once = execute(restoredOnce, join('n1'), join('n1'));
    const twice = execute(copy, begin('e3', witness('e2', 200)), join('n1'), join('n1'));
    const later = execute(once, begin('e4', witness('e2', 300)), join('n1'));
    expect(Math.abs(lifeOf(once, 'n1') - lifeOf(twice, 'n1'))).toBeGreaterThanOrEqual(999);
    expect(lifeOf(later, 'n1') - lifeOf(once, 'n1')).toBeGreaterThan(500);
  });

  it('leaves numbers for lives however many epochs begin', () => {
    const first = execute(threeNodes(), begin('e2'));
    const earlier = Array.from({ length: 1_000_000 }, () => 'e');
    const many: ClusterState = { ...first, ...(first.epoch === undefined ? {} : { epoch: { ...first.epoch, earlier } }) };
    expect(nextIncarnation(many, 'n1')).toBeLessThan(2 ** 31 - 1_000_000);
  });

  it('believes nothing of what was recorded of nodes before: they are probed, and what is told of the time before does not count', () => {
    const started = execute(threeNodes({ resources: DB }), { type: 'record-results', node: 'n1', incarnation: 1, results: [startOfDb()] });
    expect(historyOfDb(started, 'n1')).toBeDefined();
    const again = execute(started, begin('e2'), join('n1'));
    expect(historyOfDb(again, 'n1')).toBeUndefined();
    const told = execute(again, {
      type: 'record-results',
      node: 'n1',
      incarnation: lifeOf(again, 'n1'),
      results: [startOfDb({ resultId: 'r2', callId: 2 })],
    });
    expect(historyOfDb(told, 'n1')).toBeUndefined();
    const key = { transitionKey: '7:1:0:e2', actionId: 'e2:1:7', resultId: 'r3' };
    const now = execute(told, { type: 'record-results', node: 'n1', incarnation: lifeOf(told, 'n1'), results: [startOfDb(key)] });
    expect(historyOfDb(now, 'n1')).toBeDefined();
  });

  it('takes no result of the lost tail for one of a transition that has the same number', () => {
    const joined = execute(threeNodes({ resources: DB }), begin('e2'), join('n1'), join('n2'), join('n3'));
    const running = planned(joined);
    const number = running.transition?.number ?? 0;
    const lost = startOfDb({ transitionKey: `7:${String(number)}:0:${CLUSTER}` });
    const told = execute(running, { type: 'record-results', node: 'n1', incarnation: lifeOf(running, 'n1'), results: [lost] });
    expect(told.transition).toMatchObject({ status: 'running', results: { length: 0 } });
    expect(told.recompute).toBeUndefined();
  });

  it('ends a running transition', () => {
    expect(execute(planned(threeNodes()), begin('e2')).transition?.status).toBe('aborting');
  });
});

describe('after the log went back', () => {
  const at = (state: ClusterState, now: number) => planningHold(state, (_cause, moment) => now - moment, now);
  const epoch = execute(threeNodes(), begin('e2'));

  it('the nodes get dc-deadtime from the first join on before anything is planned', () => {
    expect(at(epoch, 0)).toMatchObject({ forMs: Number.POSITIVE_INFINITY });
    const one = execute(epoch, join('n1'));
    const joinedAt = Date.parse(one.firstJoinAt ?? '');
    expect(at(one, joinedAt + 1_000)).toEqual({ forMs: 19_000, reason: 'waiting for n2, n3 to join' });
    expect(at(one, joinedAt + 20_000)).toBeUndefined();
  });

  it('nothing is planned for as long as nodes that the log can’t know may need to join, whoever has joined', () => {
    const all = execute(epoch, join('n1'), join('n2'), join('n3'));
    const joinedAt = Date.parse(all.firstJoinAt ?? '');
    expect(at(all, joinedAt + 19_000)).toEqual({ forMs: 1_000, reason: expect.stringContaining('are not known to it') as string });
    expect(at(all, joinedAt + 20_000)).toBeUndefined();
    const longLease = execute(epoch, join('n1'), join('n2'), { ...join('n3'), leaseMs: 30_000 });
    expect(at(longLease, joinedAt + 20_000)).toMatchObject({ forMs: 20_000 });
    expect(at(planned(all), joinedAt)).toBeUndefined();
  });

  it('nothing is started before each node was heard of, fenced or confirmed down', () => {
    expect(activationHold(threeNodes())).toBeUndefined();
    expect(activationHold(epoch)?.nodes).toEqual(['n1', 'n2', 'n3']);
    const two = execute(epoch, join('n1'), join('n2'));
    expect(activationHold(two)?.reason).toContain('n3 may run resources');
    expect(activationHold(execute(two, join('n3')))).toBeUndefined();
    expect(activationHold(execute(two, { type: 'confirm-node-down', node: 'n3' }))).toBeUndefined();
    const three = execute(two, join('n3'));
    const heardAndLost = execute(three, { type: 'lose-lease', node: 'n3', incarnation: lifeOf(three, 'n3'), expiredAt: 'x' });
    expect(activationHold(heardAndLost)).toBeUndefined();
  });

  it('a node that had left, or was down, by yesterday’s log is not fenced for that, however many epochs begin', () => {
    const presence = (of: ClusterState, node: string) => {
      const member = of.nodes[node];
      return member && nodeStateOf(of.cib, member)?.attributes['expected'];
    };
    const before = execute(
      threeNodes(),
      { type: 'leave-node', node: 'n3', incarnation: 1 },
      { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: 'x' },
      { type: 'confirm-node-down', node: 'n2' },
    );
    const twice = execute(before, restored('e2'), restored('e3'), join('n1'));
    expect(['n1', 'n2', 'n3'].map((node) => presence(twice, node))).toEqual(['member', 'down', 'down']);
    expect(activationHold(twice)?.nodes).toEqual(['n2', 'n3']);
    const back = execute(twice, join('n3'), { type: 'confirm-node-down', node: 'n2' });
    expect(activationHold(back)).toBeUndefined();
    const lost = execute(back, { type: 'lose-lease', node: 'n3', incarnation: 2, expiredAt: 'x' });
    expect(presence(lost, 'n3')).toBe('member');
    expect(presence(execute(lost, restored('e4')), 'n3')).toBe('member');
  });

  it('a node that had left, or was down, by yesterday’s log is waited for like the others', () => {
    const left = execute(threeNodes(), { type: 'leave-node', node: 'n3', incarnation: 1 }, begin('e2'), join('n1'), join('n2'));
    expect(activationHold(left)?.nodes).toEqual(['n3']);
  });
});
