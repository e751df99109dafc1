import type { Clock } from '../ports/clock.js';

/** Says once that something is over. An `AbortSignal` is one. */
export interface Ending {
  readonly aborted: boolean;
  /** The listener is called once at most. */
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Waits for something that others tell: `wait` resolves at the next `wake` after the last `wait`, so that a wake between two waits is not lost.
 */
export class Wakeable {
  private woken = false;
  private resolve: (() => void) | undefined;

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  readonly wake = (): void => {
    this.woken = true;
    this.resolve?.();
  };

  /** @param milliseconds resolves then at the latest */
  async wait(milliseconds: number, ...signals: readonly Ending[]): Promise<void> {
    if (!this.woken && milliseconds > 0 && !signals.some((signal) => signal.aborted)) {
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          cancel();
          for (const signal of signals) signal.removeEventListener('abort', finish);
          this.resolve = undefined;
          resolve();
        };
        const cancel = this.clock.after(milliseconds, finish);
        for (const signal of signals) signal.addEventListener('abort', finish, { once: true });
        this.resolve = finish;
      });
    }
    this.woken = false;
  }
}
