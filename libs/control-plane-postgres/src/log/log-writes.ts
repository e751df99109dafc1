import type { Clock, Report } from '@systole/control-plane';
import type { StoreTrouble, StoreUnavailable } from '@systole/event-store';

/** What keeps this process from storing events. */
export interface WriteTrouble {
  readonly trouble: StoreTrouble;
  /** In words, for people. */
  readonly reason: string;
  /** Since it was met first, ms. */
  readonly forMs: number;
}

/** How often it is tried whether a trouble is over, ms. */
const TRY_EVERY_MS = 1_000;

/**
 * Whether this process can store events, as far as it knows: from an attempt that failed until one succeeds that is made for finding out. The success of another
 * one tells little: a full disk takes what finds room in a page that is there already.
 */
export class LogWrites {
  #callOff: () => void = () => undefined;
  #closed = false;
  #failing: { readonly since: number; readonly error: StoreUnavailable } | undefined;

  /** @param tryOut stores something that others would be kept from, too, and takes it back */
  constructor(
    private readonly tryOut: () => Promise<void>,
    private readonly clock: Pick<Clock, 'after' | 'monotonic'>,
    private readonly report: Pick<Report, 'warn'>,
  ) {}

  /** Undefined as long as nothing is known to keep events from being stored. */
  get trouble(): WriteTrouble | undefined {
    if (this.#failing === undefined) return undefined;
    const { since, error } = this.#failing;
    return { trouble: error.trouble, reason: error.reason, forMs: this.clock.monotonic() - since };
  }

  /** Something was to be stored, and could not be. */
  failed(error: StoreUnavailable): void {
    const first = this.#failing === undefined;
    this.#failing = { since: this.#failing?.since ?? this.clock.monotonic(), error };
    if (!first) return;
    this.report.warn({ err: error }, `events can not be stored: ${error.reason}`);
    this.#tryLater();
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
          this.#failing = undefined;
          this.report.warn({}, 'events can be stored again');
        },
        () => {
          this.#tryLater();
        },
      );
    });
  }
}
