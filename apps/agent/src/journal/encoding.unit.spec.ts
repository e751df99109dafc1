import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_STATE, evolve, snapshot, type JournalRecord, type JournalState } from '@systole/node-session';
import type { AgentResult } from '@systole/protocol';
import { sampleAction as action, sampleResult as result } from '../testing/samples.js';
import { decodeJournal, encodeRecord } from './encoding.js';

const RESOURCES = ['a', 'b', 'c'];
const OPERATIONS = ['start', 'stop', 'monitor', 'promote', 'demote'];

/** The records of an agent's life: actions begin, most end, some results are acknowledged, in an order that can really happen. */
const life: fc.Arbitrary<JournalRecord[]> = fc
  .array(
    fc.record({
      operation: fc.constantFrom(...OPERATIONS),
      resource: fc.constantFrom(...RESOURCES),
      rc: fc.constantFrom(0, 1, 7, 8),
      stage: fc.constantFrom('begun', 'running', 'ended', 'acknowledged'),
      also: fc.constantFrom('nothing', 'told', 'unmanaged', 'witness', 'reduced', 'failed'),
    }),
    { maxLength: 25 },
  )
  .map((steps) => [
    { kind: 'started', bootId: 'boot1' } as const,
    ...steps.flatMap(({ operation, resource, rc, stage, also }, index): JournalRecord[] => {
      const one = action(index, operation, resource);
      const all: JournalRecord[] = [
        { kind: 'intent', action: one, incarnation: 1 },
        { kind: 'process', actionId: one.actionId, process: { pid: 100 + index, startTicks: 7 } },
        { kind: 'result', result: result(one, rc), incarnation: 1 },
        { kind: 'acknowledged', resultIds: [`res-${one.actionId}`] },
      ];
      const others: Readonly<Record<string, JournalRecord[]>> = {
        told: [{ kind: 'told', onLeaseLoss: rc === 0 ? 'keep' : 'stop' }],
        unmanaged: [{ kind: 'unmanaged', historyIds: rc === 0 ? [] : [resource] }],
        witness: [{ kind: 'witness', token: 't', witness: { epoch: 'e', version: index, hash: 'h' } }],
        failed: [{ kind: 'stop-failed', historyIds: [resource] }],
        reduced: [{ kind: 'reduced', result: { ...result(one, rc), exitReason: 'left out' } }],
      };
      return [...all.slice(0, ['begun', 'running', 'ended', 'acknowledged'].indexOf(stage) + 1), ...(others[also] ?? [])];
    }),
  ]);

const fold = (records: readonly JournalRecord[]): JournalState => records.reduce(evolve, EMPTY_STATE);
const encode = (records: readonly JournalRecord[]): Buffer => Buffer.from(records.map(encodeRecord).join(''));

