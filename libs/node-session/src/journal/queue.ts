import type { JournalQueue, Pending } from '../state.js';
import { freshId, log, update, type Turn } from '../turn.js';
import type { JournalRecord } from './record.js';
import { evolve, type JournalState } from './state.js';

const RETRY_MS = 1_000;
/** A write that takes longer hangs, ms: what must not wait for it does not. */
const HANGS_MS = 5_000;
/** A disk that hangs for so long will not come back soon, ms: twice the time after which Linux gives up a command to a disk and begins to reset it. */
const GONE_MS = 60_000;

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
  update(turn, { journal: { ...journal, writing: { write, count: pending.length, since: turn.now } } });
  turn.effects.push({ type: 'write', write, records: pending.flatMap(({ records }) => records) });
}

/** @returns what is to be done now */
export function written(turn: Turn, write: number): readonly Pending[] {
  const { journal } = turn.state;
  const { writing, blocked, hanging, ...rest } = journal;
  if (writing?.write !== write) return [];
  const done = rest.pending.slice(0, writing.count);
  const durable = done.flatMap(({ records }) => records).reduce(evolve, rest.durable);
  update(turn, { journal: { ...rest, durable, pending: rest.pending.slice(writing.count) } });
  if (blocked !== undefined || hanging !== undefined) log(turn, 'info', 'the journal can be written again');
  return done;
}

export function writeFailed(turn: Turn, write: number, problem: string): void {
  const { writing } = turn.state.journal;
  if (writing?.write !== write) return;
  const rest = withoutWriting(turn.state.journal);
  if (rest.blocked === undefined)
    log(turn, 'error', 'the journal can not be written: nothing but stops and monitors is begun until it can', { problem });
  update(turn, { journal: { ...rest, blocked: { problem, retryAt: turn.now + RETRY_MS } } });
}

function withoutWriting({ writing: _, hanging: __, ...rest }: JournalQueue): Omit<JournalQueue, 'writing' | 'hanging'> {
  return rest;
}

/** A write that neither succeeds nor fails is said, and taken for one that fails for the time being. */
export function noteHanging(turn: Turn): void {
  const { journal } = turn.state;
  const { writing, hanging } = journal;
  if (writing === undefined || hanging !== undefined || turn.now < writing.since + HANGS_MS) return;
  log(turn, 'error', 'the disk hangs: a write to the journal does not return; nothing but stops and monitors is begun until it does', {
    forMs: turn.now - writing.since,
  });
  update(turn, { journal: { ...journal, hanging: writing.since } });
}

/** Why the disk takes nothing at the moment; undefined when it does. */
export function problemOf({ blocked, hanging }: JournalQueue): string | undefined {
  return hanging === undefined ? blocked?.problem : 'a write does not return';
}

/** Whether the disk has hung for so long that this node must not pass for a healthy one any more. */
export function isGone({ hanging }: JournalQueue, now: number): boolean {
  return hanging !== undefined && now >= hanging + GONE_MS;
}

/** When what is said here of a hanging disk changes next, ms; undefined: not by the time alone. */
export function hangsAt({ writing, hanging }: JournalQueue): number | undefined {
  if (writing === undefined) return undefined;
  return hanging === undefined ? writing.since + HANGS_MS : hanging + GONE_MS;
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
  return problemOf(journal) === undefined ? journal.durable : journal.ahead;
}
