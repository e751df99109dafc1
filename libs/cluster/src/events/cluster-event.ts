import type { ElementChange } from '@systole/cib';
import type { LogHead } from '../epoch/witness.js';

export type { ElementChange } from '@systole/cib';

/**
 * What can happen to a cluster (design, section 3). The stream of these is the only truth: the CIB, the status, transitions and
 * leases' verdicts are folds of it. A released event never changes its meaning; a new shape gets a new `schemaVersion` and an upcaster.
 */
export type ClusterEvent =
  | ClusterCreated
  | ClusterStopping
  | ClusterStopCancelled
  | ClusterDeleted
  | EpochBegan
  | ConfigurationChanged
  | SecretErased
  | NodeJoined
  | NodeJoinRefused
  | FalseWitnessShown
  | NodeLeaseLost
  | LeaseLossPolicyTold
  | ManagedTold
  | NodeTroublesTold
  | NodeLeft
  | NodeShutdownRequested
  | NodeConfirmedDown
  | NodeAttributeSet
  | NodeAttributeCleared
  | OperationRecorded
  | ResultsDropped
  | DebugOperationRequested
  | DebugOperationEnded
  | FailuresCleared
  | HistoryDeleted
  | FencingAllowed
  | FencingRequested
  | FencingCompleted
  | QuorumChanged
  | TicketChanged
  | TransitionPlanned
  | TransitionAborted
  | TransitionCompleted;

export interface ClusterCreated {
  readonly type: 'ClusterCreated';
  readonly data: {
    /** The name that it was given. */
    readonly name: string;
    /** The CIB that it was made with, as XML; empty: none. */
    readonly cib: string;
    /** Absent when nothing had to be forced. */
    readonly forced?: Forced;
  };
}

/** The value of a secret was forgotten for good; the configuration may still refer to it. */
export interface SecretErased {
  readonly type: 'SecretErased';
  readonly data: {
    /** Its id, as references have it. */
    readonly secret: string;
    /** The resource that it was given for. */
    readonly owner: string;
    /** Name of the parameter that it is the value of. */
    readonly parameter: string;
    /** A person's. */
    readonly reason?: string;
  };
}

/** What whoever asked for a configuration forced: it was surely not meant, and would have been refused. */
export interface Forced {
  /** How many findings there were. */
  readonly count: number;
  /** The first hundred of them. */
  readonly findings: readonly {
    /** Of the XML element, with ids. */
    readonly path: string;
    /** The attribute of that element that is wrong, if it is one. */
    readonly attribute?: string;
    /** What is wrong. */
    readonly message: string;
  }[];
}

/** Everything is to be stopped; when it is, the cluster is deleted. */
export interface ClusterStopping {
  readonly type: 'ClusterStopping';
  readonly data: {
    /** A person's. */
    readonly reason?: string;
    /** What becomes of the option `stop-all-resources` when this is called off; absent: it was in force before, and stays. */
    readonly restore?: {
      /** The value that it had; absent: it was not configured. */
      readonly value?: string;
    };
  };
}

/** A person called the deletion off. */
export interface ClusterStopCancelled {
  readonly type: 'ClusterStopCancelled';
  readonly data: {
    /** A person's. */
    readonly reason?: string;
  };
}

export interface ClusterDeleted {
  readonly type: 'ClusterDeleted';
  readonly data: {
    /** A person's. */
    readonly reason?: string;
  };
}

/**
 * The log went back in time (a restored database, a replica that lacked the newest events): what it says of nodes and resources may be of yesterday.
 * Every lease ends with this.
 */
export interface EpochBegan {
  readonly type: 'EpochBegan';
  readonly data: {
    /** UUID of the epoch that begins. */
    readonly epoch: string;
    /** The one that ends; the first one of a cluster is its id. */
    readonly previous: string;
    /** What was found, for people. */
    readonly reason: string;
    /** What somebody was told of the log and is not in it; absent when a person says that the log was restored. */
    readonly witness?: {
      /** Of the log at that time. */
      readonly epoch: string;
      /** Stream version, from 1. */
      readonly version: number;
      /** Of the event at that version; lower-case hexadecimal. */
      readonly hash: string;
    };
    /** Who showed it: a node, `api`, `worker`, or a person. */
    readonly by: string;
  };
}