describe('the journal', () => {
  it('cut off anywhere, recovers exactly the records that were completely written', () => {
    fc.assert(
      fc.property(life, fc.nat(), (records, at) => {
        const bytes = encode(records);
        const cut = at % (bytes.length + 1);
        const decoded = decodeJournal(bytes.subarray(0, cut));
        expect(decoded.damaged).toBe(false);
        expect(decoded.records).toEqual(records.slice(0, decoded.records.length));
        expect(decoded.validBytes).toBe(encode(decoded.records).length);
        const next = records[decoded.records.length];
        expect(cut - decoded.validBytes).toBeLessThan(next === undefined ? 1 : encodeRecord(next).length * 2);
      }),
    );
  });

  it('cut off anywhere, forgets no action that was begun: each is in flight, or has its result', () => {
    fc.assert(
      fc.property(life, fc.nat(), (records, at) => {
        const bytes = encode(records);
        const state = fold(decodeJournal(bytes.subarray(0, at % (bytes.length + 1))).records);
        const begun = decodeJournal(bytes.subarray(0, at % (bytes.length + 1))).records.flatMap((record) =>
          record.kind === 'intent' ? [record.action.actionId] : [],
        );
        for (const id of begun) expect(state.inFlight.has(id) !== state.executed.has(id)).toBe(true);
        expect(state.inFlight.size + state.executed.size).toBe(begun.length);
      }),
    );
  });

  it('keeps every result until it is acknowledged', () => {
    fc.assert(
      fc.property(life, (records) => {
        const ended = records.flatMap((record) => (record.kind === 'result' ? [record.result.resultId] : []));
        const acknowledged = new Set(records.flatMap((record) => (record.kind === 'acknowledged' ? record.resultIds : [])));
        expect([...fold(records).unacknowledged.keys()]).toEqual(ended.filter((id) => !acknowledged.has(id)));
      }),
    );
  });

  it('means the same after compaction', () => {
    fc.assert(
      fc.property(life, life, (before, after) => {
        const compacted = fold(snapshot(fold(before)));
        expect(ordered(compacted)).toEqual(ordered(fold(before)));
        expect(ordered(after.reduce(evolve, compacted))).toEqual(ordered(fold([...before, ...after])));
      }),
    );
  });

  it('of a newer agent is read, but for what is new', () => {
    const newer = { kind: 'novelty', historyId: 'x' } as unknown as JournalRecord;
    const known: JournalRecord = { kind: 'executed', actionIds: ['a'] };
    expect(fold(decodeJournal(encode([newer, known])).records)).toEqual(fold([known]));
  });

  it('remembers what the server does not take, aside from what it is still to get', () => {
    const one = action(1, 'start', 'a');
    const refusal = { resultId: `res-${one.actionId}`, actionId: one.actionId, problem: 'no' };
    const state = fold([
      { kind: 'intent', action: one, incarnation: 1 },
      { kind: 'result', result: result(one, 0), incarnation: 1 },
      { kind: 'refused', ...refusal },
    ]);
    expect([state.unacknowledged.size, state.refused]).toEqual([0, [refusal]]);
    expect(ordered(fold(snapshot(state)))).toEqual(ordered(state));
  });

  it('tells damage from an interrupted write', () => {
    const bytes = encode([
      { kind: 'started', bootId: 'a' },
      { kind: 'stopped', historyId: 'x' },
      { kind: 'stopped', historyId: 'y' },
    ]);
    const damaged = Buffer.from(bytes);
    damaged[encodeRecord({ kind: 'started', bootId: 'a' }).length + 12] = 0x21;
    expect(decodeJournal(damaged)).toMatchObject({ damaged: true, records: [{ kind: 'started', bootId: 'a' }] });
  });

  /** Maps compare without regard to order, but the order of `active` and of the results matters. */
  function ordered(state: JournalState): unknown {
    return {
      bootId: state.bootId,
      inFlight: [...state.inFlight],
      unacknowledged: [...state.unacknowledged],
      executed: [...state.executed].sort(),
      active: [...state.active],
      refused: state.refused,
      onLeaseLoss: state.onLeaseLoss,
      unmanaged: [...state.unmanaged],
      witness: state.witness,
    };
  }
});

describe('what may be running', () => {
  const after = (...steps: readonly (readonly [string, number, AgentResult['status']?])[]): string[] => [
    ...fold(
      steps.flatMap(([operation, rc, status], index): JournalRecord[] => {
        const one = action(index, operation, 'a');
        return [
          { kind: 'intent', action: one, incarnation: 1 },
          { kind: 'result', result: result(one, rc, status), incarnation: 1 },
        ];
      }),
    ).active.keys(),
  ];

  it.each([
    ['a start', [['start', 0]], ['a']],
    ['a failed start', [['start', 1]], ['a']],
    [
      'a start and a stop',
      [
        ['start', 0],
        ['stop', 0],
      ],
      [],
    ],
    [
      'a failed stop',
      [
        ['start', 0],
        ['stop', 1],
      ],
      ['a'],
    ],
    [
      'a stop that timed out',
      [
        ['start', 0],
        ['stop', 1, 'timeout'],
      ],
      ['a'],
    ],
    ['a probe that finds it', [['monitor', 0]], ['a']],
    ['a probe that finds it promoted', [['monitor', 8]], ['a']],
    [
      'a probe that does not find it',
      [
        ['start', 0],
        ['monitor', 7],
      ],
      [],
    ],
    [
      'a probe that fails',
      [
        ['start', 0],
        ['monitor', 1],
      ],
      ['a'],
    ],
  ] as const)('after %s', (_, steps, expected) => {
    expect(after(...steps)).toEqual(expected);
  });

  it('is also what a start that has not ended may have started', () => {
    expect([...fold([{ kind: 'intent', action: action(1, 'start', 'a'), incarnation: 1 }]).active.keys()]).toEqual(['a']);
  });

  it('is nothing after a reboot', () => {
    const state = fold([
      { kind: 'started', bootId: 'one' },
      { kind: 'intent', action: action(1, 'start', 'a'), incarnation: 1 },
      { kind: 'started', bootId: 'two' },
    ]);
    expect(state.active.size).toBe(0);
    expect(state.inFlight.size).toBe(1);
  });
});
