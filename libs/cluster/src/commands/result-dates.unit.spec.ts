import { readCib } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import { device } from '../fencing/testing/fencing-cluster.js';
import type { ClusterState } from '../state/cluster-state.js';
import { reportedResult } from '../testing/reported-result.js';
import { EPOCH, execute, option, planned, threeNodes } from '../testing/stream.js';
import { untilRest } from '../testing/until-rest.js';
import type { RecordResults, ReportedResult } from './agent-command.js';
import { decide } from './decide.js';

/** Epoch seconds, by the clock of the database. */
const NOW = EPOCH / 1000 + 3_600;
const HOUR = 3_600;

const DB =
  '<primitive id="db" class="ocf" provider="systole" type="Dummy"><meta_attributes id="m"><nvpair id="ft" name="failure-timeout" value="60s"/></meta_attributes>' +
  '<operations><op id="mon" name="monitor" interval="10s" timeout="20s"/></operations></primitive>';

/** `db` runs on n1, and is looked after there. */
function running(): { readonly state: ClusterState; readonly monitor: ReportedResult } {
  const before = threeNodes({
    resources: device('f') + DB,
    options: option('stonith-enabled', 'true'),
    constraints: '<rsc_location id="l" rsc="db" node="n1" score="100"/>',
  });
  const quorate = execute(before, { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 });
  const { state, asked } = untilRest(quorate, { now: NOW - 600 });
  const action = asked.find(({ resource, intervalMs }) => resource.id === 'db' && intervalMs === 10_000);
  if (action === undefined) throw new Error('db is not monitored');
  const { actionId, transitionKey, operation, intervalMs, digests } = action;
  const of = { actionId, transitionKey, operation, intervalMs, ...(digests === undefined ? {} : { digests }) };
  return { state, monitor: reportedResult('db', { ...of, rc: 7, callId: 900, recurring: true }) };
}

/** What is planned so many seconds after a result came. */
function planAfter(
  before: ClusterState,
  result: ReportedResult,
  { seconds = 2, handedOutAt = new Map<string, number>() } = {},
): readonly string[] {
  const state = execute(before, {
    type: 'record-results',
    node: 'n1',
    incarnation: 1,
    results: [result],
    received: { at: NOW * 1000, handedOutAt },
  });
  const { graph } = schedule(readCib(state.cib), { now: NOW + seconds, scores: false });
  return graph.synapses.map(({ action: { operationKey, node } }) => `${operationKey} on ${node?.name ?? 'the server'}`);
}

/** What n1's clock shows when the right one shows `at`. */
const CLOCKS: readonly (readonly [string, (at: number) => number])[] = [
  ['an hour behind', (at) => at - HOUR],
  ['an hour ahead', (at) => at + HOUR],
];

describe.each(CLOCKS)('a node whose clock is %s', (_, shown) => {
  it('has what fails there recovered, as with a right clock', () => {
    const { state, monitor } = running();
    const right = planAfter(state, { ...monitor, startedAt: NOW - 3, endedAgoMs: 3_000 });
    expect(right.join()).toContain('db_stop_0 on n1');
    expect(planAfter(state, { ...monitor, startedAt: shown(NOW - 3), endedAgoMs: 3_000 })).toEqual(right);
  });

  it('has its failures forgotten after the failure-timeout, as with a right clock', () => {
    const { state, monitor } = running();
    const right = planAfter(state, { ...monitor, startedAt: NOW - 3, endedAgoMs: 3_000 }, { seconds: 58 });
    expect(right).toContain('db_clear_failcount_0 on n1');
    expect(planAfter(state, { ...monitor, startedAt: shown(NOW - 3), endedAgoMs: 3_000 }, { seconds: 58 })).toEqual(right);
  });

  it('is fenced for a stop that failed', () => {
    const { state } = running();
    const stopping = planned(state, NOW - 10);
    const key = `7:${String(stopping.transition?.number)}:0:c`;
    const stop = reportedResult('db', { operation: 'stop', status: 'done', rc: 1, transitionKey: key, actionId: 'x', callId: 901 });
    const fenced = planAfter(stopping, { ...stop, startedAt: shown(NOW - 3), endedAgoMs: 3_000 });
    expect(fenced.join()).toContain('stonith-n1');
    const ofOldAgent = { ...stop, startedAt: shown(NOW - 3) };
    expect(planAfter(stopping, ofOldAgent)).toEqual(fenced);
    expect(planAfter(stopping, ofOldAgent, { handedOutAt: new Map([['x', (NOW - 5) * 1000]]) })).toEqual(fenced);
  });
});

