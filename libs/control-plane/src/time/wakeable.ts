import type { Clock } from '../ports/clock.js';

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
  async wait(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<void> {
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
