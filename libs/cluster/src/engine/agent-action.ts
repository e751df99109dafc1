import {
  agentOf,
  GUEST_META,
  operationDigests,
  readingOf,
  type ConfigurationReading,
  type ResourceAgent,
  type XmlElement,
} from '@systole/cib';
import type { GraphAction } from '@systole/scheduler';
import type { OperationDigests } from '../events/cluster-event.js';
import { remoteNodes } from '../state/configuration.js';
import type { KnownTraits } from './known-traits.js';
import { expectedRcOf, intervalMsOf, startDelayMsOf, timeoutMsOf } from './graph-index.js';

/** What an agent is asked to do: the element of `actions` in the answer to a poll (agent wire protocol). */
export interface AgentAction {
  /** `<epoch>:<transition>:<graph action id>`; executed at most once. */
  readonly actionId: string;
  /** `debug`: an operation that a person asked for, outside of any plan. */
  readonly kind: 'operation' | 'fence' | 'cancel' | 'debug';
  /** `<graph action id>:<transition>:<expected rc>:<epoch>`, echoed in the result. */
  readonly transitionKey: string;
  /** The task; for `cancel` it is `cancel` (what is cancelled: `meta.CRM_meta_operation` of `intervalMs`), for `fence` `off`, `reboot` or `on`. */
  readonly operation: string;
  /** 0 for what runs once. */
  readonly intervalMs: number;
  /** After which the agent kills it. */
  readonly timeoutMs: number;
  readonly startDelayMs?: number;
  readonly expectedRc: number;
  readonly resource: AgentResource;
  /** Resource parameters, without `CRM_meta_*`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** `CRM_meta_*`, names with the prefix, and `crm_feature_set`. */
  readonly meta: Readonly<Record<string, string>>;
  /** Echoed in the result. */
  readonly digests?: OperationDigests;
  /** Nothing is known of the resource agent's meta-data, so that the digests lack what they say: the node's agent adds it. Only of what the scheduler compares restart digests of. */
  readonly undescribed?: true;
  /** How long a stop of this resource may take, ms: for stopping it without the server when the lease is lost. Absent for fencing. */
  readonly stopTimeoutMs?: number;
  /** The same of a demote, which comes before that; absent for what can't be promoted. */
  readonly demoteTimeoutMs?: number;
  readonly fence?: AgentFence;
  readonly migrateSource?: string;
  readonly migrateTarget?: string;
}

export interface AgentResource {
  /**
   * `OCF_RESOURCE_INSTANCE`: the primitive's id, with the instance number (`web:0`) only in globally unique clones. Instances of an
   * anonymous clone are interchangeable: their numbers may change between transitions, so an agent that names its files after the
   * instance has to see the same name each time.
   */
  readonly id: string;
  /** Id of the `lrm_resource` in which results are recorded. */
  readonly historyId: string;
  readonly class: string;
  readonly provider?: string;
  readonly type: string;
}

export interface AgentFence {
  readonly fencingId: string;
  /** Name of the node to be fenced. */
  readonly target: string;
  readonly action: 'off' | 'reboot' | 'on';
  readonly deviceId: string;
  /** Program name of the fence agent, e.g. `fence_ipmilan`. */
  readonly agent: string;
  /** Options for its stdin, the target's name for the device included. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The plug stands in `port` only because the device names no option for it: it goes into `plug` where the program takes that. */
  readonly argumentByAgent?: boolean;
  /** How the executor makes sure first that the device can fence the target; absent: it can. */
  readonly check?: {
    readonly how: 'auto' | 'dynamic-list' | 'status';
    readonly list: FenceQuestion;
    readonly status: FenceQuestion;
  };
}

/** How a fence device is asked something: what its agent is told, how long it may take, and how often it is tried. */
export interface FenceQuestion {
  readonly action: string;
  readonly timeoutMs: number;
  readonly tries: number;
}

/** Where an action is handed out. */
export interface ActionContext {
  /** Of the log (`epochOf`): ids of a tail that was lost never meet new ones. */
  readonly epoch: string;
  readonly transition: number;
  /** The cluster's present one. */
  readonly cib: XmlElement;
  /** For which the transition was planned, epoch ms. */
  readonly now: number;
  /** What is known of the agents' parameters; absent: nothing. */
  readonly traits?: KnownTraits;
}

/**
 * The payload that hands an `rsc_op` of the graph to an agent.
 *
 * `attributes` are split: `CRM_meta_*` and `crm_feature_set` go to `meta`, the rest and `params` to `parameters`. The history id is the
 * primitive's configuration id, the digest that of the attributes (specification 08 §9.3). Not for cluster events; fencing has `toFenceAction`.
 */
