import type { GraphAction, TransitionGraph } from '@systole/scheduler';
import { isActivation } from '../epoch/activation-hold.js';
import { activatesLeft } from '../lease/left-running.js';
import type { EngineLimits } from './engine-types.js';
import { executingNode, graphIndex } from './graph-index.js';

type Held = Pick<EngineLimits, 'activationHeld' | 'heldResources' | 'leaving'>;

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
 * others: on the same node (a restart), or on another one, as long as no more instances are taken down than come up again. (Where more are, something is active too often, or not wanted any
 * more.) What is up is not taken down for nobody knows how long, because it would be better off elsewhere.
 *
 * Not what takes down on a node that shuts down, which has to be emptied; nor anything that a stop or a demotion waits for which does not wait itself.
 *
 * Linear in the actions and inputs of the graph; the caller keeps the answer.
 */
export function makingWay(graph: TransitionGraph, limits: Held): ReadonlySet<number> {
  const { activationHeld, heldResources } = limits;
  if (!activationHeld && (heldResources === undefined || heldResources.size === 0)) return new Set();
  const actions = graph.synapses.map(({ action }) => action);
  const leaving = new Set([
    ...(limits.leaving ?? []),
    ...actions.flatMap((action) => (action.operation === 'do_shutdown' ? (action.node?.name ?? []) : [])),
  ]);
  const { dependentsOf } = graphIndex(graph);
  const late = closure(
    actions.flatMap((action, position) => (isHeld(action, limits) ? [position] : [])),
    dependentsOf,
  );
  const goesDown = (action: GraphAction): boolean => action.kind === 'rsc_op' && COUNTERPARTS.some(([down]) => down === action.operation);
  const makesWay = new Set(
    COUNTERPARTS.flatMap(([down, up]) =>
      replaced(
        actions.filter((action) => goesDown(action) && action.operation === down),
        actions.filter((action, position) => action.operation === up && late.has(position)),
      ),
    ).filter((action) => !leaving.has(executingNode(action) ?? '')),
  );
  const needed = closure(
    actions.flatMap((action, position) => (goesDown(action) && !makesWay.has(action) ? [position] : [])),
    (position) => inputsOf(graph, position),
  );
  return new Set(actions.flatMap((action, position) => (makesWay.has(action) && !needed.has(position) ? [action.id] : [])));
}

/** Of what goes down that which comes up again: on the same node, and of the rest all of a resource if all of it does. */
function replaced(down: readonly GraphAction[], up: readonly GraphAction[]): readonly GraphAction[] {
  const comingUp = new Set(up.map(placeOf));
  const goingDown = new Set(down.map(placeOf));
  const restarted = down.filter((action) => comingUp.has(placeOf(action)));
  const moved = down.filter((action) => !comingUp.has(placeOf(action)));
  const leaving = countByResource(moved);
  const coming = countByResource(up.filter((action) => !goingDown.has(placeOf(action))));
  const isMove = ({ primitive }: GraphAction): boolean =>
    primitive !== undefined && (leaving.get(primitive.id) ?? 0) <= (coming.get(primitive.id) ?? 0);
  return [...restarted, ...moved.filter(isMove)];
}

/** By the id in the configuration: instances of a clone may change their numbers. */
function placeOf({ primitive, node }: GraphAction): string {
  return `${primitive?.id ?? ''} ${node?.name ?? ''}`;
}

function countByResource(actions: readonly GraphAction[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { primitive } of actions) if (primitive !== undefined) counts.set(primitive.id, (counts.get(primitive.id) ?? 0) + 1);
  return counts;
}

/** Positions of the inputs of a synapse that are synapses of the graph. */
function inputsOf(graph: TransitionGraph, position: number): readonly number[] {
  const { positionOf } = graphIndex(graph);
  return (graph.synapses[position]?.inputs ?? []).flatMap((input) => positionOf.get(input) ?? []);
}

/** These positions and all that can be reached from them. */
function closure(positions: readonly number[], next: (position: number) => Iterable<number>): ReadonlySet<number> {
  const found = new Set(positions);
  for (const position of found) for (const one of next(position)) found.add(one);
  return found;
}
