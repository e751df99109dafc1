import { expect, it } from 'vitest';
import { EMPTY_STATE, evolve, type JournalState } from './journal/state.js';
import type { JournalRecord } from './journal/record.js';
import { nodeStart } from './step.js';
import { mayFeed } from './watchdog.js';
import { SETTINGS } from './testing/actions.js';

const at = { now: 0, wallMs: 0 };
const journalOf = (...records: readonly JournalRecord[]): JournalState => records.reduce(evolve, EMPTY_STATE);
const feeds = (journal: JournalState, bootId = 'boot'): boolean => {
  const { state } = nodeStart({ ...SETTINGS, watchdog: true, bootId }, { journal }, at);
  return mayFeed(state, 0);
};
const resource = { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' };
const runs: readonly JournalRecord[] = [
  { kind: 'started', bootId: 'boot' },
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
