import type { ClusterEvent, OperationRecorded } from '../events/cluster-event.js';
import { mayRunUnmanaged, resourcesOf } from '../lease/left-running.js';
import { unmanagedAmong } from '../lease/unmanaged.js';
import { isFencedBy } from '../state/ended-life.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { historyOf, mayBeActive, recordOperation } from '../state/history.js';
import { remoteNodes } from '../state/configuration.js';
import { nodeStateOf } from '../state/node-state.js';
import { planTime } from '../state/plan-time.js';
import { isPresentLife, standingOf } from '../state/present-life.js';
import { isClusterMember } from './remote-nodes.js';

/** Containers of bundles that are no more on a host, whatever the configuration has by now: what was given to the agents inside of them is over with them. */
export interface EndedContainers {
  readonly host: string;
  /** Id of the resource that the container is; absent: all that ran there … */
  readonly container?: string;
  /** … but for these. */
  readonly but?: readonly string[];
}

/** The agents by which containers of bundles are run (specification 02 §8.1). */
const ENGINES: ReadonlySet<string> = new Set(['podman', 'docker']);

/** Return code of a monitor that finds nothing running. */
const RC_NOT_RUNNING = 7;

/** That a container was stopped; or that it was looked for and does not run: its host's agent stops without being told when it loses its lease, and what runs inside may end by itself. */
function saysNotRunning({ operation, status, rc }: OperationRecorded['data']): boolean {
  return status === 'done' && ((operation === 'stop' && rc === 0) || (operation === 'monitor' && rc === RC_NOT_RUNNING));
}

/**
 * Which containers an event ends for certain: one was stopped or is not running, or what ran on its host can run no more.
 *
 * @param state before the event
 */
export function containersEndedBy(state: ClusterState, event: ClusterEvent): EndedContainers | undefined {
  switch (event.type) {
    case 'OperationRecorded': {
      const { node, resource, agentType } = event.data;
      if (!ENGINES.has(agentType) || !saysNotRunning(event.data)) return undefined;
      if (standingOf(state, event.data) === 'superseded' || mayBeMistaken(state, event.data)) return undefined;
      const member = memberOf(state, node);
      const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
      // It is older than what is known of the container there. What a recurring monitor finds stands apart from that, in the order of the calls.
      const once = { ...event.data, intervalMs: 0 };
      if (nodeState !== undefined && mayBeActive(historyOf(recordOperation(nodeState, once, true), resource), resource)) return undefined;
      return { host: node, container: resource };
    }
    case 'FencingCompleted':
      return isFencedBy(state, event) ? { host: event.data.target } : undefined;
    case 'NodeConfirmedDown':
      return memberOf(state, event.data.node)?.membership === 'joined' ? undefined : { host: event.data.node };
    case 'NodeJoined': {
      // Where another machine may run on nobody knows what has ended.
      const { node, bootId, doubtful } = event.data;
      const before = memberOf(state, node);
      const isOther = bootId !== undefined && before?.bootId !== undefined && before.bootId !== bootId;
      return isOther && doubtful !== true && isClusterMember(before) ? { host: node } : undefined;
    }
    case 'NodeLeft': {
      const { node, active } = event.data;
      if (!isPresentLife(state, event.data)) return undefined;
      return { host: node, but: [...(active ?? mayRunUnmanaged(state, node)), ...resourcesOf(memberOf(state, node)?.leftRunning ?? [])] };
    }
    default:
      return undefined;
  }
}

/**
 * Whether a container may run all the same that was looked for and not found: podman's agent says so, too, of one that it could not look at (`podman exec` ends with 125 or 126). Where it is managed it is stopped for that;
 * where not, its agent inside may be in a session, which nobody would give another token.
 */
function mayBeMistaken(state: ClusterState, { node, resource, operation }: OperationRecorded['data']): boolean {
  if (operation !== 'monitor' || unmanagedAmong(state, node, [resource], planTime(state)).length === 0) return false;
  return remoteNodes(state.cib).some(({ name, launcher }) => launcher === resource && memberOf(state, name)?.membership === 'joined');
}
