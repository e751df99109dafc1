import { update, type Turn } from '../turn.js';

/** What is beyond the threshold counts as such until it is below this part of it: a load that hovers about it is told once. */
const BELOW = 3 / 4;

/** A server that does not say has nobody look. */
export function noteLoadThreshold(turn: Turn, told: number | undefined): void {
  const { loadThreshold: before, ...state } = turn.state;
  if (told === before) return;
  turn.state = told === undefined ? { ...state, loaded: false } : { ...state, loadThreshold: told };
}

export function noteLoad(turn: Turn, loadPercent: number | undefined): void {
  const { loadThreshold, loaded: before } = turn.state;
  if (loadThreshold === undefined || loadPercent === undefined) return;
  const loaded = loadPercent >= (before ? loadThreshold * BELOW : loadThreshold);
  if (loaded !== before) update(turn, { loaded });
}
