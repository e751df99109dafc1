import type { EndReason } from './effects.js';
import { actionAt } from './lease.js';
import { policyOf, policyOnDisk, startsWatchdog } from './lease-policy.js';
import type { NodeState } from './state.js';
import { log, update, type Turn } from './turn.js';

/**
 * Whether a watchdog may be fed at this moment: not by a node that has lost its lease, even if it did not have the time to notice.
 *
 * Where the servers may count on its resetting the machine (`watchdog`), not before this process has joined either: what the process before it has told them of the watchdog it does not know, nor, when journal and run
 * directory are lost, what runs here.
 */
export function mayFeed(state: NodeState, now: number): boolean {
  const { lease, starving, hasJoined, journal, phase } = state;
  if (starving !== undefined) return false;
  // What a damaged journal says is of before what the second record says, which is read as soon as nothing of the process before runs any more.
  if (phase.kind === 'settling' && phase.rescued !== undefined) return false;
  if (policyOf(state) !== 'watchdog') return true;
  if (!hasJoined) return false;
  return lease === undefined ? journal.ahead.active.size === 0 : now < actionAt(lease);
}

/**
 * Whether a watchdog is disarmed when the agent has ended. Not where the servers may count on its resetting the machine (`watchdog`) and something runs on of which they were not told that it does: whoever is
 * superseded, or finds that its token is of another node, leaves all as it is. Nor by a process in whose journal nobody has joined in this boot: what runs here by the word of a journal that was lost it does not know.
 */
export function mayDisarm(state: NodeState): boolean {
  const { phase, journal } = state;
  if (phase.kind !== 'ended' || phase.reason === 'left-unclean') return false;
  if (policyOf(state) !== 'watchdog' || phase.reason === 'cluster-deleted') return true;
  const { active, bootIncarnation } = journal.ahead;
  return bootIncarnation !== undefined && (phase.reason === 'left' || active.size === 0);
}

/** What a poll says of the watchdog: with a time-out only as long as it is armed, and a process that follows this one would do with it what this one does. */
export function watchdogTold(state: NodeState): { readonly watchdog: boolean; readonly watchdogArmedMs?: number } {
  const { settings, watchdogIs } = state;
  const armed = watchdogIs === 'armed' && settings.watchdogMs !== undefined && policyOnDisk(state) === policyOf(state);
  return { watchdog: startsWatchdog(state), ...(armed ? { watchdogArmedMs: settings.watchdogMs } : {}) };
}

/** @param timeoutMs undefined: nobody knows */
export function noteArmed(turn: Turn, timeoutMs: number | undefined): void {
  if (turn.state.watchdogIs === 'armed') return;
  update(turn, { watchdogIs: 'armed', settings: { ...turn.state.settings, watchdogMs: timeoutMs } });
  log(turn, 'info', 'the watchdog is armed', timeoutMs === undefined ? {} : { timeoutMs });
}

export function noteUnfed(turn: Turn, problem: string): void {
  if (turn.state.watchdogIs === 'lost') return;
  update(turn, { watchdogIs: 'lost' });
  log(turn, 'error', 'the watchdog can not be fed: what runs here is stopped instead when the lease is lost', { problem });
}

/** The cluster fences this node by its watchdog, which is not fed any more before it lets the node join again. */
export function letReset(turn: Turn, problem: string): void {
  if (turn.state.starving === 'ordered') return;
  log(turn, 'error', 'this node is fenced by its own watchdog: it is not fed any more, and nothing new is begun', { problem });
  update(turn, { starving: 'ordered' });
}

/** How it ends where the server was not told what runs on here, unmanaged: it may count on the watchdog, which must not be disarmed then. */
export function leftUntold(turn: Turn): EndReason {
  const left = [...turn.state.journal.ahead.active.keys()];
  if (left.length === 0 || !turn.state.settings.watchdog || policyOf(turn.state) !== 'watchdog') return 'left';
  log(turn, 'error', 'the server could not be told what runs on here: the watchdog stays armed', { resources: left });
  return 'left-unclean';
}
