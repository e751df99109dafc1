import type { OnLeaseLoss } from '@systole/protocol';
import { append } from './journal/queue.js';
import { actionAt } from './lease.js';
import { policyOf } from './lease-policy.js';
import { startStopping } from './stopping.js';
import { log, update, type Turn } from './turn.js';
import { dropWaiting, forgetPlans, killAllButStops, killFencings, killUnstarted } from './work/forget.js';

/** Before anything else in every step: a node that slept through the end of its lease acts on that first. */
export function checkLease(turn: Turn): void {
  const { lease, phase } = turn.state;
  if (lease === undefined || lease.acted || turn.now < actionAt(lease)) return;
  if (phase.kind !== 'joining' && phase.kind !== 'member') return;
  update(turn, { lease: { ...lease, acted: true } });
  loseLease(turn);
}

/** @returns whether everything is being stopped, so that the session is over */
export function loseLease(turn: Turn): boolean {
  const { lease } = turn.state;
  const onLeaseLoss = policyOf(turn.state);
  const remainingMs = lease === undefined ? 0 : Math.max(0, lease.from + lease.lengthMs - turn.now);
  const fields = { onLeaseLoss, remainingMs: Math.round(remainingMs) };
  switch (onLeaseLoss) {
    case 'keep':
      log(turn, 'error', 'the lease can not be renewed in time; what runs goes on, nothing new is begun', fields);
      dropWaiting(turn);
      killUnstarted(turn);
      killFencings(turn);
      return false;
    case 'watchdog':
      log(turn, 'error', 'the lease can not be renewed in time; the watchdog is not fed any more', fields);
      dropWaiting(turn);
      killUnstarted(turn);
      killFencings(turn);
      if (turn.state.starving === undefined) update(turn, { starving: 'lease-lost' });
      return false;
    case 'stop':
      log(turn, 'error', 'the lease can not be renewed in time; everything is stopped', fields);
      forgetPlans(turn);
      killAllButStops(turn);
      startStopping(turn, 'join', remainingMs);
      return true;
  }
}

/** Keeps in the journal what the server wants done, so that it holds when the agent restarts and finds no server. */
export function noteTold(turn: Turn, told: OnLeaseLoss | undefined): void {
  const { journal, settings } = turn.state;
  if (told === undefined || told === journal.ahead.onLeaseLoss) return;
  append(turn, [{ kind: 'told', onLeaseLoss: told }]);
  const { onLeaseLoss } = settings;
  if (onLeaseLoss === undefined || onLeaseLoss === told) log(turn, 'info', 'told what to do when the lease is lost', { onLeaseLoss: told });
  else log(turn, 'warn', 'what the server wants done when the lease is lost is overridden by a local setting', { told, onLeaseLoss });
}

/** The server knows by now what is set here. */
export function noteAnnounced(turn: Turn): void {
  const { journal, settings } = turn.state;
  const { onLeaseLoss } = settings;
  if (onLeaseLoss === journal.ahead.announced) return;
  append(turn, [{ kind: 'announced', ...(onLeaseLoss === undefined ? {} : { onLeaseLoss }) }]);
}

/** The same for what is not managed: maintenance must not end because an agent restarts. */
export function noteUnmanaged(turn: Turn, historyIds: readonly string[]): void {
  const { unmanaged } = turn.state.journal.ahead;
  if (historyIds.length === unmanaged.size && historyIds.every((id) => unmanaged.has(id))) return;
  append(turn, [{ kind: 'unmanaged', historyIds }]);
}
