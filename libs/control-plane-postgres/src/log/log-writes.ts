import type { Clock, Report } from '@systole/control-plane';
import { SchemaMissing, storeError, StoreUnavailable } from '@systole/event-store';

/** What keeps this process from storing events, or what is stored with them. */
export interface WriteTrouble {
  /** In words, for people. */
  readonly reason: string;
  /** Since it was met first, ms. */
  readonly forMs: number;
}

/** How often it is tried whether a trouble is over, ms. */
const TRY_EVERY_MS = 1_000;
/**
 * What waited in vain may have waited for a row that no attempt knows of. Whoever is to store it tries again, and waits again: when so much later, ms, none of
 * its kind has failed, nobody wants to store it any more. Longer than an agent's or a worker's pause (5 s) and the wait for a lock after it (10 s).
 */
const TRIED_AGAIN_WITHIN_MS = 20_000;

/**
 * Whether this process can store events, and what is stored with them, as far as it knows: from an attempt that failed until one succeeds that is made for
 * finding out, in every table concerned. The success of another one tells little: a full disk takes what finds room in a page that is there already, and a table
 * that is locked stands beside others that are not.
 */
export class LogWrites {
  #callOff: () => void = () => undefined;
  #closed = false;
  #failing: { readonly since: number; readonly reason: string } | undefined;
  /** What waited in vain, and has not been stored since: when it did last. */
  readonly #waited = new Map<string, number>();

  /** @param tryOut stores something that others would be kept from, too, and takes it back */
  constructor(
    private readonly tryOut: () => Promise<void>,
    private readonly clock: Pick<Clock, 'after' | 'monotonic'>,
    private readonly report: Pick<Report, 'warn'>,
  ) {}

  /** Undefined as long as nothing is known to keep events from being stored. */
  get trouble(): WriteTrouble | undefined {
    if (this.#failing === undefined) return undefined;
    const { since, reason } = this.#failing;
    return { reason, forMs: this.clock.monotonic() - since };
  }

  /**
   * Something was to be stored, and could not be.
   *
   * @param what so that {@link stored} can say the same
   * @param error counts where it is the database's: others say nothing of it
   */
  failed(what: string, error: unknown): void {
    if (!(error instanceof StoreUnavailable || error instanceof SchemaMissing)) return;
    const { reason } = error;
    const first = this.#failing === undefined;
    const now = this.clock.monotonic();
    this.#failing = { since: this.#failing?.since ?? now, reason };
    if (error instanceof StoreUnavailable && error.trouble === 'no-answer') this.#waited.set(what, now);
    if (!first) return;
    this.report.warn({ err: error }, `events can not be stored: ${reason}`);
    this.#tryLater();
  }

  /** It was stored. */
  stored(what: string): void {
    this.#waited.delete(what);
  }

  /** Hears what becomes of a write. @throws the typed form of what it throws */
  async hear<T>(what: string, write: () => Promise<T>): Promise<T> {
    try {
      const result = await write();
      this.stored(what);
      return result;
    } catch (error) {
      const typed = storeError(error, 'append');
      this.failed(what, typed);
      throw typed;
    }
  }

  /** Tries no more. To be called before the database is let go of. */
  close(): void {
    this.#closed = true;
    this.#callOff();
  }

  #tryLater(): void {
    if (this.#closed) return;
    this.#callOff = this.clock.after(TRY_EVERY_MS, () => {
      this.tryOut().then(
        () => {
          this.#succeeded();
        },
        () => {
          this.#tryLater();
        },
      );
    });
  }

  #succeeded(): void {
    const now = this.clock.monotonic();
    for (const [what, at] of this.#waited) {
      if (now - at >= TRIED_AGAIN_WITHIN_MS) this.#waited.delete(what);
    }
    if (this.#waited.size > 0) {
      this.#tryLater();
      return;
    }
    this.#failing = undefined;
    this.report.warn({}, 'events can be stored again');
  }
}