export interface ConfigurationChanged {
  readonly type: 'ConfigurationChanged';
  readonly data: {
    /** What was asked for, e.g. `replace-configuration`. */
    readonly command: string;
    /** What it was asked for with, by name. */
    readonly arguments: Readonly<Record<string, unknown>>;
    /** What it changed, element by element, in the order in which it is applied. */
    readonly changes: readonly ElementChange[];
    /** A person's. */
    readonly reason?: string;
    /** Absent when nothing had to be forced. */
    readonly forced?: Forced;
  };
}

export interface NodeJoined {
  readonly type: 'NodeJoined';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Its id in the configuration. */
    readonly nodeId: string;
    /** Counts up with each joining of an agent as this node, from 1. */
    readonly incarnation: number;
    /** For how long each sign of life of its agent holds, ms. */
    readonly leaseMs: number;
    /** Version of its agent. */
    readonly agentVersion: string;
    /** What its agent is told to do when it loses its lease; absent when it follows no server: it stops its resources. */
    readonly onLeaseLoss?: 'keep' | 'stop' | 'watchdog';
    /** Changes with each boot of the machine. */
    readonly bootId?: string;
    /** Stays with the machine; that of a cloned disk may be the same. */
    readonly machineId?: string;
    /** Which try of which process of the agent it was, within that boot. */
    readonly attempt?: JoinAttempt;
    /** How many actions its agent carries out at a time, as far as it told. */
    readonly actionLimit?: number;
    /** What its agent does when it loses its lease, by a setting of its own, whatever it is told. */
    readonly localOnLeaseLoss?: 'keep' | 'stop' | 'watchdog';
    /** Another boot than before, which began after that one had left in order, as earlier versions took it: what ran there is over. */
    readonly restarted?: true;
    /** Another boot than before, which was let in as nobody could fence that one: what ran there may run on. */
    readonly doubtful?: true;
    /** History ids of what may be active there and its agent takes for not managed, as it said; absent: nothing. */
    readonly unmanaged?: readonly string[];
    /** Its agent carries out debug operations; absent: it knows of none. */
    readonly debugOperations?: true;
  };
}

/** Within one boot of a machine: the later process, then the higher number is the later try. */
export interface JoinAttempt {
  /** ms since the boot. */
  readonly processStartedMs: number;
  /** Counts up within the process. */
  readonly number: number;
}

/**
 * Another boot than the one that joined last, of this machine or a second one with the same token, wanted to join. Recorded once for each boot; and once more when the
 * boot that holds the lease was heard of after it had asked.
 */
export interface NodeJoinRefused {
  readonly type: 'NodeJoinRefused';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Of the machine that asked; changes with each boot. */
    readonly bootId: string;
    /** Of the machine that asked; absent where it did not tell. */
    readonly machineId?: string;
    /** Both lived at once: it is a second machine. */
    readonly alongside?: true;
  };
}

/** A node showed a place in the log that carries the seal of this installation and was never told: made up, or damaged. It counts for nothing. */
export interface FalseWitnessShown {
  readonly type: 'FalseWitnessShown';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Which joining of an agent as this node it is of, from 1. */
    readonly incarnation: number;
    /** The place in the log that it showed. */
    readonly witness: LogHead;
  };
}

/** From now on the server reckons with this when the node loses its lease: the most cautious of what its agent may have been told. */
export interface LeaseLossPolicyTold {
  readonly type: 'LeaseLossPolicyTold';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Which joining of an agent as this node it is of, from 1. */
    readonly incarnation: number;
    /** What its agent does with its resources when it loses its lease: let them run, stop them, or stop feeding its watchdog. */
    readonly policy: 'keep' | 'stop' | 'watchdog';
  };
}

/** The agent of a node showed that it knows these resources to be managed again: it stops them when it has to stop everything. */
export interface ManagedTold {
  readonly type: 'ManagedTold';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Which joining of an agent as this node it is of, from 1. */
    readonly incarnation: number;
    /** History ids of the resources. */
    readonly resources: readonly string[];
  };
}

