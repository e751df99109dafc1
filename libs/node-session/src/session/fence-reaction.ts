import type { FenceReaction } from '@systole/protocol';
import { log, update, type Turn } from '../turn.js';

/** A server that does not say wants what was always done. */
export function noteFenceReaction(turn: Turn, told: FenceReaction | undefined): void {
  const fenceReaction = told ?? 'stop';
  if (fenceReaction !== turn.state.fenceReaction) update(turn, { fenceReaction });
}

/** The machine is to restart at once. Where that can't be done the rest follows: a watchdog is not fed any more, and everything is stopped. */
export function panic(turn: Turn, problem: string): void {
  log(turn, 'error', 'this node was declared down and runs: its machine is restarted at once (fencing-reaction)', { problem });
  if (turn.state.settings.watchdog) update(turn, { starving: 'panic' });
  turn.effects.push({ type: 'panic' });
}
