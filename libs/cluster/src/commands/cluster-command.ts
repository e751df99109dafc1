import type {
  ConfigurationFinding,
  ElementEdit,
  FindingKind,
  KnownAgents,
  NewSecret,
  Sealing,
  UpgradeChange,
  XmlElement,
} from '@systole/cib';
import type {
  AttributeLifetime,
  ClusterEvent,
  DebugOperation,
  FencingCompleted,
  FencingRequested,
  JoinAttempt,
  NodeTrouble,
  OperationDigests,
  OperationStatus,
  TransitionCompleted,
  TransitionPlanned,
  MeasuredLosses,
} from '../events/cluster-event.js';
import type { EpochVersion } from '../epoch/epoch-version.js';
import type { LogHead } from '../epoch/witness.js';
import type { LeaseLossPolicy } from '../state/cluster-state.js';
import type { OperatorCommand } from './operator-command.js';

/**
 * What can be asked of a cluster. `decide` turns a command into events or refuses it.
 *
 * Who sends which: operators' requests come from the api; `join`, `record-results`, `set-node-attribute` (agents' shims), `leave` and
 * `request-shutdown` come from the agent endpoints of the api; `lose-lease`, `change-quorum`, `record-unanswered`, `request-fencing`,
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
  | RequestDebugOperation
  | PowerOnNode
  | EndDebugOperation
  | ConfirmNodeDown
  | AllowFencing
  | ChangeTicket
  | ForgetTicket
  | JoinNode
  | NoteRefusedJoin
  | NoteFalseWitness
  | NoteSecondMachine
  | LeaveNode
  | RequestShutdown
  | RecordResults
  | LoseLease
  | ReckonWith
  | NoteManaged
  | NoteTroubles
  | ChangeQuorum
  | RecordUnanswered
  | ClearFailures
  | DeleteHistory
  | RequestFencing
  | CompleteFencing
  | PlanTransition
  | AbortTransition
  | CompleteTransition;

export interface CreateCluster {
  readonly type: 'create-cluster';
  /** 1 to 64 characters of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit. */
  readonly name: string;
  /** CIB as XML text; absent: an empty one. Its status section is dropped: status is what agents report. */
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

/** The log went back in time. No events when that is known already: the witness is of an epoch that is over, or `by` was believed meanwhile. */
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
  readonly lifetime: AttributeLifetime;
  /** A person's. */
  readonly reason?: string;
  /** Given by agents: refused when superseded. */
  readonly incarnation?: number;
  /** The node whose agent asks; absent when a person does. For other nodes it may not set what the cluster itself acts upon. */
  readonly agent?: string;
}

export interface ClearNodeAttribute {
  readonly type: 'clear-node-attribute';
  readonly node: string;
  readonly name: string;
  readonly lifetime: AttributeLifetime;
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
  readonly reason?: string;
}

/** Forgets all that is known of a ticket that is not granted, as if it never had been. No events when nothing is known of it. */
export interface ForgetTicket {
  readonly type: 'forget-ticket';
  readonly ticket: string;
  readonly reason?: string;
}

/** The event in the answer carries the new incarnation. No events when this very try has joined already. */
export interface JoinNode {
  readonly type: 'join-node';
  readonly node: string;
  /** Wanted by the agent; the configuration's id for that name wins. Absent for a node that is new: the name. */
  readonly nodeId?: string;
  /** Another node has a token under that name, and may join as long as it has. */
  readonly nodeIdHasToken?: true;
  readonly agentVersion: string;
  readonly leaseMs: number;
  /** What its agent is told to do when it loses its lease (`leaseLossPolicy`); absent for one that follows no server: it stops its resources. */
  readonly onLeaseLoss?: LeaseLossPolicy;
  /** Changes with each boot of the machine. While the node's lease lives, only the boot that holds it may join again. */
  readonly bootId?: string;
  /** Stays with the machine, as far as it is told. */
  readonly machineId?: string;
  /** Which try of which process of the agent it is, as far as it is told. */
  readonly attempt?: JoinAttempt;
  /** How many actions the agent carries out at a time, as far as it tells; a positive integer. */
  readonly actionLimit?: number;
  /** The agent's own setting of what it does when it loses its lease, whatever it is told. */
  readonly localOnLeaseLoss?: LeaseLossPolicy;
  /** History ids of what may be running there from before. Refused as `declared-down` while it may have been started elsewhere. */
  readonly active?: readonly string[];
  /** History ids of what it takes for not managed: it leaves that alone when it stops everything. */
  readonly unmanaged?: readonly string[];
  /** The newest incarnation in whose life anything of that ran, as far as the agent knows. */
  readonly lastIncarnation?: number;
  /** What of that it has tried to stop in vain. */
  readonly stopFailed?: readonly string[];
  /** For how long its machine was up when it asked, ms. */
  readonly uptimeMs?: number;
  /** The newest incarnation that was given to this boot, as far as the agent knows. */
  readonly bootIncarnation?: number;
  /** How long ago whoever asks heard of the life that joined last, ms; absent: it never did. Others may have heard of it since. */
  readonly silentMs?: number;
  /** For how long it has seen that life lost, ms. */
  readonly lostMs?: number;
  /** All nodes may have been down, so that nobody is fenced for now (`comebackHold`). */
  readonly fencingHeld?: boolean;
  /** Its agent carries out debug operations. */
  readonly debugOperations?: true;
}

