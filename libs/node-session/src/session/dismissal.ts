import type { Dismissal } from '../state.js';
import { log, update, type Turn } from '../turn.js';

/**
 * A server says that this agent has no place in the cluster any more. One of several may be an old one, or one of another installation, or may have an old database:
 * only when all say so it is true.
 * @returns whether it is
 */
export function dismissedByAll(turn: Turn, server: number, dismissal: Dismissal, detail: string): boolean {
  const { servers } = turn.state;
  const dismissed = new Map(turn.state.dismissed).set(server, dismissal);
  update(turn, { dismissed });
  if (servers.urls.every((_, index) => dismissed.get(index) === dismissal)) return true;
  log(turn, 'error', 'one of the servers has no place for this agent any more; it ends when all say so', {
    server: servers.urls[server],
    dismissal,
    problem: detail,
  });
  return false;
}

/** A server answers otherwise than {@link dismissedByAll} was told. */
export function noteNotDismissed(turn: Turn, server: number): void {
  if (!turn.state.dismissed.has(server)) return;
  const dismissed = new Map(turn.state.dismissed);
  dismissed.delete(server);
  update(turn, { dismissed });
}