/** What keeps the agent of a node from doing its work, as it says; nothing: it is over. Recorded when it changes in kind. */
export interface NodeTroublesTold {
  readonly type: 'NodeTroublesTold';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Which joining of an agent as this node it is of, from 1. */
    readonly incarnation: number;
    /** What is wrong there; empty: nothing is any more. */
    readonly troubles: readonly NodeTrouble[];
  };
}

export interface NodeTrouble {
  /** What kind, as the agent names it. */
  readonly code: string;
  /** For people. */
  readonly detail: string;
}

export interface NodeLeaseLost {
  readonly type: 'NodeLeaseLost';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Which joining of an agent as this node it is of, from 1. */
    readonly incarnation: number;
    /** When the lease ran out; ISO 8601, UTC. */
    readonly expiredAt: string;
    /** Names of other nodes that should have renewed their leases by then as well: they may have been cut off together. Absent: none. */
    readonly overdue?: readonly string[];
    /** What the worker measured that found it; absent in logs of before, and where it knew of no other loss. */
    readonly measured?: MeasuredLosses;
  };
}

/** Which other nodes were lost within the length of a lease of one, by the clock of a worker that saw those losses come: dates of a log don't tell when a clock stepped. */
export interface MeasuredLosses {
  /** Of losses that the log held up to this stream version. */
  readonly version: number;
  /** Names, sorted. All others were lost earlier. */
  readonly near: readonly string[];
  /** Names of nodes whose losses it did not see come, sorted: there the dates count. Absent: none. */
  readonly unseen?: readonly string[];
}

/** The agent stopped the resources that it may stop, and said goodbye. */
export interface NodeLeft {
  readonly type: 'NodeLeft';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Which joining of an agent as this node it is of, from 1. */
    readonly incarnation: number;
    /** History ids of what runs on there because it was not managed, by what the log knows and its agent said; absent where that was not recorded yet. */
    readonly active?: readonly string[];
  };
}

export interface NodeShutdownRequested {
  readonly type: 'NodeShutdownRequested';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Which joining of an agent as this node it is of, from 1. */
    readonly incarnation: number;
  };
}

/** A person vouches that the node is down. */
export interface NodeConfirmedDown {
  readonly type: 'NodeConfirmedDown';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** A person's. */
    readonly reason?: string;
  };
}

/** `forever` lives in the node's configuration, `reboot` in its transient attributes. */
export type AttributeLifetime = 'forever' | 'reboot';

export interface NodeAttributeSet {
  readonly type: 'NodeAttributeSet';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Name of the attribute. */
    readonly name: string;
    /** Its value from now on. */
    readonly value: string;
    /** How long it stays. */
    readonly lifetime: AttributeLifetime;
    /** What it makes in the configuration gets ids that nothing else there has. Else, as in older logs, later changes may name the ids that come of its names alone. */
    readonly uniqueIds?: true;
    /** A person's. */
    readonly reason?: string;
  };
}

export interface NodeAttributeCleared {
  readonly type: 'NodeAttributeCleared';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Name of the attribute. */
    readonly name: string;
    /** Which of the two of that name. */
    readonly lifetime: AttributeLifetime;
    /** A person's. */
    readonly reason?: string;
  };
}

/** How the execution ended; the numbers are Pacemaker's `op-status` (specification 03 §7.4). */
export type OperationStatus =
  'done' | 'cancelled' | 'timeout' | 'not-supported' | 'error' | 'error-hard' | 'error-fatal' | 'not-installed' | 'not-connected' | 'lost';

/** Digests of an operation's parameters (specification 01 §11), computed by the server when it hands out the action. */
export interface OperationDigests {
  /** Of all parameters. */
  readonly opDigest: string;
  /** Names of the parameters whose change asks for a restart, separated by blanks. */
  readonly opForceRestart?: string;
  /** Of those parameters. */
  readonly opRestartDigest?: string;
  /** Names of the parameters that are secret, separated by blanks. */
  readonly opSecureParams?: string;
  /** Of all but the secret parameters. */
  readonly opSecureDigest?: string;
}

