import { initialState, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { actionSpans, beginningSpan, endedActions, type StoredAppend } from './event-spans.js';

const SECOND = 1_000;
const END = Date.parse('2026-01-01T00:00:10.000Z');
const STOP = { dispatchId: 'e:1:2', transition: 1, name: 'stop db', failed: false, attributes: {} };

function appended(more: Partial<StoredAppend> = {}): StoredAppend {
  return {
    clusterId: 'c',
    judged: initialState(),
    events: [{ type: 'QuorumChanged', data: { quorate: true, votes: 1, expectedVotes: 1 } }],
    meta: { actor: 'worker', correlationId: 'r' },
    goesOn: false,
    occurredAt: new Date(END).toISOString(),
    ...more,
  };
}

/** Seconds before the end at which each begins and ends. */
function placesOf(spans: ReturnType<typeof actionSpans>): readonly (readonly [string, number, number])[] {
  const before = (moment: string | number): number => (END - new Date(moment).getTime()) / SECOND;
  return spans.map(({ name, startedAt, endedAt }) => [name, before(startedAt), before(endedAt)]);
}

describe('the spans of an action', () => {
  it('are its way, its wait, its execution and the way back, one after the other', () => {
    const times = { handedOutAt: END - 9 * SECOND, deliveredAt: END - 8 * SECOND };
    const measured = { queueMs: 2 * SECOND, execMs: 5 * SECOND };
    expect(placesOf(actionSpans(appended(), { ...STOP, measured }, times))).toEqual([
      ['stop db', 9, 0],
      ['hand out', 9, 8],
      ['wait on the node', 8, 6],
      ['execute', 6, 1],
      ['report', 1, 0],
    ]);
  });

  it('stay within it, whatever a node says and whatever the clock of the database did', () => {
    const measured = { queueMs: 50 * SECOND, execMs: 50 * SECOND };
    for (const times of [
      { handedOutAt: END - 3 * SECOND, deliveredAt: END + 7 * SECOND },
      { handedOutAt: END + 3 * SECOND, deliveredAt: END - 7 * SECOND },
      undefined,
    ]) {
      const [whole, ...parts] = placesOf(actionSpans(appended(), { ...STOP, measured }, times));
      const moments = [whole?.[1] ?? 0, ...parts.flatMap(([, from, to]) => [from, to]), 0];
      expect(moments).toEqual([...moments].sort((one, other) => other - one));
    }
  });

  it('have no parts where nobody measured any, as of what the server gave up', () => {
    expect(placesOf(actionSpans(appended(), STOP, { handedOutAt: END - 4 * SECOND }))).toEqual([['stop db', 4, 0]]);
  });
});

describe('what an append ends', () => {
  it('is told by the id by which it was handed out, of fencing as well', () => {
    const attempt = {
      fencingId: 'f',
      transition: 3,
      graphActionId: 7,
      target: 'n1',
      executor: 'n2',
      action: 'off',
      device: 'd',
      attempt: 1,
    };
    const judged = { ...initialState(), transition: { number: 3, correlationId: 'r' }, fencing: { f: attempt } } as unknown as ClusterState;
    const data = { fencingId: 'f', target: 'n1', executor: 'n2', action: 'off', device: 'd', outcome: 'succeeded' } as const;
    const [ended] = endedActions(appended({ judged, events: [{ type: 'FencingCompleted', data }] }));
    expect(ended).toMatchObject({ name: 'fence n1', transition: 3, dispatchId: 'c:3:7:f' });
  });
});

describe('the span of a beginning', () => {
  it('is of the event with which the cluster begins something, and not of what goes on, nor of what a person asks', () => {
    expect(beginningSpan(appended())).toMatchObject([{ name: 'QuorumChanged', correlationId: 'r', startedAt: '2026-01-01T00:00:10.000Z' }]);
    expect(beginningSpan(appended({ goesOn: true }))).toEqual([]);
    expect(beginningSpan(appended({ meta: { actor: 'user:alice', correlationId: 'r' } }))).toEqual([]);
  });
});
