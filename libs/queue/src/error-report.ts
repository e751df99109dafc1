import { asError } from './errors.js';

const REPEAT_AFTER_MS = 10_000;

/** Passes errors on, but an unreachable server's one message only every 10 s, with the number of those left out. */
export class ErrorReport {
  private readonly seen = new Map<string, { at: number; suppressed: number }>();

  constructor(private readonly deliver: ((error: Error, suppressedBefore: number) => void) | undefined) {}

  report(thrown: unknown): void {
    const error = asError(thrown);
    const now = performance.now();
    const earlier = this.seen.get(error.message);
    if (earlier !== undefined && now - earlier.at < REPEAT_AFTER_MS) {
      earlier.suppressed += 1;
      return;
    }
    for (const [message, { at }] of this.seen) if (now - at >= REPEAT_AFTER_MS) this.seen.delete(message);
    this.seen.set(error.message, { at: now, suppressed: 0 });
    this.deliver?.(error, earlier?.suppressed ?? 0);
  }
}