describe('the date of a result', () => {
  const dated = (result: Partial<ReportedResult>, handedOutAt: ReadonlyMap<string, number> = new Map(), at = NOW * 1000) => {
    const state = planned(threeNodes({ resources: DB }), NOW - 100);
    const results = [reportedResult('db', { transitionKey: '7:1:0:c', execMs: 2_000, startedAt: 17, ...result })];
    const decision = decide({ type: 'record-results', node: 'n1', incarnation: 1, results, received: { at, handedOutAt } }, state);
    if (!decision.ok || decision.events[0]?.type !== 'OperationRecorded') throw new Error('it is not recorded');
    const { lastRcChange, startedAt } = decision.events[0].data;
    expect(startedAt).toBe(result.startedAt ?? 17);
    return lastRcChange - NOW;
  };

  it('is when it began, by its age and how long it took', () => {
    expect(dated({ endedAgoMs: 5_000 })).toBe(-7);
    expect(dated({ endedAgoMs: 0 })).toBe(-2);
  });

  it('is never before it was handed out, nor before it was planned, nor after it was told of', () => {
    expect(dated({ endedAgoMs: 9_000_000 })).toBe(-100);
    expect(dated({}, new Map([['c:1:7', (NOW - 30) * 1000]]))).toBe(-30);
    expect(dated({ startedAt: NOW + 500 })).toBe(0);
    expect(dated({ endedAgoMs: 0 }, new Map(), (NOW - HOUR) * 1000), 'the clock of the database went back').toBe(-HOUR);
  });

  it('is what the node says where its age is not known and nothing speaks against it', () => {
    expect(dated({ startedAt: NOW - 20 })).toBe(-20);
    expect(dated({ startedAt: NOW - 20 }, new Map([['c:1:7', (NOW - 30) * 1000]]))).toBe(-20);
    const ofEarlier = { transitionKey: '7:0:0:c', actionId: 'c:0:7', recurring: true };
    expect(dated({ ...ofEarlier, startedAt: NOW - 900 })).toBe(-900);
  });
});

it('a result that is sent again is recognised, though it would be dated otherwise by now', () => {
  const { state, monitor } = running();
  const command = (at: number): RecordResults => ({
    type: 'record-results',
    node: 'n1',
    incarnation: 1,
    results: [{ ...monitor, resultId: `r${String(at)}`, endedAgoMs: 0 }],
    received: { at: at * 1000, handedOutAt: new Map() },
  });
  const once = execute(state, command(NOW));
  expect(decide(command(NOW + 4), once)).toMatchObject({ ok: true, events: [] });
});

describe('a clock of the database that goes back', () => {
  const VM =
    '<primitive id="vm" class="ocf" provider="systole" type="Dummy"><meta_attributes id="vm-m"><nvpair id="vm-m-a" name="allow-migrate" value="true"/></meta_attributes></primitive>';
  /** What came of something that took no time, at so many seconds by the clock of the database. */
  const came = (state: ClusterState, node: string, at: number, result: Partial<ReportedResult>): ClusterState =>
    execute(state, {
      type: 'record-results',
      node,
      incarnation: 1,
      results: [
        reportedResult('vm', { actionId: `${node}${String(at)}`, resultId: `${node}${String(at)}`, execMs: 0, endedAgoMs: 0, ...result }),
      ],
      received: { at: at * 1000, handedOutAt: new Map() },
    });
  const plannedAt = (state: ClusterState, now: number): readonly string[] =>
    schedule(readCib(state.cib), { now, scores: false }).graph.synapses.map(
      ({ action: { operationKey, node } }) => `${operationKey} on ${node?.name ?? 'the server'}`,
    );
  /** `vm` was found on n1 only, was sent to n2 `back` seconds before that by the clock, and is to run on n3 by now. */
  const sentAfter = (back: number): { readonly state: ClusterState; readonly now: number } => {
    const before = threeNodes({
      resources: VM,
      options: option('stonith-enabled', 'false') + option('no-quorum-policy', 'ignore'),
      constraints: '<rsc_location id="l" rsc="vm" node="n3" score="INFINITY"/>',
    });
    const found = [
      ['n1', 0],
      ['n2', 7],
      ['n3', 7],
    ] as const;
    const known = found.reduce(
      (state, [node, rc]) => came(state, node, NOW, { operation: 'monitor', rc, callId: 1, transitionKey: '7:1:7:c' }),
      before,
    );
    const now = NOW + 10 - back;
    const migrated = { operation: 'migrate_to', migrateSource: 'n1', migrateTarget: 'n2', callId: 2 };
    return { state: came(known, 'n1', now, migrated), now: now + 1 };
  };

  it('has a resource stopped where a live migration brought it, as with a right clock', () => {
    const right = sentAfter(0);
    const planned = plannedAt(right.state, right.now);
    expect(planned).toContain('vm_stop_0 on n2');
    const back = sentAfter(HOUR);
    expect(plannedAt(back.state, back.now)).toEqual(planned);
  });

  it('has what the server says itself dated after what was said before', () => {
    const state = planned(came(threeNodes({ resources: VM }), 'n2', NOW, { operation: 'monitor', rc: 7 }), NOW - HOUR);
    const { resource } = reportedResult('vm');
    const action = {
      actionId: 'a',
      node: 'n1',
      resource,
      operation: 'start',
      intervalMs: 0,
      transitionKey: '7:1:0:c',
      at: NOW - HOUR,
      execMs: 0,
    };
    const decision = decide({ type: 'record-unanswered', actions: [action] }, state);
    expect(decision).toMatchObject({ ok: true, events: [{ type: 'OperationRecorded', data: { lastRcChange: NOW } }] });
  });
});
