import { childElements, parseInteger, readingOf, type ConfigurationReading, type ConfiguredResource } from '@systole/cib';
import type { ClusterState } from './cluster-state.js';
import { planTime } from './plan-time.js';

/** What the configuration has under the id of a history. */
export interface ConfiguredHistory {
  readonly resource: ConfiguredResource;
  /** Number of the instance, or of the replica, where the id has one. */
  readonly number?: number;
  /** It is a container or a connection that the bundle `resource` makes. */
  readonly isImplicit: boolean;
}

/** Whether the configuration has what goes by that name in the histories of nodes; see {@link configuredHistory}. */
export function isConfiguredHistory(state: ClusterState, historyId: string): boolean {
  return configuredHistory(state, historyId) !== undefined;
}

/**
 * What the configuration has that goes by that name in the histories of nodes: a resource, an instance of one within a clone or a bundle, or a container
 * or connection of a bundle. Numbers count below the most that there can be, so the names are finitely many, however many somebody makes up. The addresses of a
 * bundle are left out: that they are its own, their having been handed out says.
 */
export function configuredHistory(state: ClusterState, historyId: string): ConfiguredHistory | undefined {
  const reading = readingOf(state.cib, planTime(state));
  const resource = reading.resource(historyId);
  if (resource !== undefined) return { resource, isImplicit: false };
  const instance = /^(?<id>.+):(?<number>0|[1-9]\d{0,8})$/.exec(historyId)?.groups;
  const of = instance && reading.resource(instance['id'] ?? '');
  if (of !== undefined) {
    const number = Number(instance?.['number']);
    return number < mostInstances(state, reading, of) ? { resource: of, number, isImplicit: false } : undefined;
  }
  const part = /^(?<id>.+?)(?:-(?:docker|podman))?-(?<number>0|[1-9]\d{0,8})$/.exec(historyId)?.groups;
  const bundle = part && reading.resource(part['id'] ?? '');
  const number = Number(part?.['number']);
  return bundle?.kind === 'bundle' && number < replicasOf(bundle) ? { resource: bundle, number, isImplicit: true } : undefined;
}

/** One more than the highest number of an instance; 0 for what is never multiplied. */
function mostInstances(state: ClusterState, reading: ConfigurationReading, resource: ConfiguredResource): number {
  for (let at = resource.parent; at !== undefined; at = at.parent) {
    if (at.kind === 'bundle') return replicasOf(at);
    if (at.kind === 'clone') return Math.max(count(at.meta.get('clone-max')), reading.nodes.length, Object.keys(state.nodes).length);
  }
  return 0;
}

function replicasOf({ element }: ConfiguredResource): number {
  const technology = childElements(element).find(({ name }) => name === 'docker' || name === 'podman')?.attributes;
  return Math.max(count(technology?.['replicas']), count(technology?.['promoted-max']), 1);
}

function count(text: string | undefined): number {
  return parseInteger(text) ?? 0;
}