/** A join was refused as `node-joined-elsewhere`. No events when all that it says is noted already. */
export interface NoteRefusedJoin extends Pick<JoinNode, 'uptimeMs' | 'silentMs'> {
  readonly type: 'note-refused-join';
  readonly node: string;
  readonly bootId: string;
  readonly machineId?: string;
}

/** A node showed what was never told. No events when that is noted of its present life, or nothing is known of the node. */
export interface NoteFalseWitness {
  readonly type: 'note-false-witness';
  readonly node: string;
  readonly witness: LogHead;
}

/** The boot that holds the lease showed that it lived after this other one had asked to join. No events when that is known, or is not so any more. */
export interface NoteSecondMachine {
  readonly type: 'note-second-machine';
  readonly node: string;
  readonly incarnation: number;
  readonly bootId: string;
}

export interface LeaveNode {
  readonly type: 'leave-node';
  readonly node: string;
  readonly incarnation: number;
  /** History ids of what it leaves running; absent for an agent that does not say. */
  readonly active?: readonly string[];
}

export interface RequestShutdown {
  readonly type: 'request-shutdown';
  readonly node: string;
  readonly incarnation: number;
}

/** One result as an agent reports it (wire protocol), plus nothing. */
export interface ReportedResult {
  /** Unique for ever; a result sent again is recognised by it. */
  readonly resultId: string;
  readonly actionId: string;
  readonly transitionKey: string;
  readonly resource: {
    readonly id: string;
    readonly historyId: string;
    readonly class: string;
    readonly provider?: string;
    readonly type: string;
  };
  readonly operation: string;
  readonly intervalMs: number;
  readonly status: OperationStatus;
  readonly rc: number;
  readonly exitReason?: string;
  readonly callId: number;
  /** Epoch seconds. */
  readonly startedAt: number;
  readonly execMs: number;
  readonly queueMs: number;
  readonly output?: string;
  readonly digests?: OperationDigests;
  readonly recurring: boolean;
  readonly migrateSource?: string;
  readonly migrateTarget?: string;
  readonly fence?: {
    readonly fencingId: string;
    readonly target: string;
    readonly action: 'off' | 'reboot' | 'on';
    readonly deviceId: string;
  };
}

/** Facts: never refused for their age, or for an incarnation that the log does not know any more. Only those of a node that never joined are refused. */
export interface RecordResults {
  readonly type: 'record-results';
  readonly node: string;
  readonly incarnation: number;
  readonly results: readonly ReportedResult[];
  /** Those of `doubtfulResults` that were handed out to the node all the same. */
  readonly handedOut?: ReadonlySet<string>;
}

/** Ignored (no events) when the incarnation is not the one that holds the lease. */
export interface LoseLease {
  readonly type: 'lose-lease';
  readonly node: string;
  readonly incarnation: number;
  /** ISO 8601. */
  readonly expiredAt: string;
  /** Names of other nodes that should have renewed their leases by now as well. */
  readonly overdue?: readonly string[];
  /** How far apart other losses were, by the worker's own clock. */
  readonly measured?: MeasuredLosses;
}

/** What `leaseLossTelling` wants recorded of what the node's agent does when it loses its lease. No events when it is so already. */
export interface ReckonWith {
  readonly type: 'reckon-with';
  readonly node: string;
  readonly incarnation: number;
  readonly policy: LeaseLossPolicy;
}

