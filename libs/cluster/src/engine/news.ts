import type { TransitionState } from '../state/cluster-state.js';
import { answersSince } from './action-result.js';
import type { Engine } from './engine.js';
import type { EngineInput } from './engine-types.js';

/**
 * What an engine has to be told for it to stand, after a `tick`, where one would stand that `resumeEngine` makes of the transition as it is now, with dispatch rows of what the engine has handed out.
 *
 * @param known how many reports of the transition the engine knows
 * @param now epoch ms
 * @returns undefined where that can't be had so, and one has to be made: when the transition winds down; with cluster events under way, whose end the state tells in other
 * ways; when something was answered that it did not hand out; and when something runs out of time, which is counted when an engine is made
 */
export function newsFor(engine: Engine, transition: TransitionState, known: number, now: number): readonly EngineInput[] | undefined {
  if (engine.status !== 'running' || transition.status !== 'running' || engine.performing > 0) return undefined;
  if (transition.results.length < known || (engine.nextExpiry !== undefined && engine.nextExpiry <= now)) return undefined;
  const answers = answersSince(transition, engine.graph, known);
  if (answers.some(({ action }) => !engine.isInFlight(action.id))) return undefined;
  return answers.map(({ action, result }) => ({ type: 'result', graphActionId: action.id, status: result.status, rc: result.rc, now }));
}
