import { primitiveIdOf } from '@systole/cib';
import type { ResourceSummary } from '@systole/scheduler';
import type { Picture } from '../computing/task.js';
import type { ResourceSummaryDto } from '../scheduling/schedule.dto.js';

/** A node that nobody can ask, and what was heard of it before, by history ids. */
export type SilentNode = { readonly name: string } & (
  | {
      /** The resources that it was asked for in its present life: any other may run there. */
      readonly asked: ReadonlySet<string>;
    }
  | {
      /** The resources that were left running when it went away: nothing else runs there. */
      readonly leftRunning: ReadonlySet<string>;
    }
);

/**
 * Resources with the nodes of which nobody knows whether they run there. One that is active nowhere is not stopped as long as there is such a node. With a pause
 * after each, in which something else may be done.
 */
export function* withUnknownPlaces(
  resources: readonly ResourceSummary[],
  probes: Picture['probes'],
  silent: readonly SilentNode[],
): Generator<void, readonly ResourceSummaryDto[], undefined> {
  const probed = new Map<string, Set<string>>();
  for (const { resource, node } of probes) probed.set(resource, (probed.get(resource) ?? new Set()).add(node));
  const withPlaces = (resource: ResourceSummary): ResourceSummaryDto => {
    const children = resource.children.map(withPlaces);
    if (resource.kind !== 'primitive') return { ...resource, children };
    const names = [resource.id, primitiveIdOf(resource.id)];
    const places = new Set([
      ...names.flatMap((name) => [...(probed.get(name) ?? [])]),
      ...silent.filter((node) => mayRun(node, names)).map(({ name }) => name),
    ]);
    const unknownOn = [...places].filter((node) => !resource.activeOn.includes(node)).sort();
    if (unknownOn.length === 0) return { ...resource, children };
    const isActive = resource.activeOn.length > 0;
    return { ...resource, children, unknownOn, ...(isActive ? {} : { role: 'Unknown', ...stillUnknown(resource) }) };
  };
  const shown: ResourceSummaryDto[] = [];
  for (const resource of resources) {
    shown.push(withPlaces(resource));
    yield;
  }
  return shown;
}

function mayRun(node: SilentNode, names: readonly string[]): boolean {
  return 'asked' in node ? !names.some((name) => node.asked.has(name)) : names.some((name) => node.leftRunning.has(name));
}

/** What is to be found out first is not said to become stopped. */
function stillUnknown({ nextRole }: ResourceSummary): { readonly nextRole?: 'Unknown' } {
  return nextRole === 'Stopped' ? { nextRole: 'Unknown' } : {};
}