/** What `knownManaged` says that the agent knows. No events for what is noted already. */
export interface NoteManaged {
  readonly type: 'note-managed';
  readonly node: string;
  readonly incarnation: number;
  readonly resources: readonly string[];
}

/** What an agent says that keeps it from doing its work. No events when it is of the same kinds as before. */
export interface NoteTroubles {
  readonly type: 'note-troubles';
  readonly node: string;
  readonly incarnation: number;
  readonly troubles: readonly NodeTrouble[];
}

/** No events when nothing changes. Compute the argument with `countQuorum`. */
export interface ChangeQuorum {
  readonly type: 'change-quorum';
  readonly quorate: boolean;
  readonly votes: number;
  readonly expectedVotes: number;
}

/** Actions that no agent answered in time: recorded by the server as timed out. Take them from the engine's `record-timeout` effects. */
export interface RecordUnanswered {
  readonly type: 'record-unanswered';
  readonly actions: readonly UnansweredAction[];
}

export interface UnansweredAction {
  readonly actionId: string;
  readonly node: string;
  readonly transitionKey: string;
  readonly resource: ReportedResult['resource'];
  readonly operation: string;
  readonly intervalMs: number;
  /** Epoch seconds of the moment at which the server gave up. */
  readonly at: number;
  readonly execMs: number;
  readonly digests?: OperationDigests;
  readonly migrateSource?: string;
  readonly migrateTarget?: string;
}

/** The `clear_failcount` event of a graph. */
export interface ClearFailures {
  readonly type: 'clear-failures';
  readonly resource: string;
  readonly node: string;
  readonly operation?: string;
  readonly intervalMs?: number;
  /** The graph action that asked for it. */
  readonly graphAction?: { readonly transition: number; readonly id: number };
}

/** The `lrm_delete` event of a graph. */
export interface DeleteHistory {
  readonly type: 'delete-history';
  readonly resource: string;
  readonly node: string;
  readonly graphAction?: { readonly transition: number; readonly id: number };
}

export interface RequestFencing {
  readonly type: 'request-fencing';
  readonly request: FencingRequested['data'];
}

/** Outcome of an attempt: from the executor's result (then `record-results` makes it), or by the server after a timeout. */
export interface CompleteFencing {
  readonly type: 'complete-fencing';
  readonly result: FencingCompleted['data'];
}

/** Refused as `stale-decision` unless `plan.inputVersion` is the state's version. */
export interface PlanTransition {
  readonly type: 'plan-transition';
  /** `decide` gives the next number, and knows what it answers. */
  readonly plan: Omit<TransitionPlanned['data'], 'number' | 'alsoAnswers'>;
}

export interface AbortTransition {
  readonly type: 'abort-transition';
  readonly number: number;
  readonly reason: string;
}

export interface CompleteTransition {
  readonly type: 'complete-transition';
  readonly result: TransitionCompleted['data'];
}

/**
 * Why a command was refused, as a value; the api maps `status` to HTTP and `code` to the problem type
 * `https://systole.dev/problems/<code>`.
 */
export interface Rejection {
  readonly code: RejectionCode;
  readonly status: 403 | 404 | 409 | 410 | 412 | 422;
  /** What is wrong, where, and what to do next. */
  readonly message: string;
  /** JSON pointer into the command's fields (`/node`, `/cib`). */
  readonly pointer?: string;
  /** Stream version against which it was judged. */
  readonly currentVersion: number;
  /** Its epoch's mark (see `EpochVersion`); absent in the first one. */
  readonly currentEpoch?: string;
  /** One for each thing wrong in a document. */
  readonly issues?: readonly RejectionIssue[];
}

export interface RejectionIssue {
  readonly message: string;
  readonly pointer?: string;
  /** Path of the element in the submitted XML, e.g. `/cib/configuration/resources/primitive[@id='db']`. */
  readonly path?: string;
  /** The attribute of that element that is wrong, if it is one. */
  readonly attribute?: string;
  /** Line in the submitted XML, from 1. */
  readonly line?: number;
  /** Of what is valid and surely not meant, which can be forced: its kind. */
  readonly finding?: FindingKind;
  /** The known name or word that was most likely meant. */
  readonly suggestion?: string;
  /** It was there before, and is no reason to refuse. */
  readonly standing?: true;
}

