import type { AgentAction, FenceReaction, JoinAnswer, OnLeaseLoss, Witness } from '@systole/protocol';
import type { EndReason } from './effects.js';
import type { ActiveResource, JournalRecord } from './journal/record.js';
import type { JournalState } from './journal/state.js';
import type { DueTimes } from './persistent/due-times.js';
import type { OrderedMap } from './persistent/ordered-map.js';
import type { OrderedSet } from './persistent/ordered-set.js';

/** What does not change while the agent runs. */
export interface NodeSettings {
  readonly agentVersion: string;
  /** The node that this agent means to be. */
  readonly nodeName?: string;
  /** It is meant to be a remote or guest node. */
  readonly remote?: true;
  /** Base URLs; at least one. */
  readonly servers: readonly string[];
  /** Resource operations at once. */
  readonly actionLimit: number;
  /** Decided here instead of by the server. */
  readonly onLeaseLoss?: OnLeaseLoss;
  /** Whether a watchdog is fed. */
  readonly watchdog: boolean;
  /** After how long without being fed it resets the machine, as it was when it was opened last, ms; absent: nobody knows. */
  readonly watchdogMs?: number | undefined;
  /** Time for a stop whose timeout the server has not told, ms. */
  readonly stopTimeoutMs: number;
  readonly bootId: string;
  /** When this process began, ms since the boot. */
  readonly processStartedMs: number;
  readonly machineId?: string;
  /** Differs from token to token, and does not tell the token: what a witness saw counts for the cluster of that token only. */
  readonly tokenMark: string;
  /** Unique for this process of the agent, for ever: ids of results begin with it. */
  readonly instance: string;
  /** Seed of the jitter of delays, any whole number. */
  readonly seed: number;
}

/** The lease, as long as this node believes in it; all ms on the clock of the inputs. */
export interface HeldLease {
  readonly from: number;
  readonly lengthMs: number;
  /** It could not be renewed in time, and that has been acted upon. */
  readonly acted: boolean;
}

/** An attempt that is repeated after a while. */
export interface Attempt {
  /** The request that is under way. */
  readonly request?: number;
  /** When to try again, if none is. */
  readonly retryAt: number;
  /** In a row. */
  readonly failures: number;
}

export interface Joining {
  readonly kind: 'joining';
  readonly join: Attempt;
  readonly sentAt: number;
  /** Which of this process's joins: sent again because an answer was lost, it is the same one. */
  readonly attempt: number;
  /** What the join under way names as active. */
  readonly named: readonly string[];
}

export interface Member {
  readonly kind: 'member';
  readonly joined: JoinAnswer;
  readonly epoch: string;
  /** Length of the next lease, ms. */
  readonly leaseMs: number;
  /** Of the newest poll. */
  readonly seq: number;
  readonly poll: Attempt;
  /** When the poll under way was sent. */
  readonly polledAt: number;
  /** Asking the cluster to move away what runs here. */
  readonly shutdown: Attempt | 'asked';
  /** When the server first said that the agent may leave, while something may run here; ms. */
  readonly leaveToldAt?: number;
}

/** Where a stop of the agent's own stands. What may be promoted is demoted first. */
export type OwnStop =
  | { readonly status: 'waiting' | 'due' | 'stopped' | 'failed' }
  | { readonly status: 'demoting'; readonly run: number }
  /** `demoted`: that was tried before, with whatever outcome. */
  | { readonly status: 'stopping'; readonly run: number; readonly demoted: boolean };

export interface Stopping {
  readonly kind: 'stopping';
  /** `leaveAs`: the server has said that this incarnation may leave, and is told once nothing runs any more. */
  readonly then: 'join' | 'end' | { readonly leaveAs: number };
  /** By history id, in the order of stopping. */
  readonly stops: ReadonlyMap<string, OwnStop>;
  /** The next stop begins after this time at the latest, ms; so all begin before the lease ends. */
  readonly stepMs: number;
  readonly nextAt: number;
  /** What fails is tried a second time: it may have been in use by what was stopped later. */
  readonly round: 1 | 2;
}

/** From a second record, when the journal is gone or damaged. */
export interface Rescued {
  readonly active: readonly ActiveResource[];
  readonly onLeaseLoss?: OnLeaseLoss;
  readonly announced?: OnLeaseLoss;
  readonly unmanaged: readonly string[];
}

export type Phase =
  /** What an earlier agent process left behind is being ended. */
  | { readonly kind: 'settling'; readonly left: ReadonlySet<string>; readonly rescued?: Rescued }
  | Joining
  | Member
  | Stopping
  /** The resources are stopped; the last results get until then to arrive. */
  | { readonly kind: 'leaving'; readonly incarnation: number; readonly until: number; readonly goodbye?: number }
  | { readonly kind: 'ended'; readonly reason: EndReason };

/** What is done when records are on disk. */
export type AfterWriting =
  | { readonly kind: 'begin'; readonly run: number; /** When to give up if they never are. */ readonly giveUpAt: number }
  | { readonly kind: 'settled'; readonly run: number };

export interface Pending {
  readonly records: readonly JournalRecord[];
  readonly then?: AfterWriting;
}

