import { agentOf, cloneOf, isGloballyUnique, parseBoolean, parseInteger, readingOf, type ConfiguredResource } from '@systole/cib';
import { stoppingTimes, type AgentAction } from '../engine/agent-action.js';
import { epochOf } from '../epoch/witness.js';
import { toPowerOn } from '../fencing/fence-action.js';
import { memberOf, type ClusterState, type PendingDebug } from '../state/cluster-state.js';
import { configuredNodes, nodeIdOf } from '../state/configuration.js';
import { FEATURE_SET } from '../state/history.js';
import { nodeAttributesOf } from '../state/node-attributes.js';
import { planTime } from '../state/plan-time.js';

/** Debug operations as the agent of their node is given them. */

/** How much longer than the operation itself may take somebody may wait for its turn on the node, ms; after that it is not handed out any more. */
const TURN_MS = 60_000;

/** The debug operations of a node that have not ended. */
export function debuggingOn(state: ClusterState, node: string): readonly PendingDebug[] {
  return memberOf(state, node)?.debugging?.filter(({ ended }) => ended !== true) ?? [];
}

/** The id under which a debug operation is handed out; no action of a transition has one like it. */
export function debugActionId(state: ClusterState, clusterId: string, debugId: string): string {
  return `${epochOf(state, clusterId)}${MARK}${debugId}`;
}

const MARK = ':debug:';

/** The id of the debug operation that an action id is of; undefined for other actions. */
export function debugIdOf(actionId: string): string | undefined {
  const at = actionId.indexOf(MARK);
  return at === -1 ? undefined : actionId.slice(at + MARK.length);
}

/** Whether a debug operation was asked for so long ago that nobody waits for it any more: it is not handed out. @param now epoch ms */
export function isOverdue({ requestedAt, timeoutMs }: PendingDebug, now: number): boolean {
  return now - Date.parse(requestedAt) > timeoutMs + TURN_MS;
}

/**
 * What the agent is asked to do: with the parameters that the resource has there now. They stand in no event, as they may be secret.
 *
 * @returns undefined for what is not configured any more, so that nobody could say what to do
 */
export function toDebugAction(state: ClusterState, clusterId: string, pending: PendingDebug): AgentAction | undefined {
  const what = pending.operation === 'on' ? toPowerOn(state, pending) : operationOf(state, pending);
  if (what === undefined) return undefined;
  const { operation, timeoutMs, debugId } = pending;
  return {
    actionId: debugActionId(state, clusterId, debugId),
    kind: 'debug',
    transitionKey: `-1:-1:0:${epochOf(state, clusterId)}`,
    operation,
    intervalMs: 0,
    timeoutMs,
    expectedRc: 0,
    meta: {},
    ...what,
  };
}

function operationOf(
  state: ClusterState,
  { resource: id, node, operation, timeoutMs }: PendingDebug,
): Pick<AgentAction, 'resource' | 'parameters' | 'meta' | 'stopTimeoutMs' | 'demoteTimeoutMs'> | undefined {
  const now = planTime(state);
  const reading = readingOf(state.cib, now);
  const resource = reading.resource(id);
  if (resource?.kind !== 'primitive') return undefined;
  const { class: standard = '', provider, type = '' } = resource.element.attributes;
  return {
    resource: { id, historyId: id, class: standard, ...(provider === undefined ? {} : { provider }), type },
    parameters: Object.fromEntries(reading.parameters(resource, nodeAttributesOf(state, node, now))),
    meta: {
      crm_feature_set: FEATURE_SET,
      CRM_meta_name: operation,
      CRM_meta_timeout: String(timeoutMs),
      CRM_meta_on_node: node,
      CRM_meta_on_node_uuid: nodeIdOf(state, node),
      ...cloneMeta(state, resource),
    },
    ...stoppingTimes(reading, id, agentOf(resource.element.attributes)),
  };
}

/** What agents read about the clone that they are an instance of (specification 02 §13.3); the first instance stands for all, as they share their history. */
function cloneMeta(state: ClusterState, resource: ConfiguredResource): Readonly<Record<string, string>> {
  const clone = cloneOf(resource);
  if (clone === undefined) return {};
  const { meta } = clone;
  const number = (name: string, otherwise: number): string => String(parseInteger(meta.get(name)) ?? otherwise);
  const promotable = parseBoolean(meta.get('promotable')) === true;
  const promoted = { max: number('promoted-max', 1), nodeMax: number('promoted-node-max', 1) };
  return {
    CRM_meta_clone: '0',
    CRM_meta_globally_unique: String(isGloballyUnique(meta)),
    CRM_meta_notify: String(parseBoolean(meta.get('notify')) === true),
    CRM_meta_clone_max: number('clone-max', configuredNodes(state.cib).length),
    CRM_meta_clone_node_max: number('clone-node-max', 1),
    ...(promotable
      ? {
          CRM_meta_promoted_max: promoted.max,
          CRM_meta_promoted_node_max: promoted.nodeMax,
          CRM_meta_master_max: promoted.max,
          CRM_meta_master_node_max: promoted.nodeMax,
        }
      : {}),
  };
}
