import { expect, it } from 'vitest';
import { EMPTY_STATE, evolve, type JournalState } from './journal/state.js';
import type { JournalRecord } from './journal/record.js';
import { nodeStart, nodeStep } from './step.js';
import type { EndReason } from './effects.js';
import { policyOf, policyTold } from './lease-policy.js';
import { actionOf, SETTINGS } from './testing/actions.js';
import { mayDisarm, mayFeed, watchdogTold } from './watchdog.js';

const at = { now: 0, wallMs: 0 };
const journalOf = (...records: readonly JournalRecord[]): JournalState => records.reduce(evolve, EMPTY_STATE);
const feeds = (journal: JournalState, bootId = 'boot'): boolean => {
  const { state } = nodeStart({ ...SETTINGS, watchdog: true, bootId }, { journal }, at);
  return mayFeed(state, 0);
};
const resource = { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' };
const runs: readonly JournalRecord[] = [
  { kind: 'started', bootId: 'boot' },
  { kind: 'told', onLeaseLoss: 'keep' },
  { kind: 'active', active: { resource, parameters: {}, meta: {} } },
];

it('a watchdog is fed by an agent that is started, and not after one that could not stop what it had to: until the machine was reset', () => {
  const failed = journalOf(...runs, { kind: 'stop-failed', historyIds: ['db'] });
  expect(feeds(journalOf(...runs))).toBe(true);
  expect(feeds(failed)).toBe(false);
  expect(feeds(failed, 'next boot')).toBe(true);
});

it('what could not be stopped is forgotten when it is stopped after all', () => {
  const failed = journalOf(...runs, { kind: 'stop-failed', historyIds: ['db'] }, { kind: 'stopped', historyId: 'db' });
  expect(failed.stopFailed.size).toBe(0);
  expect(feeds(failed)).toBe(true);
});

it('where the servers may count on its reset, a watchdog is not fed before this process has joined: nor by one that finds nothing of what ran before', () => {
  expect(feeds(journalOf(...runs, { kind: 'told', onLeaseLoss: 'watchdog' }))).toBe(false);
  expect(feeds(EMPTY_STATE)).toBe(false);
});

it('is told of with its time-out only while it can be fed', () => {
  const { state } = nodeStart({ ...SETTINGS, watchdog: true, watchdogMs: 5_000 }, { journal: EMPTY_STATE }, at);
  expect(watchdogTold(state)).toEqual({ watchdog: true });
  const armed = nodeStep(state, { type: 'watchdog', is: 'armed', timeoutMs: 5_000, ...at }).state;
  expect(watchdogTold(armed)).toEqual({ watchdog: true, watchdogArmedMs: 5_000 });
  const lost = nodeStep(armed, { type: 'watchdog', is: 'lost', problem: 'ENODEV', ...at }).state;
  expect(watchdogTold(lost)).toEqual({ watchdog: false });
  expect(policyOf(armed)).toBe('watchdog');
  expect(policyOf(lost)).toBe('stop');
});

it('is told of with the time-out that it was opened with last', () => {
  const { state } = nodeStart({ ...SETTINGS, watchdog: true, watchdogMs: 5_000 }, { journal: EMPTY_STATE }, at);
  const reopened = (timeoutMs: number | undefined) =>
    [
      { type: 'watchdog', is: 'armed', timeoutMs: 5_000, ...at } as const,
      { type: 'watchdog', is: 'lost', problem: 'ENODEV', ...at } as const,
      { type: 'watchdog', is: 'armed', timeoutMs, ...at } as const,
    ].reduce((before, input) => nodeStep(before, input).state, state);
  expect(watchdogTold(reopened(60_000))).toEqual({ watchdog: true, watchdogArmedMs: 60_000 });
  expect(watchdogTold(reopened(undefined))).toEqual({ watchdog: true });
});

it.each(['keep', 'stop'] as const)(
  'is not counted on before it is on disk that it is to be starved: who follows a process that crashes would still %s',
  (before) => {
    const journal = journalOf({ kind: 'started', bootId: 'boot' }, { kind: 'told', onLeaseLoss: before });
    const { state } = nodeStart({ ...SETTINGS, watchdog: true, watchdogMs: 5_000, bootId: 'boot' }, { journal }, at);
    const armed = nodeStep(state, { type: 'watchdog', is: 'armed', timeoutMs: 5_000, ...at }).state;
    const ahead = evolve(armed.journal.ahead, { kind: 'told', onLeaseLoss: 'watchdog' });
    const told = { ...armed, journal: { ...armed.journal, ahead } };
    expect(watchdogTold(told)).toEqual({ watchdog: true });
    expect(policyTold(told)).toBe(before === 'keep' ? 'keep' : 'watchdog');
    const written = { ...told, journal: { ...told.journal, durable: ahead } };
    expect(watchdogTold(written)).toEqual({ watchdog: true, watchdogArmedMs: 5_000 });
    expect(policyTold(written)).toBe('watchdog');
  },
);

it('is not fed by the word of a journal that has lost its end, where the second record knows better', () => {
  const action = actionOf('1:start:db');
  const journal = journalOf(...runs, { kind: 'intent', action, incarnation: 1 });
  const rescued = { active: [], onLeaseLoss: 'watchdog', unmanaged: [] } as const;
  const { state } = nodeStart({ ...SETTINGS, watchdog: true, bootId: 'boot' }, { journal, rescued }, at);
  expect(mayFeed(state, 0)).toBe(false);
  const settled = nodeStep(state, { type: 'leftover-ended', actionId: '1', ...at }).state;
  expect(policyOf(settled)).toBe('watchdog');
  expect(mayFeed(settled, 0)).toBe(false);
});

it('is not fed any more by a node that is to be reset by it, and that node does not join', () => {
  const { state } = nodeStart({ ...SETTINGS, watchdog: true, watchdogMs: 5_000 }, { journal: EMPTY_STATE }, at);
  const ordered = { ...state, hasJoined: true, starving: 'ordered' as const };
  expect(mayFeed(ordered, 0)).toBe(false);
  const { effects } = nodeStep(ordered, { type: 'tick', now: 60_000, wallMs: 60_000 });
  expect(effects.filter((effect) => effect.type === 'send')).toEqual([]);
});

it('is left armed by whoever ends while something may run that the servers take for reset by it', () => {
  const started = (journal: JournalState) =>
    nodeStart({ ...SETTINGS, watchdog: true, watchdogMs: 5_000, bootId: 'boot' }, { journal }, at).state;
  const ended = (journal: JournalState, reason: EndReason) => mayDisarm({ ...started(journal), phase: { kind: 'ended', reason } });
  const active = journalOf(...runs, { kind: 'life', incarnation: 2 }, { kind: 'told', onLeaseLoss: 'watchdog' });
  const stopped = evolve(active, { kind: 'stopped', historyId: 'db' });
  for (const reason of ['superseded', 'not-permitted'] as const) {
    expect(ended(active, reason)).toBe(false);
    expect(ended(stopped, reason)).toBe(true);
  }
  expect(ended(active, 'left')).toBe(true);
  expect(ended(active, 'left-unclean')).toBe(false);
  expect(ended(active, 'cluster-deleted')).toBe(true);
  expect(ended(evolve(active, { kind: 'told', onLeaseLoss: 'keep' }), 'superseded')).toBe(true);
});

it('is left alone by an agent that is told to end before it has joined, and finds nothing of what ran before', () => {
  const { state } = nodeStart({ ...SETTINGS, watchdog: true, watchdogMs: 5_000 }, { journal: EMPTY_STATE }, at);
  const left = nodeStep(state, { type: 'stop', ...at }).state;
  expect(left.phase).toEqual({ kind: 'ended', reason: 'left' });
  expect(mayDisarm(left)).toBe(false);
});