export interface OperationRecorded {
  readonly type: 'OperationRecorded';
  readonly data: {
    /** Name of the node on which it was carried out. */
    readonly node: string;
    /** Incarnation of the agent that reports; 0 when the server records it (timeout, lost). */
    readonly incarnation: number;
    /** Id of the `lrm_resource`. */
    readonly resource: string;
    /** Standard of the resource agent, e.g. `ocf`. */
    readonly class: string;
    /** Of `ocf`: whose agent it is. */
    readonly provider?: string;
    /** Name of the resource agent. */
    readonly agentType: string;
    /** Task as executed: start, stop, monitor, promote, demote, notify, cancel, migrate_to, migrate_from, reload-agent, delete. */
    readonly operation: string;
    /** Interval of a recurring operation, ms; 0 for one that does not recur. */
    readonly intervalMs: number;
    /** How the execution ended, whatever the agent answered. */
    readonly status: OperationStatus;
    /** Return code (OCF): 0 is success, 7 not running. */
    readonly rc: number;
    /** The agent's own words; absent when it gave none. */
    readonly exitReason?: string;
    /** Counts up per node and incarnation. */
    readonly callId: number;
    /** `<graph action id>:<transition number>:<expected rc>:<epoch of the log>`. */
    readonly transitionKey: string;
    /** The id under which the action was handed out; absent for what no transition asked for. */
    readonly actionId?: string;
    /** The agent's id for this result; a result sent again is recognised by it. Absent for what the server records. */
    readonly resultId?: string;
    /** Of the parameters that it was carried out with; absent where the server did not compute them. */
    readonly digests?: OperationDigests;
    /** Of a migration: the node that the resource leaves. */
    readonly migrateSource?: string;
    /** Of a migration: the node that it goes to. */
    readonly migrateTarget?: string;
    /** Epoch seconds at which the result last changed. */
    readonly lastRcChange: number;
    /** How long it took, ms. */
    readonly execMs: number;
    /** How long it waited for its turn on the node, ms. */
    readonly queueMs: number;
    /** Arrived for a transition that is no longer current, or from a superseded incarnation. */
    readonly late: boolean;
    /** The last lines of output, bounded; for people. */
    readonly output?: string;
  };
}

/**
 * A node reported results of resources that are neither configured, nor in its history, nor were handed out to it, or of more operations of a resource than there
 * can be. Recorded with each report that holds such results, so that the sum of the counts is what the log does not have.
 */
export interface ResultsDropped {
  readonly type: 'ResultsDropped';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Which joining of an agent as this node it is of, from 1. */
    readonly incarnation: number;
    /** How many there were in the report; one that is sent again counts again. */
    readonly count: number;
    /** The first few of the resources. */
    readonly resources: readonly string[];
  };
}

/** What a person can have done with a resource on one node, outside of any plan. */
export const DEBUG_OPERATIONS = ['monitor', 'validate-all', 'start', 'stop', 'promote', 'demote'] as const;

export type DebugOperation = (typeof DEBUG_OPERATIONS)[number];

/** A person wants one operation of a resource to be carried out on a node, to see what its agent says; or a node switched on. */
export interface DebugOperationRequested {
  readonly type: 'DebugOperationRequested';
  readonly data: {
    /** Unique id of this request. */
    readonly debugId: string;
    /** On which it is carried out. */
    readonly node: string;
    /** Of the node: no other life of it is asked. */
    readonly incarnation: number;
    /** Id of the primitive, which is its history id; with `on` of the fence device. */
    readonly resource: string;
    /** `on`: a node is switched on by a fence device. */
    readonly operation: DebugOperation | 'on';
    /** With `on`: which node. */
    readonly target?: string;
    /** After which the agent ends it. */
    readonly timeoutMs: number;
    /** A person's. */
    readonly reason?: string;
  };
}

