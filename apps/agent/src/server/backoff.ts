import { ServerUnavailable } from './server-connection.js';

const FIRST_MS = 200;
const LAST_MS = 5_000;

/** Delays between attempts: doubling, with jitter so that the nodes of a cluster do not come back all at once. */
export class Backoff {
  private failures = 0;

  /** ms to wait before the next attempt. */
  next(): number {
    const full = Math.min(LAST_MS, FIRST_MS * 2 ** this.failures);
    this.failures += 1;
    return Math.round(full / 2 + (Math.random() * full) / 2);
  }

  reset(): void {
    this.failures = 0;
  }
}

/** Waits, but not longer than until the signal. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}

const PATIENCE_MS = 15_000;

/**
 * Repeats a request of a resource agent while the server is away for a moment (a restart, a switch of its replicas), so that the agent's operation does
 * not fail for it.
 * @throws what the last attempt threw
 */
export async function patiently<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const backoff = new Backoff();
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServerUnavailable) || signal.aborted || performance.now() > until) throw error;
      await delay(backoff.next(), signal);
    }
  }
}
