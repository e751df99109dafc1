import type { NodeState } from './state.js';

/** For how long the machine has been up, whole ms: what counts on while it is suspended, and from one process of the agent to the next, whatever its time of day does. */
export function uptimeMs({ settings, now, startedAt }: Pick<NodeState, 'settings' | 'now' | 'startedAt'>): number {
  return Math.floor(settings.processStartedMs + now - startedAt);
}
