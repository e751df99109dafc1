import type { LogHead } from '../epoch/witness.js';
import type { AttributeLifetime, DebugOperation } from '../events/cluster-event.js';
import type {
  JoinNode,
  LeaveNode,
  NoteFalseWitness,
  NoteManaged,
  NoteWatchdog,
  NoteRefusedJoin,
  NoteUnconfigured,
  NoteSecondMachine,
  NoteTroubles,
  RecordResults,
  RequestShutdown,
} from './agent-command.js';
import type {
  BanResource,
  ChangeDocument,
  BeginRestart,
  ClearResource,
  EndRestart,
  MoveResource,
  OperatorCommand,
  RemoveNode,
  SetNodeUtilization,
  SetResourceValue,
  SetSectionValue,
} from './operator-command.js';
import type {
  AbortTransition,
  ChangeQuorum,
  NoteHaveWatchdog,
  WriteHeldAttributes,
  ClearFailures,
  CompleteFencing,
  CompleteTransition,
  DeleteHistory,
  LoseLease,
  NoteAlertRuns,
  PlanTransition,
  ReckonWith,
  RecordConnections,
  RecordUnanswered,
  RequestFencing,
} from './worker-command.js';
import type { ElementEdit, KnownAgents } from '@systole/cib';

/**
 * What can be asked of a cluster. `decide` turns a command into events or refuses it.
 *
 * Who sends which: operators' requests come from the api; `join`, `record-results`, `set-node-attribute` (agents' shims), `leave` and
 * `request-shutdown` come from the agent endpoints of the api; `lose-lease`, `change-quorum`, `record-unanswered`, `record-connections`, `request-fencing`,
 * `plan-transition`, `complete-transition`, `clear-failures`, `delete-history` come from the worker and are appended with the version
 * that they were decided on.
 */
export type ClusterCommand =
  | CreateCluster
  | DeleteCluster
  | StopCluster
  | CancelStop
  | BeginEpoch
  | ReplaceConfiguration
  | EditConfiguration
  | EraseSecret
  | OperatorCommand
  | SetStandby
  | SetMaintenance
  | FenceNode
  | SetNodeAttribute
  | ClearNodeAttribute
  | CleanUpResource
  | RefreshResource
  | FailResource
  | RequestDebugOperation
  | PowerOnNode
  | EndDebugOperation
  | ConfirmNodeDown
  | AllowFencing
  | ClearFencingHistory
  | ChangeTicket
  | ForgetTicket
  | JoinNode
  | NoteRefusedJoin
  | NoteUnconfigured
  | NoteFalseWitness
  | NoteSecondMachine
  | LeaveNode
  | RequestShutdown
  | AskForAgent
  | RecordResults
  | LoseLease
  | ReckonWith
  | NoteManaged
  | NoteWatchdog
  | NoteTroubles
  | NoteAlertRuns
  | ChangeQuorum
  | NoteHaveWatchdog
  | WriteHeldAttributes
  | RecordUnanswered
  | RecordConnections
  | ClearFailures
  | DeleteHistory
  | RequestFencing
  | CompleteFencing
  | PlanTransition
  | AbortTransition
  | CompleteTransition;

/** What tools on nodes may ask for by an agent's token, as the cluster lets its node (`systole-agent-writes`). */
export type AskedByTool =
  | SetSectionValue
  | SetResourceValue
  | SetNodeUtilization
  | ChangeDocument
  | BanResource
  | MoveResource
  | ClearResource
  | BeginRestart
  | EndRestart
  | CleanUpResource
  | RefreshResource
  | FailResource
  | ChangeTicket
  | ForgetTicket
  | FenceNode
  | PowerOnNode
  | ConfirmNodeDown
  | ClearFencingHistory
  | RemoveNode
  | SetNodeAttribute
  | ClearNodeAttribute;

/** A tool on a node asks, by the token of its agent. */
export interface AskForAgent {
  readonly type: 'ask-for-agent';
  /** The agent's own. */
  readonly node: string;
  readonly incarnation: number;
  readonly command: AskedByTool;
}

export interface CreateCluster {
  readonly type: 'create-cluster';
  /** 1 to 64 characters of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit. */
  readonly name: string;
  /** CIB as XML text; absent: an empty one. Of its status section only the tickets are taken over, as events of their own: all else is what agents report. */
  readonly cib?: string;
  readonly reason?: string;
  readonly force?: true;
}