export interface JournalQueue {
  /** What the records on disk add up to. */
  readonly durable: JournalState;
  /** And with those that are not there yet. */
  readonly ahead: JournalState;
  readonly pending: readonly Pending[];
  /** The first `count` are being written. */
  readonly writing?: { readonly write: number; readonly count: number; readonly since: number };
  /** That has not returned for long, which was said; since when. */
  readonly hanging?: number;
  /** The last write failed. */
  readonly blocked?: { readonly problem: string; readonly retryAt: number };
}

/** The first or a later execution of an action. */
export interface Task {
  readonly action: AgentAction;
  readonly incarnation: number;
  readonly acceptedAt: number;
  /** Grows from one acceptance to the next, in one row with the numbers of recurrences. */
  readonly number: number;
  readonly repeated: boolean;
  /** For what recurs: it is obsolete when the recurrence has another number. */
  readonly recurrence?: number;
}

export interface Run {
  readonly lane: string;
  readonly task: Task;
  /** Its intent is being journaled; its program runs; its result is being journaled. */
  readonly stage: 'recording' | 'running' | 'settling';
  /** The lease was lost before it began: it must not begin. */
  readonly withdrawn: boolean;
  /** Its program is there. */
  readonly started: boolean;
  readonly queueMs: number;
}

export interface Recurrence {
  readonly number: number;
  readonly action: AgentAction;
  readonly incarnation: number;
  /** As last reported; absent before the first run has ended. */
  readonly last?: { readonly status: string; readonly rc: number };
  /** Of the next run; absent while one waits or runs. */
  readonly dueAt?: number;
}

export interface Recurrences {
  /** By resource, operation and interval (`recurringKey`). */
  readonly byKey: OrderedMap<Recurrence>;
  /** The keys of those of which no run waits or runs. */
  readonly due: DueTimes<string>;
}

export interface Work {
  /** Accepted, and the first result not yet in the journal. */
  readonly accepted: OrderedSet;
  /** What waits, by lane; no lane is empty. */
  readonly lanes: OrderedMap<readonly Task[]>;
  /** How many of the lanes are those of fencings. */
  readonly waitingFencings: number;
  /** One for each busy lane: no more than may run at once, and fencings. */
  readonly runs: ReadonlyMap<number, Run>;
  readonly delayed: DueTimes<Task>;
  readonly recurring: Recurrences;
  /** Fence devices that were started since the agent joined: they do not run anywhere, so nothing else could tell. */
  readonly startedDevices: ReadonlySet<string>;
}

export interface Outbox {
  readonly sending?: { readonly request: number; readonly resultIds: readonly string[]; readonly incarnation: number };
  readonly retryAt: number;
  readonly failures: number;
  /** Results of the next request: halved when the server refuses, doubled when it takes. */
  readonly batch: number;
  /** The server fails over these (500): they stand aside for others until then. By result id, ms. */
  readonly deferred: ReadonlyMap<string, number>;
}

/** The cluster was deleted; or the token is not accepted, and nothing runs here. */
export type Dismissal = 'cluster-deleted' | 'not-permitted';

/** The node's session with its servers. Whatever is not in the journal is lost with the process. */
export interface NodeState {
  readonly settings: NodeSettings;
  readonly now: number;
  /** `now` when this process began. */
  readonly startedAt: number;
  readonly phase: Phase;
  /** The agent shall leave and end. */
  readonly stopRequested: boolean;
  /** When that was first asked for, ms; absent: it was not. */
  readonly stopRequestedAt?: number;
  /** Beyond which load it is told to the server, percent, as a server said last; absent: never. */
  readonly loadThreshold?: number;
  /** Whether the load is beyond that. */
  readonly loaded: boolean;
  /** How long after the stop was asked for it ends without the cluster's having stopped what runs here, as a server said last, ms; absent: never. */
  readonly shutdownEscalationMs?: number;
  /** None: nothing here is under one. */
  readonly lease: HeldLease | undefined;
  /** Why the watchdog must not be fed: a renewed lease ends the first, a join that is granted `ordered` (the cluster fences this node by it), only a reset of the machine ends the others. */
  readonly starving: 'lease-lost' | 'stop-failed' | 'panic' | 'ordered' | undefined;
  /** How the watchdog is, as far as this process has seen: not opened yet, armed, or it can't be fed. */
  readonly watchdogIs: 'unopened' | 'armed' | 'lost';
  /** This process has joined at least once. */
  readonly hasJoined: boolean;
  readonly journal: JournalQueue;
  readonly work: Work;
  readonly outbox: Outbox;
  /** Base URLs, and which of them is asked. */
  readonly servers: { readonly urls: readonly string[]; readonly current: number };
  /** Which servers say that this agent has no place here any more; they count when all say so. */
  readonly dismissed: ReadonlyMap<number, Dismissal>;
  /** Where each request under way went. */
  readonly requests: ReadonlyMap<number, number>;
  /** The newest head that a server has told of, and when one was last journaled. */
  readonly witness?: Witness;
  /** The newest head that results were acknowledged with. Of this life of the agent only: what runs is probed after the next join. */
  readonly recorded?: Witness;
  /** The newest roll call that a server has told of. */
  readonly rollCall?: string;
  /** What the servers want done when the node was declared down and runs. */
  readonly fenceReaction: FenceReaction;
  readonly witnessWrittenAt: number;
  /** Joins of this process. */
  readonly joins: number;
  /** Counters for ids, and the state of the jitter. */
  readonly nextId: number;
  readonly callId: number;
  readonly jitter: number;
}
