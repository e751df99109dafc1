import type { Action } from './action.js';

/** Phases in which instances are notified. */
export type NotifyPhase = 'start' | 'stop' | 'promote' | 'demote';

/** The pseudo-actions around one phase (specification 07 §8.1). */
export interface NotifyPoints {
  readonly pre: Action | undefined;
  readonly preDone: Action | undefined;
  readonly post: Action;
  readonly postDone: Action;
}

/** Points of a clone, as far as they exist. */
export interface ClonePoints {
  readonly start: NotifyPoints;
  readonly stop: NotifyPoints;
  readonly promote?: NotifyPoints;
  readonly demote?: NotifyPoints;
}
