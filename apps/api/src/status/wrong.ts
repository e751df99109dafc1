import { primitiveIdOf } from '@systole/cib';
import { RESOURCE_WRONGS, type ResourceWrong } from '../scheduling/resource-wrongs.js';
import type { DegradedDto, NodeDto } from './status.dto.js';
import type { ShownResource } from './held-starts.js';

type Degraded = Pick<DegradedDto, 'resource' | 'node'>;

/** What can be wrong with a node, the worst first. */
export const NODE_WRONGS = ['unclean', 'pending', 'offline', 'standby', 'maintenance', 'shutdown'] as const;
export type NodeWrong = (typeof NODE_WRONGS)[number];

/** What is not as it is with a node of a cluster that is well. A guest that is off is no more than its resource says. */
export function wrongWithNode(node: Omit<NodeDto, 'wrong'>): readonly NodeWrong[] {
  const { kind, online, unclean, pending, standby, maintenance, shutdown } = node;
  const isAway = !online && !pending && (kind === 'cluster' || kind === 'remote');
  const is: Readonly<Record<NodeWrong, boolean>> = {
    unclean,
    pending,
    offline: isAway,
    standby,
    maintenance,
    shutdown: shutdown && online,
  };
  return NODE_WRONGS.filter((wrong) => is[wrong]);
}

/**
 * A resource with what is wrong with it and with what is below it.
 *
 * @param degraded what runs and is not well ({@link degradedIn})
 * @param keptStopped whether somebody has everything kept stopped (`stop-all-resources`): that it does not run is what was wanted
 */
export function withWrongs(
  resource: ShownResource,
  keptStopped: boolean,
  degraded: readonly Degraded[] = [],
  within: 'nothing' | 'clone' | 'bundle' = 'nothing',
): ShownResource {
  const below = resource.kind === 'clone' || resource.kind === 'bundle' ? resource.kind : within;
  const children = resource.children.map((child) => withWrongs(child, keptStopped, degraded, below));
  const wrong = wrongWith(resource, degraded, within).filter((one) => one !== 'stopped' || !keptStopped);
  return { ...resource, children, ...(wrong.length === 0 ? {} : { wrong }) };
}

/** The same of many, one by one. */
export function* withAllWrongs(
  resources: readonly ShownResource[],
  keptStopped: boolean,
  degraded: readonly Degraded[],
): Generator<undefined, readonly ShownResource[], undefined> {
  const all: ShownResource[] = [];
  for (const resource of resources) {
    all.push(withWrongs(resource, keptStopped, degraded));
    yield undefined;
  }
  return all;
}

function wrongWith(
  resource: ShownResource,
  degraded: readonly Degraded[],
  within: 'nothing' | 'clone' | 'bundle',
): readonly ResourceWrong[] {
  const { kind, agent, role, activeOn, failed, blocked, managed, removed, held } = resource;
  const isPrimitive = kind === 'primitive';
  const is: Readonly<Record<ResourceWrong, boolean>> = {
    failed: isPrimitive && failed,
    blocked: isPrimitive && blocked,
    'multiply-active': isPrimitive && activeOn.length > 1,
    unknown: isPrimitive && role === 'Unknown',
    held: held !== undefined,
    stopped: within === 'nothing' && isDown(resource),
    degraded: isPrimitive && isAnyOf(resource, degraded),
    unmanaged: isPrimitive && !managed,
    // A remote connection that the scheduler made is in no configuration.
    'no-longer-configured': isPrimitive && removed && agent !== undefined,
  };
  return RESOURCE_WRONGS.filter((wrong) => is[wrong]);
}

/** Instances of a clone have one name in the history of their node. */
function isAnyOf({ id, activeOn }: ShownResource, degraded: readonly Degraded[]): boolean {
  return degraded.some(({ resource, node }) => (resource === id || resource === primitiveIdOf(id)) && activeOn.includes(node));
}

/** Whether it runs nowhere and nobody is about to start it, though it should; of a clone, as a whole; of a bundle, any replica. */
function isDown({ kind, role, nextRole, disabled, waitsFor, removed, children, replicas }: ShownResource): boolean {
  if (disabled === true || waitsFor !== undefined || removed) return false;
  if (kind === 'primitive') return role === 'Stopped' && nextRole === 'Stopped';
  if (kind === 'bundle')
    return nextRole === 'Stopped' || (role === nextRole && replicas?.some((replica) => replica.role === 'Stopped') === true);
  return kind === 'clone' && children.length > 0 && children.every(isEntirelyDown);
}

function isEntirelyDown(resource: ShownResource): boolean {
  return resource.kind === 'primitive' ? isDown(resource) : resource.children.length > 0 && resource.children.every(isEntirelyDown);
}
