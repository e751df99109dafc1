import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidEvent, type AppendMeta, type EventsOfOne, type EventStore } from '@systole/event-store';
import { AUDIT_STREAM, auditSubjects, type AuditEvent, type ConfigurationRead, type RequestRefused } from './audit-event.js';

/** Entries that may be told once for many. */
export type RepeatedEntry = RequestRefused | ConfigurationRead;

export interface AuditLogOptions {
  /** Which program writes it; e.g. `api`. */
  readonly program: string;
  /** How often what has come is appended, ms; default 1,000. */
  readonly everyMs?: number;
  /** For how long further ones of a kind are counted before they are told, ms; default 60,000. */
  readonly countedForMs?: number;
  /** Hears that entries could not be appended; they are tried again. */
  readonly onTrouble?: (error: unknown) => void;
  /** Milliseconds that never go back; for tests. */
  readonly monotonic?: () => number;
}

interface Entry {
  readonly event: AuditEvent;
  readonly meta: AppendMeta;
}

/** The actor of what is asked without a token that is known. */
export const NOBODY = 'anonymous';

/** Entries that wait at most: a minute of a busy server. */
const MOST_WAITING = 5_000;
/** Of them of nobody: whoever knocks at the door all the time must not drown what others did inside. */
const MOST_WAITING_OF_NOBODY = 1_000;
/** Kinds of repeated entries that are told apart at a time; as many again of nobody. */
const MOST_KINDS = 1_000;
/** Entries of one append. */
const AT_ONCE = 500;

interface Counted {
  /** Monotonic ms of the last entry that was told. */
  toldAt: number;
  /** Since then. */
  times: number;
  /** ISO 8601: of the first of those. */
  since: string;
  last: Entry & { readonly event: RepeatedEntry };
}

/**
 * Writes the audit behind whatever it tells of: taking an entry costs nothing but memory, of which there is a bound, and a statement each second carries them all. What comes
 * again and again has one entry at once, and one each minute that says how often; what there is no room for is counted, and the count is an entry.
 *
 * What a process has taken within the last second is lost when it is killed.
 */
export class AuditLog {
  readonly #store: Pick<EventStore<AuditEvent>, 'appendParts'>;
  readonly #program: string;
  readonly #countedForMs: number;
  readonly #monotonic: () => number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #waiting: Entry[] = [];
  #waitingOfNobody = 0;
  readonly #counted = new Map<string, Counted>();
  readonly #countedOfNobody = new Map<string, Counted>();
  #leftOut: { readonly since: string; readonly entries: Record<string, number> } | undefined;
  #appending: Promise<void> | undefined;

  constructor(store: Pick<EventStore<AuditEvent>, 'appendParts'>, options: AuditLogOptions) {
    this.#store = store;
    this.#program = options.program;
    this.#countedForMs = options.countedForMs ?? 60_000;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.#onTrouble = options.onTrouble ?? (() => undefined);
    this.#timer = setInterval(() => void this.flush(), options.everyMs ?? 1_000);
    this.#timer.unref();
  }

  /** Takes an entry. */
  note(event: AuditEvent, meta: AppendMeta): void {
    this.#add({ event, meta });
  }

  /**
   * Takes an entry of a kind of which many may come: the first is told at once, the others with a count.
   *
   * @param kind those of one kind are told together; it names who asks
   */
  noteRepeated(kind: string, event: RepeatedEntry, meta: AppendMeta): void {
    const all = meta.actor === NOBODY ? this.#countedOfNobody : this.#counted;
    const counted = all.get(kind);
    if (counted !== undefined) {
      if (counted.times === 0) counted.since = new Date().toISOString();
      counted.times += 1;
      counted.last = { event, meta };
      return;
    }
    if (all.size >= MOST_KINDS) {
      this.#leaveOut(event.type);
      return;
    }
    all.set(kind, { toldAt: this.#monotonic(), times: 0, since: '', last: { event, meta } });
    this.#add({ event, meta });
  }

  /** Appends what has come. Resolves when it is there, or could not be. */
  async flush(): Promise<void> {
    this.#tellCounted(this.#monotonic() - this.#countedForMs);
    this.#appending ??= this.#append().finally(() => {
      this.#appending = undefined;
    });
    await this.#appending;
  }

  /** Appends everything, counts included. Nothing may be noted any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#appending;
    this.#tellCounted(Number.POSITIVE_INFINITY);
    await this.flush();
  }

  /** The same, and gives up after so many ms: a database that says nothing must not keep a process from ending. */
  async closeWithin(ms: number): Promise<void> {
    await Promise.race([this.close(), sleep(ms, undefined, { ref: false })]);
  }

  #add(entry: Entry): void {
    const isOfNobody = entry.meta.actor === NOBODY;
    if (this.#waiting.length >= MOST_WAITING || (isOfNobody && this.#waitingOfNobody >= MOST_WAITING_OF_NOBODY)) {
      this.#leaveOut(entry.event.type);
      return;
    }
    this.#waiting.push(entry);
    if (isOfNobody) this.#waitingOfNobody += 1;
  }

  #leaveOut(type: string): void {
    this.#leftOut ??= { since: new Date().toISOString(), entries: {} };
    const { entries } = this.#leftOut;
    entries[type] = (entries[type] ?? 0) + 1;
  }

  /** @param toldBefore monotonic ms */
  #tellCounted(toldBefore: number): void {
    for (const all of [this.#counted, this.#countedOfNobody]) {
      for (const [kind, counted] of all) {
        if (counted.toldAt > toldBefore) continue;
        const { times, since, last } = counted;
        if (times === 0) {
          all.delete(kind);
          continue;
        }
        this.#add({ event: withCount(last.event, times, since), meta: last.meta });
        counted.toldAt = this.#monotonic();
        counted.times = 0;
      }
    }
  }

  async #append(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const entries = this.#waiting.slice(0, AT_ONCE);
        await this.#appendEntries(entries);
        this.#waiting = this.#waiting.slice(entries.length);
        this.#waitingOfNobody -= entries.filter(({ meta }) => meta.actor === NOBODY).length;
      }
      const leftOut = this.#leftOut;
      if (leftOut === undefined) return;
      this.#leftOut = undefined;
      const meta = { actor: this.#program, command: 'leave-out', correlationId: `left-out-${leftOut.since}` };
      const event: AuditEvent = { type: 'EntriesLeftOut', data: { program: this.#program, ...leftOut } };
      this.#waiting.push({ event, meta });
    } catch (error) {
      this.#onTrouble(error);
    }
  }

  /** What can't be stored at all must not keep back the others. */
  async #appendEntries(entries: readonly Entry[]): Promise<void> {
    try {
      await this.#store.appendParts(AUDIT_STREAM, 'any', entries.map(partOf));
    } catch (error) {
      if (!(error instanceof InvalidEvent)) throw error;
      const [only, ...others] = entries;
      if (only !== undefined && others.length === 0) this.#leaveOut(only.event.type);
      else for (const entry of entries) await this.#appendEntries([entry]);
    }
  }
}

function withCount(event: RepeatedEntry, times: number, since: string): AuditEvent {
  return event.type === 'RequestRefused'
    ? { type: event.type, data: { ...event.data, times, since } }
    : { type: event.type, data: { ...event.data, times, since } };
}

function partOf({ event, meta }: Entry): EventsOfOne<AuditEvent> {
  return { events: [{ ...event, subjects: auditSubjects(event) }], meta };
}
