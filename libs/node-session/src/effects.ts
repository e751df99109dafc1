import type {
  ActionResource,
  AgentAction,
  FenceOrder,
  IncarnationRequest,
  JoinRequest,
  LeaveRequest,
  PollRequest,
  ResultsRequest,
} from '@systole/protocol';
import type { ActionProcess, JournalRecord } from './journal/record.js';

export type Message =
  | { readonly kind: 'join'; readonly body: JoinRequest }
  | { readonly kind: 'poll'; readonly body: PollRequest }
  | { readonly kind: 'results'; readonly body: ResultsRequest }
  | { readonly kind: 'shutdown'; readonly body: IncarnationRequest }
  | { readonly kind: 'leave'; readonly body: LeaveRequest };

/** What a program is started for. */
export type Job =
  | { readonly kind: 'operation'; readonly operation: OperationJob }
  | { readonly kind: 'fence'; readonly order: FenceOrder; readonly timeoutMs: number };

export interface OperationJob {
  readonly resource: ActionResource;
  readonly operation: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, string>>;
  /** What the server made of the parameters without knowing the agent's meta-data; present where the outcome is to bring what these add. */
  readonly bareDigests?: Digests;
}

/** Of an operation's parameters, as its result carries them. */
export type Digests = NonNullable<AgentAction['digests']>;

/** Why the agent ends. */
export type EndReason = 'left' | 'left-unclean' | 'superseded' | 'not-permitted' | 'cluster-deleted';

/** What is to be done, in this order. */
export type NodeEffect =
  /** End what an earlier agent process left running of this action, if it is still there; then say `leftover-ended`. */
  | { readonly type: 'end-leftover'; readonly actionId: string; readonly process?: ActionProcess }
  /** Append to the journal and sync; then say `written` or `write-failed`. One at a time. */
  | { readonly type: 'write'; readonly write: number; readonly records: readonly JournalRecord[] }
  /** Ask the server; then say `answered`, `refused` or `unanswered`. */
  | { readonly type: 'send'; readonly request: number; readonly server: string; readonly message: Message; readonly timeoutMs: number }
  /** The answer is of no use any more. */
  | { readonly type: 'abandon'; readonly request: number }
  /** Start a program; then say `started`, if there is a process, and `ended`. `actionId` marks its process; stops of the agent's own have none. */
  | { readonly type: 'run'; readonly run: number; readonly actionId?: string; readonly job: Job }
  /** End a program before its time; `ended` is said as always. */
  | { readonly type: 'kill'; readonly run: number }
  /** Remember, for an agent process that follows a crashed one, that a lease of this length began so long ago. */
  | { readonly type: 'note-lease'; readonly ageMs: number; readonly leaseMs: number }
  | { readonly type: 'forget-lease' }
  /** Feed the watchdog, if it may be fed (`mayFeed`), which arms it; then say `watchdog`. That it is fed again and again is left to whoever drives the session. */
  | { readonly type: 'feed' }
  /** Restart the machine at once; nothing is said of it, for it either happens or does not. */
  | { readonly type: 'panic' }
  | {
      readonly type: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly text: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  /** The agent ends. Where something that should not run may run on (`mayDisarm`) a watchdog is not disarmed, so that it resets the machine. */
  | { readonly type: 'end'; readonly reason: EndReason };
