import type { GraphAction, TransitionGraph } from '@systole/scheduler';
import { isActivation } from '../epoch/activation-hold.js';
import { activatesLeft } from '../lease/left-running.js';
import type { EngineLimits } from './engine-types.js';
import { executingNode, graphIndex } from './graph-index.js';
import { isProbeInGraph } from './outlasting.js';

type Held = Pick<EngineLimits, 'activationHeld' | 'promotionsHeld' | 'heldResources' | 'leaving'>;

/** What takes down, and what builds up again what it took down. */
const COUNTERPARTS = [
  ['stop', 'start'],
  ['demote', 'promote'],
] as const;

/** Whether an action waits as nothing may be activated, or promoted, at present, or not what it activates. */
export function isHeld(action: GraphAction, { activationHeld, promotionsHeld, heldResources }: Held): boolean {
  if (!isActivation(action)) return false;
  if (activationHeld || (promotionsHeld === true && action.operation === 'promote')) return true;
  return heldResources !== undefined && activatesLeft(action, heldResources);
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
  const { activationHeld, promotionsHeld, heldResources } = limits;
  if (!activationHeld && promotionsHeld !== true && (heldResources === undefined || heldResources.size === 0)) return new Set();
  return waitingWith(
    graph,
    limits,
    (action) => isHeld(action, limits),
    () => false,
  );
}

/**
 * Graph action ids of what waits until all probes of the graph are answered: stops and demotions that make way, as in {@link makingWay}, for what is to come up on a node that is being probed, and did not
 * run there, and migrations to such a node. What its probes find may well be that everything runs as it should: an agent that was restarted knows nothing of its node yet, and what is up elsewhere is
 * not taken down to be balanced with what only seems to be missing there. Nothing that a probe waits for is among them.
 *
 * Linear in the actions and inputs of the graph; the caller keeps the answer.
 */
export function makingWayUnproven(graph: TransitionGraph, limits: Pick<Held, 'leaving'>): ReadonlySet<number> {
  const actions = graph.synapses.map(({ action }) => action);
  const probed = new Set(actions.flatMap((action) => (isProbeInGraph(action) ? [action.node?.name ?? ''] : [])));
  if (probed.size === 0) return NONE;
  const down = new Set(actions.filter(goesDown).map(placeOf));
  const target = ({ attributes, node }: GraphAction): string => attributes['CRM_meta_migrate_target'] ?? node?.name ?? '';
  const comesUpUnproven = (action: GraphAction): boolean =>
    isActivation(action) && probed.has(target(action)) && !down.has(placeOf(action));
  return waitingWith(graph, limits, comesUpUnproven, isProbeInGraph);
}

/** @param isLate what is held, or waits @param mustNotWait what is not to be kept waiting, nor what that waits for */
function waitingWith(
  graph: TransitionGraph,
  limits: Pick<Held, 'leaving'>,
  isLate: (action: GraphAction) => boolean,
  mustNotWait: (action: GraphAction) => boolean,
): ReadonlySet<number> {
  const actions = graph.synapses.map(({ action }) => action);
  const leaving = new Set([
    ...(limits.leaving ?? []),
    ...actions.flatMap((action) => (action.operation === 'do_shutdown' ? (action.node?.name ?? []) : [])),
  ]);
  const { dependentsOf } = graphIndex(graph);
  const late = closure(
    actions.flatMap((action, position) => (isLate(action) ? [position] : [])),
    dependentsOf,
  );
  const makesWay = new Set(
    COUNTERPARTS.flatMap(([down, up]) =>
      replaced(
        actions.filter((action) => goesDown(action) && action.operation === down),
        actions.filter((action, position) => action.operation === up && late.has(position)),
      ),
    ).filter((action) => !leaving.has(executingNode(action) ?? '')),
  );
  const needed = closure(
    actions.flatMap((action, position) => ((goesDown(action) && !makesWay.has(action)) || mustNotWait(action) ? [position] : [])),
    (position) => inputsOf(graph, position),
  );
  const waits = (action: GraphAction): boolean => makesWay.has(action) || (action.operation === 'migrate_to' && isLate(action));
  return new Set(actions.flatMap((action, position) => (waits(action) && !needed.has(position) ? [action.id] : [])));
}

const NONE: ReadonlySet<number> = new Set();

function goesDown({ kind, operation }: GraphAction): boolean {
  return kind === 'rsc_op' && COUNTERPARTS.some(([down]) => down === operation);
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
