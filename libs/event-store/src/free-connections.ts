import { setTimeout as sleep } from 'node:timers/promises';
import { storeError, StoreUnavailable } from './errors.js';

/** Between two tries, ms. */
const AGAIN_AFTER_MS = 1_000;
/** How often it is told that none are free, ms. */
const TOLD_EVERY_MS = 10_000;
/** So long a program tries to begin, ms: longer than one that is being replaced takes to end. */
const PATIENCE_MS = 300_000;

/** How one waits for connections. */
export interface WaitingForConnections {
  /** How long it is tried, ms; five minutes when left out. */
  readonly forMs?: number;
  /** Hears now and then why it waits. Must not throw. */
  readonly tell: (reason: string) => void;
}

/**
 * Begins what needs connections, as a program does at its start. Where PostgreSQL has none free it is begun again each second: others are about to give some back.
 *
 * @param begin lets go of everything when it throws
 * @throws what `begin` throws for any other reason, or when the time is over
 */
export async function beginWhenConnectionsAreFree<T>(
  begin: () => Promise<T>,
  { forMs = PATIENCE_MS, tell }: WaitingForConnections,
): Promise<T> {
  const until = performance.now() + forMs;
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await begin();
    } catch (error) {
      const reason = noneFree(error);
      const now = performance.now();
      if (reason === undefined || now > until) throw error;
      if (now - toldAt >= TOLD_EVERY_MS) {
        tell(`${reason}; trying again for ${String(Math.ceil((until - now) / 1_000))} s`);
        toldAt = now;
      }
    }
    await sleep(AGAIN_AFTER_MS);
  }
}

/** Why there is none, if that is what the error says. */
function noneFree(error: unknown): string | undefined {
  const typed = storeError(error, 'connect');
  return typed instanceof StoreUnavailable && typed.trouble === 'too-many-connections' ? typed.reason : undefined;
}