export function toAgentAction(action: GraphAction, context: ActionContext): AgentAction {
  const { attributes, primitive } = action;
  const isMeta = (name: string): boolean => name.startsWith('CRM_meta_') || name === 'crm_feature_set';
  const all = Object.entries(attributes);
  const digitNamed = (action.params ?? []).map(({ name, value }) => [name, value] as const);
  const expectedRc = expectedRcOf(action);
  const startDelayMs = startDelayMsOf(action);
  const id = primitive?.id ?? '';
  const traits = primitive === undefined ? undefined : context.traits?.(primitive);
  const isUndescribed = context.traits !== undefined && traits === undefined && hasRestartDigest(action);
  const { CRM_meta_migrate_source: migrateSource, CRM_meta_migrate_target: migrateTarget } = attributes;
  return {
    actionId: actionIdOf(context.epoch, context.transition, action.id),
    kind: action.operation === 'cancel' ? 'cancel' : 'operation',
    transitionKey: `${String(action.id)}:${String(context.transition)}:${String(expectedRc)}:${context.epoch}`,
    operation: action.operation,
    intervalMs: intervalMsOf(action),
    timeoutMs: timeoutMsOf(action),
    ...(startDelayMs > 0 ? { startDelayMs } : {}),
    expectedRc,
    resource: {
      id,
      historyId: id,
      class: primitive?.class ?? '',
      ...(primitive?.provider === undefined ? {} : { provider: primitive.provider }),
      type: primitive?.type ?? '',
    },
    parameters: Object.fromEntries([...all.filter(([name]) => !isMeta(name)), ...digitNamed]),
    meta: { ...Object.fromEntries(all.filter(([name]) => isMeta(name))), ...guestMeta(context.cib, id) },
    digests: operationDigests(attributes, intervalMsOf(action), traits),
    ...(isUndescribed ? { undescribed: true as const } : {}),
    ...(primitive === undefined ? {} : stoppingTimes(readingOf(context.cib, context.now), id, agentOf(primitive))),
    ...(migrateSource === undefined ? {} : { migrateSource }),
    ...(migrateTarget === undefined ? {} : { migrateTarget }),
  };
}

/** What makes a resource be as its parameters say, or finds that it is (specification 03 §12.4); agents of other standards have no parameters. */
const AS_PARAMETERS_SAY: ReadonlySet<string> = new Set(['start', 'promote', 'migrate_from', 'reload-agent', 'monitor']);

/** Whether later plans compare parameters with what is recorded of an action, by the names that its agent's meta-data give. */
function hasRestartDigest(action: GraphAction): boolean {
  return action.primitive?.class === 'ocf' && intervalMsOf(action) === 0 && AS_PARAMETERS_SAY.has(action.operation);
}

/** Of a bundle's container: which node's agent is to run in it. */
function guestMeta(cib: XmlElement, resource: string): Readonly<Record<string, string>> {
  const guest = remoteNodes(cib).find(({ bundle, launcher }) => bundle !== undefined && launcher === resource);
  return guest === undefined ? {} : { [GUEST_META]: guest.name };
}

/** How long stopping a resource without the server may take: what is promoted is demoted first. */
export function stoppingTimes(
  reading: ConfigurationReading,
  resource: string,
  agent: ResourceAgent,
): Pick<AgentAction, 'stopTimeoutMs' | 'demoteTimeoutMs'> {
  const demoteTimeoutMs = reading.demoteTimeoutMs(resource);
  return {
    stopTimeoutMs: reading.stopTimeoutMs(resource, agent),
    ...(demoteTimeoutMs === undefined ? {} : { demoteTimeoutMs }),
  };
}

/** The id under which an action is handed out; at most one execution ever happens under it. */
export function actionIdOf(epoch: string, transition: number, graphActionId: number): string {
  return `${prefixOf(epoch, transition)}${String(graphActionId)}`;
}

const GRAPH_ACTION_ID = /^\d{1,10}$/;

/** Whether an id is one that an action of that transition may have. @param actionId whatever an agent says */
export function isOfTransition(actionId: string, epoch: string, transition: number): boolean {
  const prefix = prefixOf(epoch, transition);
  return actionId.startsWith(prefix) && GRAPH_ACTION_ID.test(actionId.slice(prefix.length));
}

function prefixOf(epoch: string, transition: number): string {
  return `${epoch}:${String(transition)}:`;
}
