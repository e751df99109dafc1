/** Identifies a recurring operation: a resource has at most one with the same name and interval. */
export interface RecurringKey {
  readonly historyId: string;
  readonly operation: string;
  readonly intervalMs: number;
}

/** A recurring operation that was taken up. */
export interface Recurrence {
  /** False from the moment at which it is cancelled or replaced. */
  readonly isCurrent: () => boolean;
  /** Runs it again and again, each time one interval after the end of the run before; does nothing when it is no longer current. */
  readonly repeat: (run: () => Promise<void>) => void;
}

interface Entry {
  timer?: NodeJS.Timeout;
  cancelled: boolean;
}

/**
 * The schedule of recurring operations, on the monotonic clock of timers. A run begins one interval after the end of the one before, so runs of
 * an operation never overlap.
 */
export class RecurringSchedule {
  private readonly entries = new Map<string, { readonly key: RecurringKey; readonly entry: Entry }>();

  /** Takes an operation up, before its first run; an earlier one with the same key ends. */
  take(key: RecurringKey): Recurrence {
    this.cancel(key);
    const entry: Entry = { cancelled: false };
    this.entries.set(nameOf(key), { key, entry });
    const next = (run: () => Promise<void>): void => {
      if (entry.cancelled) return;
      entry.timer = setTimeout(() => {
        void run().then(() => {
          next(run);
        });
      }, key.intervalMs);
    };
    return { isCurrent: () => !entry.cancelled, repeat: next };
  }

  cancel(key: RecurringKey): void {
    const found = this.entries.get(nameOf(key));
    if (found === undefined) return;
    found.entry.cancelled = true;
    clearTimeout(found.entry.timer);
    this.entries.delete(nameOf(key));
  }

  cancelResource(historyId: string): void {
    for (const { key } of [...this.entries.values()]) if (key.historyId === historyId) this.cancel(key);
  }

  cancelAll(): void {
    for (const { key } of [...this.entries.values()]) this.cancel(key);
  }
}

function nameOf({ historyId, operation, intervalMs }: RecurringKey): string {
  return `${historyId}\n${operation}\n${intervalMs}`;
}
