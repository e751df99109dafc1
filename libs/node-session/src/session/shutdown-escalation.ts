import { beforeEndMs, policyOf } from '../lease-policy.js';
import type { NodeState } from '../state.js';
import { startStopping } from '../stopping.js';
import { log, update, type Turn } from '../turn.js';
import { forgetPlans, killAllButStops } from '../work/forget.js';
import { end } from './phases.js';

/** A server that does not say has the agent wait for ever. */
export function noteEscalation(turn: Turn, toldMs: number | undefined): void {
  const { shutdownEscalationMs: before, ...state } = turn.state;
  if (toldMs === before) return;
  turn.state = toldMs === undefined ? state : { ...state, shutdownEscalationMs: toldMs };
}

/** When an agent that was told to end has waited long enough, ms; undefined: it was not, or waits for ever. */
export function escalationAt({ stopRequestedAt, shutdownEscalationMs }: NodeState): number | undefined {
  return stopRequestedAt === undefined || shutdownEscalationMs === undefined ? undefined : stopRequestedAt + shutdownEscalationMs;
}

/**
 * The cluster did not stop or move in time what runs here (option `shutdown-escalation`): the agent ends. What it leaves running is the cluster's to fence, which it does when the lease is over,
 * or the watchdog's to end; where there is neither nobody would end it, so that it is stopped here first, in order while the lease lasts. Where nothing runs nothing has to be reset.
 *
 * @returns whether that is so, so that the session is over
 */
export function escalateShutdown(turn: Turn): boolean {
  const at = escalationAt(turn.state);
  if (at === undefined || turn.now < at) return false;
  const active = [...turn.state.journal.ahead.active.keys()];
  const fields = { resources: active, onLeaseLoss: policyOf(turn.state) };
  if (policyOf(turn.state) === 'stop' || active.length === 0) {
    log(
      turn,
      'error',
      'the cluster did not stop in time what runs here (shutdown-escalation): it is stopped before this agent ends',
      fields,
    );
    forgetPlans(turn);
    killAllButStops(turn);
    startStopping(turn, 'end', beforeEndMs(turn));
    return true;
  }
  log(
    turn,
    'error',
    'the cluster did not stop in time what runs here (shutdown-escalation): this agent ends, and leaves it running',
    fields,
  );
  if (policyOf(turn.state) === 'watchdog' && turn.state.starving === undefined) update(turn, { starving: 'lease-lost' });
  end(turn, 'left-unclean');
  return true;
}
