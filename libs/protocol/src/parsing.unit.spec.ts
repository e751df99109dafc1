import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LIMITS,
  parseAttributesRequest,
  parseIncarnationRequest,
  parseJoinAnswer,
  parseJoinRequest,
  parsePollAnswer,
  parsePollRequest,
  parseResultsAnswer,
  parseResultsRequest,
  ProtocolError,
  spokenVersion,
  type AgentAction,
  type AgentResult,
  type Fault,
} from './index.js';

const action: AgentAction = {
  actionId: 'e.1.2',
  kind: 'operation',
  transitionKey: '2:1:0:e',
  operation: 'start',
  intervalMs: 0,
  timeoutMs: 20_000,
  expectedRc: 0,
  resource: { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
  parameters: { a: '1' },
  meta: {},
  digests: { opDigest: 'd' },
};
const { actionId, transitionKey, operation, intervalMs, resource, digests } = action;
const result: AgentResult = {
  ...{ resultId: 'r1', actionId, transitionKey, operation, intervalMs, resource },
  ...{
    status: 'done',
    rc: 0,
    callId: 1,
    startedAt: 1,
    execMs: 1,
    queueMs: 0,
    recurring: false,
    ...(digests === undefined ? {} : { digests }),
  },
};
const poll = { incarnation: 1, waitMs: 0, known: [] };

function errorOf(read: () => unknown): ProtocolError | undefined {
  try {
    read();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  return undefined;
}

function faultsOf(read: () => unknown): readonly Fault[] {
  return errorOf(read)?.faults ?? [];
}

describe('a message', () => {
  it('that keeps the protocol comes out as it went in', () => {
    const join = {
      agentVersion: '1',
      bootId: 'b',
      machineId: 'm',
      protocol: { major: 1, minor: 1 },
      witness: { epoch: 'e', version: 3, hash: 'h' },
    };
    expect(parseJoinRequest(join)).toEqual(join);
    expect(parseResultsRequest({ incarnation: 1, results: [result] })).toEqual({ incarnation: 1, results: [result] });
    const answer = { leaseMs: 10, actions: [action], head: { epoch: 'e', version: 1, hash: 'h' }, onLeaseLoss: 'keep' };
    expect(parsePollAnswer(answer)).toEqual({ ...answer, unreadable: [] });
  });

  it('of an agent is refused with a pointer to each fault', () => {
    expect(
      faultsOf(() =>
        parseResultsRequest({ incarnation: 0, results: [{ ...result, status: 'splendid', resource: { ...resource, id: 7 } }], more: 1 }),
      ),
    ).toEqual([
      { pointer: '/incarnation', detail: 'must be at least 1' },
      { pointer: '/more', detail: 'is not known here' },
      { pointer: '/results/0/resource/id', detail: 'must be a text' },
      { pointer: '/results/0/status', detail: expect.stringContaining('must be one of done, ') as string },
    ]);
    expect(faultsOf(() => parsePollRequest({ ...poll, waitMs: 1.5, known: ['x'.repeat(LIMITS.nameChars + 1)] }))).toEqual([
      { pointer: '/waitMs', detail: 'must be a whole number' },
      { pointer: '/known/0', detail: `must have at most ${LIMITS.nameChars} characters` },
    ]);
    expect(faultsOf(() => parsePollRequest({ ...poll, 'a/b~c': 1 }))).toEqual([{ pointer: '/a~1b~0c', detail: 'is not known here' }]);
  });

  it('of an agent with many faults is refused with the first of them, wherever they are', () => {
    const many = (count: number, entry: unknown = {}): unknown[] => Array.from({ length: count }, () => entry);
    const fields = (count: number): object => Object.fromEntries(many(count).map((_, index) => [`x${String(index)}`, 1]));
    const refusals: readonly (readonly [first: string, read: () => unknown])[] = [
      ['/results/0/actionId', () => parseResultsRequest({ incarnation: 1, results: many(LIMITS.results) })],
      ['/results/999', () => parseResultsRequest({ incarnation: 1, results: [...many(999, result), fields(1_000)] })],
      ['/active/0', () => parsePollRequest({ ...poll, active: many(LIMITS.listEntries) })],
      ['/active/9000', () => parsePollRequest({ ...poll, active: [...many(9_000, 'db'), ...many(1_000)] })],
      ['/x0', () => parsePollRequest({ ...poll, ...fields(1_000) })],
    ];
    for (const [first, read] of refusals) {
      const error = errorOf(read);
      expect([error?.faults[0]?.pointer.startsWith(first), error?.faults.length, error?.more]).toEqual([true, LIMITS.faults, true]);
      expect(error?.message).toMatch(/\(and at least 20 more\)$/);
    }
    expect(errorOf(() => parsePollRequest({ ...poll, ...fields(20) }))).toMatchObject({ faults: { length: 20 }, more: false });
  });

  it('of an agent whose list is too long is refused for that alone', () => {
    expect(faultsOf(() => parsePollRequest({ ...poll, known: Array(LIMITS.listEntries + 1).fill(7) }))).toEqual([
      { pointer: '/known', detail: `must have at most ${LIMITS.listEntries} entries` },
    ]);
    expect(faultsOf(() => parsePollRequest({ incarnation: 1, waitMs: 0, active: 'db' }))).toEqual([
      { pointer: '/known', detail: 'must be a list' },
      { pointer: '/active', detail: 'must be a list' },
    ]);
  });

  it('of an agent names no result by what would have to be mended: it is acknowledged as it was sent', () => {
    for (const resultId of ['r\0', 'r\ud800', 'r\u0007']) {
      expect(faultsOf(() => parseResultsRequest({ incarnation: 1, results: [result, { ...result, resultId }] }))).toEqual([
        { pointer: '/results/1/resultId', detail: expect.stringContaining("can't be stored") as string },
      ]);
    }
  });

  it('takes whatever the clock of a node may show, and no time or duration that none can', () => {
    const told = (changes: Partial<AgentResult>): readonly Fault[] =>
      faultsOf(() => parseResultsRequest({ incarnation: 1, results: [{ ...result, ...changes }] }));
    const [in1970, in2100, in2262] = [0, Date.UTC(2100, 5) / 1_000, LIMITS.clockS];
    expect([in1970, in2100, in2262].flatMap((startedAt) => told({ startedAt }))).toEqual([]);
    expect(new Date(in2262 * 1_000).getUTCFullYear()).toBe(2262);
    expect(told({ startedAt: Date.UTC(9999, 0) / 1_000, execMs: -1, queueMs: 1e308 })).toEqual([
      { pointer: '/results/0/startedAt', detail: `must be at most ${LIMITS.clockS}` },
      { pointer: '/results/0/execMs', detail: 'must be at least 0' },
      { pointer: '/results/0/queueMs', detail: `must be at most ${LIMITS.durationMs}` },
    ]);
    expect(told({ startedAt: -1e308 })).toEqual([{ pointer: '/results/0/startedAt', detail: 'must be at least 0' }]);
  });

  it('of a server may hold more than this version knows', () => {
    expect(parsePollAnswer({ leaseMs: 10, actions: [{ ...action, mood: 'good' }], weather: 'fine' })).toEqual({
      leaseMs: 10,
      actions: [action],
      unreadable: [],
    });
  });

  it('of an agent of the minor version before says less', () => {
    expect(parsePollRequest(poll)).toEqual({ ...poll, active: [], watchdog: false });
    const join = { agentVersion: '1', bootId: 'b', protocol: { major: 1, minor: 2 } };
    expect(parseJoinRequest(join)).toEqual(join);
  });

  it('to join says which one it is, what may be running, and what becomes of that without a lease', () => {
    const join = {
      ...{
        agentVersion: '1',
        bootId: 'b',
        attempt: { processStartedMs: 5, number: 2 },
        lastIncarnation: 4,
        active: ['db'],
        stopFailed: ['db'],
      },
      ...{ watchdog: true, actionLimit: 8, localOnLeaseLoss: 'keep' },
    };
    expect(parseJoinRequest(join)).toEqual(join);
    expect(
      faultsOf(() => parseJoinRequest({ ...join, attempt: { processStartedMs: 5, number: 0 }, actionLimit: 0, localOnLeaseLoss: 'panic' })),
    ).toEqual([
      { pointer: '/attempt/number', detail: 'must be at least 1' },
      { pointer: '/actionLimit', detail: 'must be at least 1' },
      { pointer: '/localOnLeaseLoss', detail: 'must be one of keep, stop, watchdog' },
    ]);
    expect(faultsOf(() => parseJoinRequest({ ...join, actionLimit: 1_001 }))).toEqual([
      { pointer: '/actionLimit', detail: 'must be at most 1000' },
    ]);
  });

  it('carries no more names of parameters than an agent can have', () => {
    const listing = (length: number) => ({
      incarnation: 1,
      results: [{ ...result, digests: { opDigest: 'd', opForceRestart: 'p'.repeat(length), opSecureParams: 'p'.repeat(length) } }],
    });
    expect(parseResultsRequest(listing(4_096))).toEqual(listing(4_096));
    expect(faultsOf(() => parseResultsRequest(listing(4_097))).map(({ pointer }) => pointer)).toEqual([
      '/results/0/digests/opForceRestart',
      '/results/0/digests/opSecureParams',
    ]);
  });
});

describe('an action that can not be read', () => {
  it('does not keep the others from being done', () => {
    const { actions, unreadable } = parsePollAnswer({ leaseMs: 10, actions: [{ ...action, timeoutMs: 'soon' }, action, 'nonsense'] });
    expect(actions).toEqual([action]);
    expect(unreadable).toEqual([
      { echo: { actionId, transitionKey, operation, intervalMs, resource }, problem: 'action: /timeoutMs must be a number' },
      { problem: 'action: must be an object' },
    ]);
  });
});

describe('whatever JSON comes', () => {
  const parsers = [
    parseAttributesRequest,
    parseIncarnationRequest,
    parseJoinAnswer,
    parseJoinRequest,
    parsePollAnswer,
    parsePollRequest,
    parseResultsAnswer,
    parseResultsRequest,
  ];
  const near = fc.record(
    {
      incarnation: fc.jsonValue(),
      waitMs: fc.jsonValue(),
      known: fc.jsonValue(),
      results: fc.jsonValue(),
      actions: fc.array(fc.jsonValue()),
      leaseMs: fc.nat(),
    },
    { requiredKeys: [] },
  );

  it('it is read or refused as a whole', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), near), (value) => {
        for (const parse of parsers) {
          try {
            parse(value);
          } catch (error) {
            if (!(error instanceof ProtocolError)) throw error;
            expect(error.faults.length).toBeGreaterThan(0);
          }
        }
        expect(spokenVersion(value).major).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
