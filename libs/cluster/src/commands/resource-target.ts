import {
  childElements,
  firstChildNamed,
  nearMatches,
  readingOf,
  type ConfiguredResource,
  type XmlElement,
  primitiveIdOf,
} from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf } from '../state/configuration.js';
import { planTime } from '../state/plan-time.js';
import type { Decision } from './decision.js';
import { reject } from './rejection.js';

/** What a command on a resource is applied to. */
export interface ResourceTarget {
  readonly resource: ConfiguredResource;
  /** As it is written, without what it has from its template. */
  readonly written: XmlElement;
}

/**
 * - `own`: what the resource itself says; what stands directly in a clone or bundle is only the pattern of its instances, so that one is meant;
 * - `placed`: where it goes; within a clone or bundle, also as member of a group, that one is meant.
 */
export type TargetKind = 'own' | 'placed';

/** The target of a command, or a refusal that says what may have been meant. */
export function resourceTarget(
  state: ClusterState,
  id: string,
  kind: TargetKind,
  pointer = '/resource',
): ResourceTarget | (Decision & { readonly ok: false }) {
  const reading = readingOf(state.cib, planTime(state));
  const named = reading.resource(id);
  if (named === undefined) {
    const near = nearMatches(
      id,
      reading.resources.map((resource) => resource.id),
    );
    const hint = near.length === 0 ? '' : `: did you mean ${near.join(' or ')}?`;
    return reject(state, 'resource-not-found', `the cluster has no resource ${id}${hint}`, { pointer });
  }
  const resource = targetOf(named, kind);
  const written = writtenResource(state.cib, resource.id);
  if (written === undefined) return reject(state, 'resource-not-found', `the cluster has no resource ${id}`, { pointer });
  return { resource, written };
}

/** The resource that a command on this one is applied to; mostly itself. */
export function targetOf(named: ConfiguredResource, kind: TargetKind): ConfiguredResource {
  let target = named;
  for (let at = named.parent; at !== undefined; at = at.parent) {
    if (at.kind === 'clone' || at.kind === 'bundle') target = at;
    if (kind === 'own') break;
  }
  return target;
}

/** The element of a resource as it is written. */
export function writtenResource(cib: XmlElement, id: string): XmlElement | undefined {
  const section = firstChildNamed(configurationOf(cib), 'resources');
  return section && resourceIn(section, id);
}

const KINDS: ReadonlySet<string> = new Set(['primitive', 'group', 'clone', 'bundle']);

function resourceIn(parent: XmlElement, id: string): XmlElement | undefined {
  for (const child of childElements(parent)) {
    if (!KINDS.has(child.name)) continue;
    const found = child.attributes['id'] === id ? child : resourceIn(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The resources that a name stands for in commands on several: itself, or those that a tag of that name names (as `pcs` has it). */
export function meantBy(state: ClusterState, name: string): readonly string[] {
  const reading = readingOf(state.cib, planTime(state));
  if (reading.resource(name) !== undefined) return [name];
  const tags = firstChildNamed(configurationOf(state.cib), 'tags');
  const tag = tags && childElements(tags).find(({ attributes }) => attributes['id'] === name);
  const tagged = tag === undefined ? [] : childElements(tag).flatMap(({ attributes }) => attributes['id'] ?? []);
  const resources = tagged.filter((id) => reading.resource(id) !== undefined);
  return resources.length === 0 ? [name] : resources;
}

/** Tells whether a resource, or an instance of one, is what a command on `id` is applied to, or is part of it. @param state before the command @param name of a resource or a tag */
export function partOf(state: ClusterState, name: string): (resource: string) => boolean {
  const parts = meantBy(state, name).map((id) => partOfOne(state, id));
  return (resource) => parts.some((isPart) => isPart(resource));
}

function partOfOne(state: ClusterState, id: string): (resource: string) => boolean {
  const reading = readingOf(state.cib, planTime(state));
  const named = reading.resource(id);
  if (named === undefined) return (resource) => resource === id;
  const target = targetOf(named, 'own');
  const stands = (at: ConfiguredResource | undefined): boolean => at !== undefined && (at.id === target.id || stands(at.parent));
  const ids = new Set(reading.resources.filter(stands).map((resource) => resource.id));
  // A bundle makes containers, addresses and nodes that are named after it.
  const made = target.kind === 'bundle' ? `${target.id}-` : undefined;
  return (resource) => ids.has(primitiveIdOf(resource)) || (made !== undefined && resource.startsWith(made));
}
