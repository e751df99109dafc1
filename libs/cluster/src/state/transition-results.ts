import type { ActionResult, TransitionState } from './cluster-state.js';
import { appended, itemAt, itemsFrom, type PersistentList } from './persistent-list.js';

/** Stands for the server where it says itself how an action ended; no node has this name. */
export const SERVER = '';

/** What somebody said of an action of the running transition. */
export interface ActionReport {
  readonly graphActionId: number;
  /** A node's name, or `SERVER`. */
  readonly reporter: string;
  readonly result: ActionResult;
}

/** All that was said of the actions of a transition, in the order in which it was recorded; of each reporter its first word on an action. */
export type TransitionResults = PersistentList<ActionReport>;

/**
 * Positions of an action's reports, kept beside the list, one table for all versions that grew from one another. Only a hint: a version looks at its own list
 * whether it has that report there, since another that grew from the same list may have another one.
 */
const positions = new WeakMap<TransitionResults, Map<number, number[]>>();

function positionsIn(results: TransitionResults): Map<number, number[]> {
  const known = positions.get(results);
  if (known !== undefined) return known;
  const made = new Map<number, number[]>();
  for (let position = 0; position < results.length; position++) {
    const report = itemAt(results, position);
    if (report !== undefined) notePosition(made, report, position);
  }
  positions.set(results, made);
  return made;
}

function notePosition(known: Map<number, number[]>, { graphActionId }: ActionReport, position: number): void {
  const of = known.get(graphActionId);
  if (of === undefined) known.set(graphActionId, [position]);
  else if (!of.includes(position)) of.push(position);
}

/** What was said of an action, by whomever. */
export function reportsOf(results: TransitionResults, graphActionId: number): readonly ActionReport[] {
  return (positionsIn(results).get(graphActionId) ?? []).flatMap((position) => {
    const report = itemAt(results, position);
    return report?.graphActionId === graphActionId ? report : [];
  });
}

/** What was said since there were `known` reports, in the order in which it was recorded. Who knows those need not look at them again. */
export function reportsSince(results: TransitionResults, known: number): readonly ActionReport[] {
  return itemsFrom(results, known);
}

/** What `reporter` (a node's name, or `SERVER`) said of an action. */
export function resultFrom({ results }: TransitionState, graphActionId: number, reporter: string): ActionResult | undefined {
  return reportsOf(results, graphActionId).find((report) => report.reporter === reporter)?.result;
}

/** Whether anybody at all said how an action ended: the node that it went to, or another. */
export function isReported({ results }: TransitionState, graphActionId: number): boolean {
  return reportsOf(results, graphActionId).length > 0;
}

/** Notes what `reporter` says. Its first word stays; that of one takes no other's place. */
export function withReport(transition: TransitionState, graphActionId: number, reporter: string, result: ActionResult): TransitionState {
  const { results } = transition;
  if (resultFrom(transition, graphActionId, reporter) !== undefined) return transition;
  const report = { graphActionId, reporter, result };
  const known = positionsIn(results);
  const next = appended(results, report);
  notePosition(known, report, results.length);
  positions.set(next, known);
  return { ...transition, results: next };
}
