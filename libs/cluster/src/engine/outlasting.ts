import type { GraphAction } from '@systole/scheduler';
import { isProbe } from '../state/history.js';
import type { AgentAction } from './agent-action.js';
import { intervalMsOf } from './graph-index.js';

type Asked = Pick<AgentAction, 'operation' | 'intervalMs' | 'meta'>;

/** What an action has, at least, that goes on when its transition is aborted; an agent's order contains it as it stands here. */
export interface Outlasting {
  readonly operation: string;
  readonly intervalMs?: number;
  readonly meta?: Readonly<Record<string, string>>;
}

/** The notification that something has happened. One of what is to happen is no news where it won't. */
const TIDINGS: Outlasting = { operation: 'notify', meta: { CRM_meta_notify_type: 'post' } };
const PROBE: Outlasting = { operation: 'monitor', intervalMs: 0 };

/**
 * What goes on in an aborting transition: it is handed out and delivered, and not taken back. Tidings of what has happened, on which clones that are notified rely (specification 08 §8.2), and, where nothing but discoveries of
 * probes speaks against the transition, other probes, which the next plan needs in any case. Neither changes anything.
 *
 * @param probing whether the transition goes on with its probes (`TransitionState.probingSince`)
 */
export function outlasting(probing: boolean): readonly Outlasting[] {
  return probing ? [TIDINGS, PROBE] : [TIDINGS];
}

/** Whether an agent's order goes on when its transition is aborted ({@link outlasting}). */
export function outlastsAbort(asked: Asked, probing: boolean): boolean {
  return outlasting(probing).some(
    ({ operation, intervalMs, meta = {} }) =>
      operation === asked.operation &&
      (intervalMs === undefined || intervalMs === asked.intervalMs) &&
      Object.entries(meta).every(([name, value]) => asked.meta[name] === value),
  );
}

/** The same of an action that is in a graph yet. */
export function outlastsAbortInGraph(action: GraphAction, probing: boolean): boolean {
  const { kind, operation, attributes: meta } = action;
  return kind === 'rsc_op' && outlastsAbort({ operation, intervalMs: intervalMsOf(action), meta }, probing);
}

/** Whether an action of a graph looks whether a resource is there. */
export function isProbeInGraph(action: GraphAction): boolean {
  return action.kind === 'rsc_op' && isProbe(action.operation, intervalMsOf(action));
}