export interface DeleteCluster {
  readonly type: 'delete-cluster';
  readonly reason?: string;
}

/** Everything is stopped first; the worker deletes the cluster when nothing runs any more. No events when that is so already. */
export interface StopCluster {
  readonly type: 'stop-cluster';
  readonly reason?: string;
}

/** Calls `stop-cluster` off: what it stopped may start again. */
export interface CancelStop {
  readonly type: 'cancel-stop';
  readonly reason?: string;
}

/** The log went back in time. No events when that is known already: the witness is of an epoch that is over (with a proof: one that did not end by a mere word), or `by` was believed meanwhile. */
export interface BeginEpoch {
  readonly type: 'begin-epoch';
  /** The cluster's id: its first epoch. */
  readonly clusterId: string;
  /** UUID of the new epoch. */
  readonly epoch: string;
  /** What was found, for people. */
  readonly reason: string;
  /** What `judgeWitness` found to contradict the log; absent when a person says that the log was restored. */
  readonly witness?: LogHead;
  /** Who showed it: a node, `api`, `worker`, or a person. */
  readonly by: string;
  /** How many epochs began by the word of `by`, as whoever believes it now knows (`waitAfter`); absent when its word is always believed. */
  readonly told?: number;
  /** The witness bears a right seal (a server told it, whoever shows it), or a server's process had read or stored it itself. */
  readonly proven?: true;
}

/**
 * The new document's `configuration`, brought to the current schema, replaces the old one. Its `status` section is ignored, always: status
 * is what agents report. The event carries the differences by element.
 */
export interface ReplaceConfiguration {
  readonly type: 'replace-configuration';
  /** A whole CIB as XML text (legacy syntax is upgraded, that of the Heartbeat 2 generation included). */
  readonly cib: string;
  /** Also with what is surely not meant (`findingsOf`); recorded. */
  readonly force?: true;
  /** The version of the cluster whose configuration it is; absent: it was given. */
  readonly restores?: number;
  /** What nodes had told of their resource agents when it was asked for; absent: nothing. */
  readonly agents?: KnownAgents;
  readonly reason?: string;
}

/** Changes of single elements, in their order, as one event or none. No events when everything is as wished already. */
export interface EditConfiguration {
  readonly type: 'edit-configuration';
  readonly edits: readonly ElementEdit[];
  /** See {@link ReplaceConfiguration}. */
  readonly force?: true;
  /** See {@link ReplaceConfiguration}. */
  readonly agents?: KnownAgents;
  readonly reason?: string;
}

/** Forgets the value of a secret for good, also for what the log says of the past. That it is one of the cluster is for who keeps it to say. */
export interface EraseSecret {
  readonly type: 'erase-secret';
  readonly secret: string;
  readonly owner: string;
  readonly parameter: string;
  readonly reason?: string;
}

/** Attribute `standby` of the node, as `pcs node standby` sets it for ever. Its end takes both away. */
export interface SetStandby {
  readonly type: 'set-standby';
  readonly node: string;
  readonly standby: boolean;
  /** `reboot`: until the node leaves or is fenced. Absent: for ever. */
  readonly lifetime?: AttributeLifetime;
  readonly reason?: string;
}

/** Attribute `maintenance` of the node, for ever, as `pcs node maintenance` sets it. */
export interface SetMaintenance {
  readonly type: 'set-maintenance';
  readonly node: string;
  readonly maintenance: boolean;
  readonly reason?: string;
}

/** Attribute `terminate` of the node, until its reboot: the scheduler plans its fencing, and no limit holds that. */
export interface FenceNode {
  readonly type: 'fence-node';
  readonly node: string;
  /** Absent: as the option `fencing-action` has it. */
  readonly action?: 'off' | 'reboot';
  readonly reason?: string;
}

export interface SetNodeAttribute {
  readonly type: 'set-node-attribute';
  readonly node: string;
  readonly name: string;
  readonly value: string;
  /** Added to the value that it has, which counts as a score; `value` does not count then. */
  readonly add?: number;
  readonly lifetime: AttributeLifetime;
  /** Of an agent, of what lasts until the reboot. */
  readonly delay?: AttributeDelay;
  /** A person's. */
  readonly reason?: string;
  /** Given by agents: refused when superseded. */
  readonly incarnation?: number;
  /** The node whose agent asks; absent when a person does. For other nodes it may not set what the cluster itself acts upon. */
  readonly agent?: string;
}

