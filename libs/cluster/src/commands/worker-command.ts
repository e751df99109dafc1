import type {
  AlertFailed,
  AlertLane,
  FencingCompleted,
  FencingRequested,
  MeasuredLosses,
  OperationDigests,
  OperationStatus,
  TransitionCompleted,
  TransitionPlanned,
} from '../events/cluster-event.js';
import type { LeaseLossPolicy } from '../state/cluster-state.js';
import type { ReportedResult } from './agent-command.js';

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

/** What `leaseLossTelling` wants recorded of what the node's agent does when it loses its lease. No events when it is so already, or comes too late (`isLateLowering`). */
export interface ReckonWith {
  readonly type: 'reckon-with';
  readonly node: string;
  readonly incarnation: number;
  readonly policy: LeaseLossPolicy;
}

/** Writes option `have-watchdog` as it is in truth. No events when it says so. Compute the argument with `haveWatchdog`. */
export interface NoteHaveWatchdog {
  readonly type: 'note-have-watchdog';
  readonly haveWatchdog: boolean;
}

/** No events when nothing changes. Compute the argument with `countQuorum`. */
export interface ChangeQuorum {
  readonly type: 'change-quorum';
  readonly quorate: boolean;
  readonly votes: number;
  readonly expectedVotes: number;
}

/** Writes what is held of attributes whose delay is over. Compute the argument with `heldAttributes`. */
export interface WriteHeldAttributes {
  readonly type: 'write-held-attributes';
  readonly names: readonly string[];
}

/** Actions that no agent answered in time: recorded by the server as timed out. Take them from the engine's `record-timeout` effects. */
export interface RecordUnanswered {
  readonly type: 'record-unanswered';
  readonly actions: readonly UnansweredAction[];
}

/** Operations of connections, which the server itself carries out (`connectionAnswer`): recorded as it says. */
export interface RecordConnections {
  readonly type: 'record-connections';
  readonly actions: readonly ConnectionOutcome[];
}

export interface ConnectionOutcome extends UnansweredAction {
  readonly status: OperationStatus;
  readonly rc: number;
  readonly exitReason?: string;
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

/** How programs of alerts ended. No events where they ended as they did before. */
export interface NoteAlertRuns {
  readonly type: 'note-alert-runs';
  readonly runs: readonly EndedAlertRun[];
}

export interface EndedAlertRun extends AlertLane, Pick<AlertFailed['data'], 'path' | 'rc' | 'detail'> {
  readonly outcome: 'done' | AlertFailed['data']['outcome'];
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
