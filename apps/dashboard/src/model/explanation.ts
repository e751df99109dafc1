import type { components } from '@systole/api-client';

type Placement = components['schemas']['PlacementDto'];
type Action = components['schemas']['ActionExplanationDto'];

const INFINITY_SCORE = 1_000_000;

/** A score as Pacemaker's tools write it, with a real minus. */
export function scoreText(score: number): string {
  const size = Math.abs(score) >= INFINITY_SCORE ? 'INFINITY' : String(Math.abs(score));
  return score < 0 ? `−${size}` : size;
}

/** Where a resource is, and where it goes when that is somewhere else. */
export function placeText({ role, nextRole, activeOn, node }: Placement): { readonly now: string; readonly next?: string } {
  const now = activeOn.length === 0 ? 'Stopped' : `${role} on ${activeOn.join(', ')}`;
  const next = node === undefined || nextRole === 'Stopped' ? 'Stopped' : `${nextRole} on ${node}`;
  return now === next ? { now } : { now, next };
}

/** Actions that people ask about, and those that follow from them as a matter of course: probes, monitors, notifications, steps of collectives. */
export function sortedActions(
  actions: readonly Action[],
  placements: readonly Placement[],
): { readonly main: readonly Action[]; readonly rest: readonly Action[] } {
  const primitives = new Set(placements.map(({ resource }) => resource));
  const isMain = ({ operation, resource, state }: Action): boolean => {
    if (state === 'blocked' || operation === 'stonith' || operation === 'do_shutdown') return true;
    return operation !== 'monitor' && operation !== 'notify' && resource !== undefined && primitives.has(resource);
  };
  return { main: actions.filter(isMain), rest: actions.filter((action) => !isMain(action)) };
}