/** What came of it. Where it may have changed anything the history of the resource there is deleted with it, so that it is probed. */
export interface DebugOperationEnded {
  readonly type: 'DebugOperationEnded';
  readonly data: {
    /** Of the request. */
    readonly debugId: string;
    /** On which it was to be carried out. */
    readonly node: string;
    /** Of the node, as it was asked. */
    readonly incarnation: number;
    /** Id of the primitive, or of the fence device. */
    readonly resource: string;
    /** As it was asked for. */
    readonly operation: string;
    /** How the execution ended; absent: it was never begun, and will not be. */
    readonly status?: OperationStatus;
    /** Return code, as OCF numbers them; absent: it was never begun, or did not end. */
    readonly rc?: number;
    /** What the agent said of why it failed. */
    readonly exitReason?: string;
    /** The last lines of output, bounded; for people. */
    readonly output?: string;
    /** How long its execution took, ms. */
    readonly execMs?: number;
    /** How long it waited on the node before, ms. */
    readonly queueMs?: number;
    /** The agent's id for this result. */
    readonly resultId?: string;
    /** Nobody waited for it any more: the life of the node in which it was asked for is over. */
    readonly late?: true;
  };
}

/** The action of a transition graph that an event carries out. */
export interface GraphActionRef {
  /** Number of the transition. */
  readonly transition: number;
  /** Id of the action in its graph. */
  readonly id: number;
}

/** Fail counts and failed history entries of a resource on a node; of one operation when it is named. */
export interface FailuresCleared {
  readonly type: 'FailuresCleared';
  readonly data: {
    /** As it stands in the fail count's name: the primitive's id. */
    readonly resource: string;
    /** Name of the node. */
    readonly node: string;
    /** The one whose failures are forgotten; absent: those of all. */
    readonly operation?: string;
    /** Interval of that operation, ms. */
    readonly intervalMs?: number;
    /** The action that it carries out; absent when a person asked for it. */
    readonly graphAction?: GraphActionRef;
    /** A person's. */
    readonly reason?: string;
  };
}

/** The history of a resource on a node; of one operation when it is named. */
export interface HistoryDeleted {
  readonly type: 'HistoryDeleted';
  readonly data: {
    /** Id of the `lrm_resource`. */
    readonly resource: string;
    /** Name of the node. */
    readonly node: string;
    /** The one whose history is forgotten; absent: that of all. */
    readonly operation?: string;
    /** Interval of that operation, ms. */
    readonly intervalMs?: number;
    /** The action that it carries out; absent when a person asked for it. */
    readonly graphAction?: GraphActionRef;
    /** A person's. */
    readonly reason?: string;
  };
}

/** Digests of the devices that unfence, as the scheduler writes them (specification 02 §13.7): `<device>:<type>:<digest>,` each. */
export interface UnfencingDigests {
  /** Of all parameters of each device. */
  readonly all: string;
  /** Of those that are not secret. */
  readonly secure: string;
}

/** A person allows that a node is fenced although the limit on fencing is reached; until it joins again. */
export interface FencingAllowed {
  readonly type: 'FencingAllowed';
  readonly data: {
    /** Name of the node that may be fenced. */
    readonly node: string;
    /** A person's. */
    readonly reason?: string;
  };
}

export interface FencingRequested {
  readonly type: 'FencingRequested';
  readonly data: {
    /** Unique id of this attempt. */
    readonly fencingId: string;
    /** Name of the node that is to be fenced. */
    readonly target: string;
    /** What the device is told. */
    readonly action: 'off' | 'reboot' | 'on';
    /** What the transition wants; absent: the same. A reboot by several devices is `off` by each, then `on` by each. */
    readonly wanted?: 'off' | 'reboot' | 'on';
    /** Id of the fence device. */
    readonly device: string;
    /** Name of the node whose agent is to run it. */
    readonly executor: string;
    /** Which try to fence the target it is, from 1. */
    readonly attempt: number;
    /** Number of the transition that wants it. */
    readonly transition: number;
    /** Id of the action in its graph. */
    readonly graphActionId: number;
    /** Before it begins: the share of `priority-fencing-delay`; first attempts only. */
    readonly delayMs?: number;
    /** With `on`: what becomes of `#digests-all` and `#digests-secure` of the target when it succeeds. */
    readonly digests?: UnfencingDigests;
  };
}

