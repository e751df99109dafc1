import type { AgentResult, PollRequest } from '@systole/protocol';
import { beforeEach, expect, it } from 'vitest';
import { EMPTY_STATE, evolve, nodeStart, nodeStep, snapshot, type NodeInput, type NodeState, type NodeStep } from './index.js';
import type { JournalRecord } from './journal/record.js';
import { actionOf, SETTINGS } from './testing/actions.js';

type Body = NodeInput extends infer Input ? (Input extends NodeInput ? Omit<Input, 'now' | 'wallMs'> : never) : never;

/** When the machine was booted, by the test's time, ms. */
const BOOT = -500_000;
const LEASE_MS = 600_000;

let now: number;
let wallMs: number;
let disk: readonly JournalRecord[];
let state: NodeState;
let requests: Record<string, number>;
let runs: readonly number[];
let results: readonly AgentResult[];
let polls: readonly PollRequest[];

function take(step: NodeStep): void {
  state = step.state;
  for (const effect of step.effects) {
    if (effect.type === 'write') {
      disk = [...disk, ...effect.records];
      input({ type: 'written', write: effect.write });
    }
    if (effect.type === 'run') runs = [...runs, effect.run];
    if (effect.type !== 'send') continue;
    const { kind, body } = effect.message;
    requests = { ...requests, [kind]: effect.request };
    if (kind === 'results') ({ results } = body);
    if (kind === 'poll') polls = [...polls, body];
  }
}

function input(body: Body): void {
  take(nodeStep(state, { ...body, now, wallMs }));
}

/** A process of the agent begins, whose clock begins at any number, and joins. */
function begin(bootId = 'boot', bootedAt = BOOT): void {
  const settings = { ...SETTINGS, bootId, processStartedMs: now - bootedAt, instance: `i${now}` };
  take(nodeStart(settings, { journal: disk.reduce(evolve, EMPTY_STATE) }, { now, wallMs }));
  const join = { protocol: { major: 1, minor: 13 }, clusterId: 'c', clusterName: 'c', node: 'n1', nodeId: '1', incarnation: 1 };
  input({
    type: 'answered',
    request: requests['join'] ?? 0,
    answer: { kind: 'join', join: { ...join, leaseMs: LEASE_MS, pollMs: 1_000 } },
  });
}

function startEnds(): void {
  const poll = { leaseMs: LEASE_MS, actions: [actionOf('1:start:db')], unreadable: [] };
  input({ type: 'answered', request: requests['poll'] ?? 0, answer: { kind: 'poll', poll } });
  const outcome = { status: 'done', rc: 0, output: '', startedAtMs: wallMs, execMs: 20 } as const;
  input({ type: 'ended', run: runs[0] ?? 0, outcome });
}

function unanswered(): void {
  input({ type: 'unanswered', request: requests['results'] ?? 0, detail: 'no answer' });
}

function passes(ms: number): void {
  now += ms;
  input({ type: 'tick' });
}

beforeEach(() => {
  now = 1_000;
  wallMs = 1_800_000_000_000;
  disk = [];
  requests = {};
  runs = [];
  results = [];
  polls = [];
  begin();
});

it('a result is told with how long ago it ended as it is sent, whatever the time of day does', () => {
  startEnds();
  expect(results).toMatchObject([{ startedAt: 1_800_000_000, endedAgoMs: 0 }]);
  wallMs -= 3_600_000;
  now += 7_000;
  unanswered();
  passes(2_000);
  expect(results).toMatchObject([{ startedAt: 1_800_000_000, endedAgoMs: 9_000 }]);
});

it('another process of the agent in the same boot knows it, also from a journal that was made shorter', () => {
  startEnds();
  now += 30_000;
  disk = snapshot(disk.reduce(evolve, EMPTY_STATE));
  results = [];
  begin();
  expect(results).toMatchObject([{ endedAgoMs: 30_000 }]);
});

it('after a reboot nobody does', () => {
  startEnds();
  now += 30_000;
  results = [];
  begin('another', now - 10_000);
  expect(results).toMatchObject([{ startedAt: 1_800_000_000 }]);
  expect(results[0]).not.toHaveProperty('endedAgoMs');
  disk = snapshot(disk.reduce(evolve, EMPTY_STATE));
  begin('another', now - 10_000);
  expect(results[0]).not.toHaveProperty('endedAgoMs');
});

it('what was interrupted is as old as the finding of it', () => {
  const poll = { leaseMs: LEASE_MS, actions: [actionOf('1:start:db')], unreadable: [] };
  input({ type: 'answered', request: requests['poll'] ?? 0, answer: { kind: 'poll', poll } });
  now += 30_000;
  const journal = disk.reduce(evolve, EMPTY_STATE);
  take(nodeStart({ ...SETTINGS, processStartedMs: now - BOOT, instance: 'i2' }, { journal }, { now, wallMs }));
  input({ type: 'leftover-ended', actionId: '1' });
  now += 4_000;
  const join = { protocol: { major: 1, minor: 13 }, clusterId: 'c', clusterName: 'c', node: 'n1', nodeId: '1', incarnation: 2 };
  input({
    type: 'answered',
    request: requests['join'] ?? 0,
    answer: { kind: 'join', join: { ...join, leaseMs: LEASE_MS, pollMs: 1_000 } },
  });
  expect(results).toMatchObject([{ status: 'lost', endedAgoMs: 4_000 }]);
});

it('a poll says what the clock of the node shows', () => {
  expect(polls.at(-1)).toMatchObject({ timeOfDayMs: 1_800_000_000_000 });
});
