import type { ActionResult, TransitionState } from './cluster-state.js';

/** Stands for the server where it says itself how an action ended; no node has this name. */
export const SERVER = '';

/** What `reporter` (a node's name, or `SERVER`) said of an action. */
export function resultFrom(transition: TransitionState, graphActionId: number, reporter: string): ActionResult | undefined {
  const reports = reportsOf(transition, graphActionId);
  return Object.hasOwn(reports, reporter) ? reports[reporter] : undefined;
}

/** Whether anybody at all said how an action ended: the node that it went to, or another. */
export function isReported(transition: TransitionState, graphActionId: number): boolean {
  return Object.keys(reportsOf(transition, graphActionId)).length > 0;
}

/** Notes what `reporter` says. Its first word stays; that of one takes no other's place. */
export function withReport(transition: TransitionState, graphActionId: number, reporter: string, result: ActionResult): TransitionState {
  const reports = reportsOf(transition, graphActionId);
  if (Object.hasOwn(reports, reporter)) return transition;
  return { ...transition, results: { ...transition.results, [String(graphActionId)]: { ...reports, [reporter]: result } } };
}

function reportsOf({ results }: TransitionState, graphActionId: number): Readonly<Record<string, ActionResult>> {
  const id = String(graphActionId);
  return (Object.hasOwn(results, id) ? results[id] : undefined) ?? {};
}
