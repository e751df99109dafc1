import { childElements, element, firstChildNamed, readingOf, type XmlElement } from '@systole/cib';
import type { OperationRecorded } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from './cluster-state.js';
import { configurationOf } from './configuration.js';
import { historyOf, isActive, putHistory, resourcesWithHistory, SHUTDOWN_LOCK } from './history.js';
import { nodeStateOf, transientAttribute } from './node-state.js';
import { planTime } from './plan-time.js';

type Stopped = Pick<OperationRecorded['data'], 'node' | 'resource' | 'class' | 'provider' | 'agentType' | 'operation' | 'status' | 'rc'>;

/**
 * Whether what was stopped is to wait for its node, which is shutting down in order (`shutdown-lock`, specification 03 §9): epoch seconds of when that was asked for, from which `shutdown-lock-limit` counts; undefined where it
 * is not. As the scheduler locks: primitives, those of groups included, that are active nowhere else; never what is in a clone or bundle, a fence device, or the connection to a remote node.
 */
export function lockOf(state: ClusterState, stopped: Stopped): number | undefined {
  const { node, resource, operation, status, rc } = stopped;
  if (operation !== 'stop' || status !== 'done' || rc !== 0) return undefined;
  const member = memberOf(state, node);
  if (member?.shutdownRequested !== true || !readingOf(state.cib, planTime(state)).options.flag('shutdown-lock')) return undefined;
  const since = Number.parseInt(transientAttribute(nodeStateOf(state.cib, member), 'shutdown') ?? '', 10);
  if (!(since > 0) || isNeverLocked(stopped) || !isAlone(state, resource)) return undefined;
  const isElsewhere = Object.values(state.nodes).some(
    (other) => other.name !== node && isActive(historyOf(nodeStateOf(state.cib, other), resource), resource),
  );
  return isElsewhere ? undefined : since;
}

function isNeverLocked({ class: standard, provider, agentType }: Stopped): boolean {
  return standard === 'stonith' || (standard === 'ocf' && provider === 'pacemaker' && agentType === 'remote');
}

/** Whether it is a primitive by itself, or in a group that is. */
function isAlone(state: ClusterState, id: string): boolean {
  const resources = firstChildNamed(configurationOf(state.cib), 'resources');
  const top = resources === undefined ? [] : childElements(resources);
  return top.some((one) =>
    (one.name === 'group' ? childElements(one) : [one]).some(({ name, attributes }) => name === 'primitive' && attributes['id'] === id),
  );
}

/** What waits for the node: histories of which nothing but the lock is left, as of any other when a life is over. */
export function locksIn(nodeState: XmlElement): readonly XmlElement[] {
  return resourcesWithHistory(nodeState).flatMap((id) => {
    const history = historyOf(nodeState, id);
    return history?.attributes[SHUTDOWN_LOCK] === undefined ? [] : [element('lrm_resource', { ...history.attributes })];
  });
}

/** Keeps what waits for a node beyond the end of its life, and into the next: there it is started first. */
export function withLocks(nodeState: XmlElement, locks: readonly XmlElement[]): XmlElement {
  return locks.reduce(putHistory, nodeState);
}
