/**
 * The wire protocol between agent and server: JSON over HTTP, bearer token bound to one cluster and node. Times are ms unless they say otherwise.
 */

/** How an execution ended; the names of the cluster's OperationRecorded event. */
export const OPERATION_STATUSES = [
  'done',
  'cancelled',
  'timeout',
  'not-supported',
  'error',
  'error-hard',
  'error-fatal',
  'not-installed',
  'not-connected',
  'lost',
] as const;

export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** Names a resource and its agent. */
export interface ActionResource {
  /** Instance name, OCF_RESOURCE_INSTANCE. */
  readonly id: string;
  /** Id of the `lrm_resource`; the same for all instances of an anonymous clone. */
  readonly historyId: string;
  readonly class: string;
  readonly provider?: string;
  readonly type: string;
}

export interface FenceOrder {
  readonly fencingId: string;
  readonly target: string;
  readonly action: string;
  readonly deviceId: string;
  /** Program name of the fence agent. */
  readonly agent: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Something to do. An action id is executed at most once, however often it is delivered. */
export interface AgentAction {
  readonly actionId: string;
  readonly kind: 'operation' | 'fence' | 'cancel';
  readonly transitionKey: string;
  /** For `cancel`: the operation whose recurrence ends. */
  readonly operation: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly startDelayMs?: number;
  readonly expectedRc: number;
  readonly resource: ActionResource;
  readonly parameters: Readonly<Record<string, string>>;
  /** `CRM_meta_*`. */
  readonly meta: Readonly<Record<string, string>>;
  /** Opaque; comes back in the result. */
  readonly digests?: unknown;
  /** How long a stop of this resource may take; for stopping it without the server when the lease is lost. */
  readonly stopTimeoutMs?: number;
  readonly fence?: FenceOrder;
  readonly migrateSource?: string;
  readonly migrateTarget?: string;
}

export interface AgentResult {
  /** UUID; the server acknowledges it by this. */
  readonly resultId: string;
  readonly actionId: string;
  readonly transitionKey: string;
  readonly resource: ActionResource;
  readonly operation: string;
  readonly intervalMs: number;
  readonly status: OperationStatus;
  readonly rc: number;
  readonly exitReason?: string;
  /** Counts up per process of the agent. */
  readonly callId: number;
  /** Epoch seconds. */
  readonly startedAt: number;
  readonly execMs: number;
  readonly queueMs: number;
  readonly output?: string;
  readonly digests?: unknown;
  /** A later run of a recurring operation, as opposed to its first. */
  readonly recurring: boolean;
  readonly migrateSource?: string;
  readonly migrateTarget?: string;
  readonly fence?: { readonly fencingId: string; readonly target: string; readonly action: string; readonly deviceId: string };
}

export interface JoinRequest {
  readonly agentVersion: string;
  /** The node that this agent means to be; the server refuses a token for another one before anything is recorded. */
  readonly node?: string;
  readonly nodeId?: string;
  readonly bootId: string;
}

export interface JoinAnswer {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly node: string;
  readonly nodeId: string;
  readonly incarnation: number;
  readonly leaseMs: number;
  /** How long the server lets a poll wait. */
  readonly pollMs: number;
}

export interface PollRequest {
  readonly incarnation: number;
  readonly waitMs: number;
  /** Counts the polls of this incarnation up: what an earlier one was answered with and `known` does not name was never begun. */
  readonly seq?: number;
  /** Action ids that this agent has accepted and whose results are not yet acknowledged. */
  readonly known: readonly string[];
  /** History ids of what runs here, as far as the agent knows. */
  readonly resources?: readonly string[];
}

export interface PollAnswer {
  readonly leaseMs: number;
  readonly actions: readonly AgentAction[];
  /** History ids of resources that are not managed at the moment (maintenance): a lost lease must not stop them. The last answer counts. */
  readonly unmanaged?: readonly string[];
  /** The shutdown that this agent asked for is complete: its resources are stopped, it may leave. */
  readonly shutdown?: boolean;
}

export interface AttributeChange {
  readonly name: string;
  /** null removes it. */
  readonly value: string | null;
  readonly lifetime: 'forever' | 'reboot';
  /** Another node than the agent's own; resource agents of some databases set attributes of their peers. */
  readonly node?: string;
}
