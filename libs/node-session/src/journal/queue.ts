import type { JournalQueue, Pending } from '../state.js';
import { freshId, log, update, type Turn } from '../turn.js';
import type { JournalRecord } from './record.js';
import { evolve, type JournalState } from './state.js';

const RETRY_MS = 1_000;

/** Records to be journaled, and what is done when they are on disk. They stay together, and in order. */
export function append(turn: Turn, records: readonly JournalRecord[], then?: Pending['then']): void {
  const { journal } = turn.state;
  update(turn, {
    journal: {
      ...journal,
      ahead: records.reduce(evolve, journal.ahead),
      pending: [...journal.pending, { records, ...(then === undefined ? {} : { then }) }],
    },
  });
}

/** Hands the records that wait to the disk, if it is free and not known to be full. */
export function flush(turn: Turn): void {
  const { journal } = turn.state;
  const { pending, writing, blocked } = journal;
  if (writing !== undefined || pending.length === 0 || (blocked !== undefined && blocked.retryAt > turn.now)) return;
  const write = freshId(turn);
  update(turn, { journal: { ...journal, writing: { write, count: pending.length } } });
  turn.effects.push({ type: 'write', write, records: pending.flatMap(({ records }) => records) });
}

/** @returns what is to be done now */
export function written(turn: Turn, write: number): readonly Pending[] {
  const { journal } = turn.state;
  const { writing, blocked, ...rest } = journal;
  if (writing?.write !== write) return [];
  const done = rest.pending.slice(0, writing.count);
  const durable = done.flatMap(({ records }) => records).reduce(evolve, rest.durable);
  update(turn, { journal: { ...rest, durable, pending: rest.pending.slice(writing.count) } });
  if (blocked !== undefined) log(turn, 'info', 'the journal can be written again');
  return done;
}

export function writeFailed(turn: Turn, write: number, problem: string): void {
  const { writing, ...rest } = turn.state.journal;
  if (writing?.write !== write) return;
  if (rest.blocked === undefined) log(turn, 'error', 'the journal can not be written: nothing is begun until it can', { problem });
  update(turn, { journal: { ...rest, blocked: { problem, retryAt: turn.now + RETRY_MS } } });
}

/** Takes records back that are not being written. */
export function takeBack(turn: Turn, which: (pending: Pending) => boolean): void {
  const { journal } = turn.state;
  const untouchable = journal.writing?.count ?? 0;
  const pending = journal.pending.filter((one, index) => index < untouchable || !which(one));
  const ahead = pending.flatMap(({ records }) => records).reduce(evolve, journal.durable);
  update(turn, { journal: { ...journal, pending, ahead } });
}

/** What the server may be told of: what is on disk, and, where the disk takes nothing, also what should be there. */
export function tellable(journal: JournalQueue): JournalState {
  return journal.blocked === undefined ? journal.durable : journal.ahead;
}
