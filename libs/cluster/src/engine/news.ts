import { answersSince } from './action-result.js';
import type { Engine } from './engine.js';
import type { EngineInput } from './engine-types.js';
import { isPerformed, type RunningState } from './resume.js';

/**
 * What an engine has to be told for it to stand, after a `tick`, where one would stand that `resumeEngine` makes of the transition as it is now, with dispatch rows of what the engine has handed out.
 *
 * @param state with the nodes as they were when the engine stood there: what it has in flight on a node is unanswered once that has left
 * @param known how many reports of the transition the engine knows
 * @param now epoch ms
 * @returns undefined where that can't be had so, and one has to be made: when the transition began to wind down, or to do so without its probes, or fences while it does; when something was answered that it did not hand out; and when
 * something runs out of time, which is counted when an engine is made
 */
export function newsFor(engine: Engine, state: RunningState, known: number, now: number): readonly EngineInput[] | undefined {
  const { transition } = state;
  const goesOn =
    engine.status === transition.status &&
    engine.probing === (transition.probingSince !== undefined) &&
    (engine.status === 'running' || engine.performing.length === 0);
  if (!goesOn) return undefined;
  if (transition.results.length < known || (engine.nextExpiry !== undefined && engine.nextExpiry <= now)) return undefined;
  const answers = answersSince(transition, engine.graph, known);
  if (answers.some(({ action }) => !engine.isInFlight(action.id))) return undefined;
  const answered = new Set(answers.map(({ action }) => action.id));
  const performed = engine.performing.filter(({ action }) => !answered.has(action.id) && isPerformed(state, action));
  return [
    ...answers.map(
      ({ action: { id: graphActionId }, result: { status, rc } }) => ({ type: 'result', graphActionId, status, rc, now }) as const,
    ),
    ...performed.map(({ action }) => ({ type: 'performed', graphActionId: action.id, ok: true, now }) as const),
  ];
}