export interface FencingCompleted {
  readonly type: 'FencingCompleted';
  readonly data: {
    /** Of the attempt, as it was requested. */
    readonly fencingId: string;
    /** Name of the node that was to be fenced. */
    readonly target: string;
    /** What the device was told. */
    readonly action: 'off' | 'reboot' | 'on';
    /** Id of the fence device. */
    readonly device: string;
    /** Name of the node whose agent was to run it. */
    readonly executor: string;
    /** Of the executor that reports; absent when the server gave up on it. */
    readonly incarnation?: number;
    /** How the attempt ended. */
    readonly outcome: 'succeeded' | 'failed' | 'timeout';
    /** What the device, or the server, said of it; for people. */
    readonly detail?: string;
    /** The executor's id for this result; absent when the server gave up on it. */
    readonly resultId?: string;
    /**
     * With this the whole fencing of the target is done: it is off (or was rebooted). Absent: so when `outcome` is `succeeded`. It is false
     * for all but the last device of a topology level.
     */
    readonly confirmed?: boolean;
    /** No device, executor or level is left to try: the fencing action of the transition has failed. */
    readonly exhausted?: boolean;
    /** It was not asked for this, or is not any more: it counts for nothing. Absent of what counts, and in events from before that was recorded. */
    readonly unasked?: true;
  };
}

export interface QuorumChanged {
  readonly type: 'QuorumChanged';
  readonly data: {
    /** Whether there is quorum from now on. */
    readonly quorate: boolean;
    /** How many votes are there. */
    readonly votes: number;
    /** How many there are when all nodes are there. */
    readonly expectedVotes: number;
  };
}

export interface TicketChanged {
  readonly type: 'TicketChanged';
  readonly data: {
    /** Id of the ticket. */
    readonly ticket: string;
    /** Whether it is granted from now on; absent: that did not change. */
    readonly granted?: boolean;
    /** Whether it is in standby from now on; absent: that did not change. */
    readonly standby?: boolean;
    /** Other attributes of it that were set, by name. */
    readonly attributes?: Readonly<Record<string, string>>;
    /** Nothing is known of it any more: it is as if it had never been granted. */
    readonly forgotten?: true;
    /** A person's. */
    readonly reason?: string;
  };
}

export interface TransitionPlanned {
  readonly type: 'TransitionPlanned';
  readonly data: {
    /** Counts from 1 in each cluster. */
    readonly number: number;
    /** The stream version whose fold was scheduled. */
    readonly inputVersion: number;
    /** Effective time, epoch seconds. */
    readonly now: number;
    /** The scheduler that planned it. */
    readonly schedulerVersion: string;
    /** sha256 of the canonical JSON of the graph. */
    readonly digest: string;
    /** How many actions of which kind the graph has. */
    readonly counts: {
      /** Operations of resources, on nodes. */
      readonly actions: number;
      /** Actions that nobody carries out: they order others. */
      readonly pseudo: number;
      /** Nodes that are to be fenced. */
      readonly fencing: number;
    };
    /** Epoch seconds of the next recheck, if any. */
    readonly recheckBy?: number;
    /** What made the recomputation necessary. */
    readonly trigger: string;
    /** One line for each resource action: what and why. */
    readonly summary: readonly string[];
  };
}

export interface TransitionAborted {
  readonly type: 'TransitionAborted';
  readonly data: {
    /** Number of the transition. */
    readonly number: number;
    /** Why nothing new of it is begun any more. */
    readonly reason: string;
  };
}

export interface TransitionCompleted {
  readonly type: 'TransitionCompleted';
  readonly data: {
    /** Number of the transition. */
    readonly number: number;
    /** `aborted`: it ended before all was done. */
    readonly outcome: 'complete' | 'aborted';
    /** Actions that were done, and ended as expected. */
    readonly completed: number;
    /** Actions that were never begun. */
    readonly skipped: number;
    /** Actions that were handed out, and did not end as expected, or of which no answer came. */
    readonly failed: number;
  };
}

export type ClusterEventType = ClusterEvent['type'];

/** An event as it lies in the stream. */
export interface RecordedClusterEvent {
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  readonly actor: string;
  readonly event: ClusterEvent;
}
