import type { GraphAction, TransitionGraph } from '@systole/scheduler';
import { isActivation } from '../epoch/activation-hold.js';
import { activatesLeft } from '../lease/left-running.js';
import type { EngineLimits } from './engine-types.js';
import { graphIndex } from './graph-index.js';

type Held = Pick<EngineLimits, 'activationHeld' | 'heldResources'>;

/** What takes down, and what builds up again what it took down. */
const COUNTERPARTS = [
  ['stop', 'start'],
  ['demote', 'promote'],
] as const;

/** Whether an action waits as nothing may be activated at present, or not what it activates. */
export function isHeld(action: GraphAction, { activationHeld, heldResources }: Held): boolean {
  if (!isActivation(action)) return false;
  return activationHeld || (heldResources !== undefined && activatesLeft(action, heldResources));
}

/**
 * Graph action ids of what waits with what is held: stops and demotions that only make way, for a start or a promotion of the same resource that waits for the end of a hold, itself or through
 * others. What is healthy is not taken down for nobody knows how long, because it would be better off elsewhere. Where more instances are taken down than
 * come up again, something is active too often, or not wanted any more: nothing waits then. Nor where a node shuts down, which has to be emptied.
 *
 * Linear in the actions and inputs of the graph; the caller keeps the answer.
 */
export function makingWay(graph: TransitionGraph, limits: Held): ReadonlySet<number> {
  const { activationHeld, heldResources } = limits;
  if (!activationHeld && (heldResources === undefined || heldResources.size === 0)) return new Set();
  const actions = graph.synapses.map(({ action }) => action);
  if (actions.some(({ operation }) => operation === 'do_shutdown')) return new Set();
  const late = waitingWith(
    graph,
    actions.flatMap((action, position) => (isHeld(action, limits) ? [position] : [])),
  );
  const ids = COUNTERPARTS.flatMap(([down, up]) => {
    const coming = countByResource(actions.filter((action, position) => action.operation === up && late.has(position)));
    const going = actions.filter((action) => action.kind === 'rsc_op' && action.operation === down);
    const leaving = countByResource(going);
    const makesWay = (resource: string): boolean => (leaving.get(resource) ?? 0) <= (coming.get(resource) ?? 0);
    return going.flatMap(({ id, primitive }) => (primitive !== undefined && makesWay(primitive.id) ? [id] : []));
  });
  return new Set(ids);
}

/** Positions of these and of all that waits for them. */
function waitingWith(graph: TransitionGraph, positions: readonly number[]): ReadonlySet<number> {
  const { dependents } = graphIndex(graph);
  const found = new Set(positions);
  for (const position of found) for (const dependent of dependents[position] ?? []) found.add(dependent);
  return found;
}

/** By the id in the configuration: instances of a clone may change their numbers. */
function countByResource(actions: readonly GraphAction[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { primitive } of actions) if (primitive !== undefined) counts.set(primitive.id, (counts.get(primitive.id) ?? 0) + 1);
  return counts;
}