/** How long changes of an attribute wait for others of it, on all nodes. */
export interface AttributeDelay {
  readonly ms: number;
  /** `new`: where the attribute is not known yet; `also`: with the value; `only`: and the value stays as it is. */
  readonly sets: 'new' | 'also' | 'only';
}

export interface ClearNodeAttribute {
  readonly type: 'clear-node-attribute';
  readonly node: string;
  readonly name: string;
  readonly lifetime: AttributeLifetime;
  readonly delay?: AttributeDelay;
  /** A person's. */
  readonly reason?: string;
  readonly incarnation?: number;
  readonly agent?: string;
}

/**
 * Forget a resource's failures, and its history where it has any, so that it is probed again there: on one node, or on every node where it
 * failed. Where nothing failed nothing is forgotten. A group, clone or bundle stands for all its primitives; without a resource every
 * resource is meant.
 */
export interface CleanUpResource {
  readonly type: 'clean-up-resource';
  readonly resource?: string;
  readonly node?: string;
  /** What failed in this operation only; its other failures stay. */
  readonly operation?: string;
  /** Of that operation, at this interval only. */
  readonly intervalMs?: number;
  readonly reason?: string;
}

/** The same whether it failed or not: forget all that is known of a resource, so that it is probed again on one node, or on every node. */
export interface RefreshResource {
  readonly type: 'refresh-resource';
  readonly resource?: string;
  readonly node?: string;
  readonly reason?: string;
}

/**
 * A resource counts as failed where it is active, as if its agent had said so, though nobody asked that: by an operation of its own, `asyncmon`, whose failures are counted as all are. What follows is what a failed monitor has
 * without `on-fail`.
 */
export interface FailResource {
  readonly type: 'fail-resource';
  /** A primitive, or an instance of one. */
  readonly resource: string;
  readonly node: string;
  /** When it was asked for, epoch seconds. */
  readonly now: number;
  readonly reason?: string;
}

/**
 * One operation of a resource is carried out on a node, outside of any plan, to see what its agent says. What makes it active is refused where the cluster manages it, or where it may be active already: it would be
 * active too often (safety rule S1).
 */
export interface RequestDebugOperation {
  readonly type: 'request-debug-operation';
  /** Unique for ever. */
  readonly debugId: string;
  /** A primitive. */
  readonly resource: string;
  readonly node: string;
  readonly operation: DebugOperation;
  /** After which the agent ends it, ms; absent: as configured. */
  readonly timeoutMs?: number;
  readonly reason?: string;
}

/** Has a node that is off switched on by a fence device that can. Nothing but the machine is started by that. */
export interface PowerOnNode {
  readonly type: 'power-on-node';
  /** Unique for ever. */
  readonly debugId: string;
  /** Which node. */
  readonly node: string;
  readonly reason?: string;
}

/** The agent of the node has not begun it, and will not: a poll of it that was sent after the last answer with it does not name it. No events when it has ended. */
export interface EndDebugOperation {
  readonly type: 'end-debug-operation';
  readonly debugId: string;
  readonly node: string;
}

/** A person vouches that the node is down. Refused while it holds a lease. */
export interface ConfirmNodeDown {
  readonly type: 'confirm-node-down';
  readonly node: string;
  readonly reason?: string;
}

/** What fencing there was until now was seen: lists and the status show what comes after it. Of one node, where it is named. */
export interface ClearFencingHistory {
  readonly type: 'clear-fencing-history';
  readonly node?: string;
  readonly reason?: string;
}

/** A person agrees that a node is fenced although many were fenced lately (`fencingHold`): one that is lost, never joined, or failed while it holds a lease. */
export interface AllowFencing {
  readonly type: 'allow-fencing';
  readonly node: string;
  readonly reason?: string;
}

/** No events when it is so already. */
export interface ChangeTicket {
  readonly type: 'change-ticket';
  readonly ticket: string;
  readonly granted?: boolean;
  readonly standby?: boolean;
  /** Other attributes of it, by name; null: it has none of that name any more. */
  readonly attributes?: Readonly<Record<string, string | null>>;
  readonly reason?: string;
}

/** Forgets all that is known of a ticket that is not granted, as if it never had been. No events when nothing is known of it. */
export interface ForgetTicket {
  readonly type: 'forget-ticket';
  readonly ticket: string;
  readonly reason?: string;
}