export type RejectionCode =
  | 'cluster-not-found'
  | 'cluster-exists'
  /** Everything is being stopped: what was asked would start something again. */
  | 'cluster-stopping'
  | 'cluster-not-stopping'
  /** Told to agents only: what runs on their nodes keeps running, and nobody looks after it any more. */
  | 'cluster-deleted'
  | 'node-not-found'
  | 'resource-not-found'
  | 'element-not-found'
  /** Others refer to what is to be deleted. */
  | 'element-in-use'
  /** A JSON Patch expects something that is not so. */
  | 'patch-test-failed'
  | 'transition-not-found'
  | 'fencing-not-found'
  | 'version-mismatch'
  | 'stale-decision'
  | 'incarnation-superseded'
  /** Of the newest incarnation: its lease ran out. It may leave everything running, join anew, and will be probed. */
  | 'lease-lost'
  /** Of the newest incarnation: the node counts as down, and what ran there may run elsewhere. Everything there must stop; then it may join anew. */
  | 'declared-down'
  /** Another boot holds the node's lease, or may still run what the node ran. */
  | 'node-joined-elsewhere'
  /** A later try of the agent, or an agent process that was started later, has joined from this boot. */
  | 'join-overtaken'
  /** The event log went back in time since the agent joined: it has to join anew and leaves everything running; it will be probed. */
  | 'log-epoch-changed'
  | 'attribute-reserved'
  /** What was asked would be written where something else decides. */
  | 'attribute-overridden'
  /** Agents have set so many attributes of a node that they may set no more. */
  | 'attributes-full'
  /** What was to go to a node is there. */
  | 'already-there'
  /** What was to leave where it is is nowhere, or in several places. */
  | 'place-not-clear'
  /** What was to be removed is named elsewhere in the configuration. */
  | 'still-referred-to'
  | 'node-online'
  | 'still-active'
  | 'node-offline'
  | 'fencing-disabled'
  | 'transition-running'
  /** The cluster starts and stops the resource as it sees fit: what was asked would be against that. */
  | 'still-managed'
  /** Another debug operation of the resource has not ended. */
  | 'debug-running'
  /** The agent of the node does not know what was asked. */
  | 'agent-too-old'
  /** What depends on the ticket may run because of it. */
  | 'ticket-granted'
  | 'invalid-configuration'
  /** It is valid, and says what is surely not meant: it can be forced. */
  | 'doubtful-configuration'
  /** A secret, or a reference to one, can't stand where it was written. */
  | 'secret-refused'
  | 'secret-not-found'
  | 'invalid-argument';

export type Decision =
  | {
      readonly ok: true;
      readonly events: readonly ClusterEvent[];
      /** What was changed to bring the command's document to the current schema; absent where it carries none. */
      readonly upgrade?: DocumentUpgrade;
      /** Values that the events refer to, in clear: to be kept with them, or forgotten. Absent: none. */
      readonly secrets?: readonly NewSecret[];
    }
  | { readonly ok: false; readonly rejection: Rejection };

/** What was changed to bring a document to the current schema. */
export interface DocumentUpgrade {
  readonly count: number;
  /** The first of them, two hundred at most: those to check before those that were dropped, and these before those that only rewrote something. */
  readonly changes: readonly UpgradeChange[];
}

/** A document that was accepted, brought to the current schema, with an empty status section; or what is wrong with it, and what is valid and surely not meant. */
export type ConfigurationReading =
  | { readonly ok: true; readonly cib: XmlElement; readonly upgrade: DocumentUpgrade }
  | {
      readonly ok: false;
      readonly issues: readonly RejectionIssue[];
      readonly findings?: readonly ConfigurationFinding[];
      /** As far as it can be read all the same: so that what nodes know of its agents is told at once. */
      readonly legible?: XmlElement;
    };

export interface DecideOptions {
  /**
   * `If-Match` of the request, any of these: another version of the state is refused with 412 `version-mismatch`, and one of another epoch of the log; of a new
   * configuration, a version that another configuration was put in force after.
   */
  readonly expected?: readonly EpochVersion[];
  /** Reads the document that a command carries; `readConfiguration` when left out. For callers that remember what they have read. */
  readonly read?: (text: string) => ConfigurationReading;
  /** With what secrets are taken out of what is written; left out: they stay where they are. */
  readonly sealing?: Sealing;
}
