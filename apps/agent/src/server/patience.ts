import { setTimeout as delay } from 'node:timers/promises';
import { ServerUnavailable } from './server-connection.js';

const PAUSE_MS = 500;
const PATIENCE_MS = 15_000;

/**
 * Repeats a request of a resource agent while the server is away for a moment (a restart, a switch of its replicas), so that the agent's operation does
 * not fail for it.
 * @throws what the last attempt threw
 */
export async function patiently<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServerUnavailable) || signal.aborted || performance.now() > until) throw error;
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
