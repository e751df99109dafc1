import type { OperationDigests } from '@systole/cib';
import type { GraphActionRef } from './transitions.js';

export type { OperationDigests } from '@systole/cib';

/** How the execution ended; the numbers are Pacemaker's `op-status` (specification 03 §7.4). */
export type OperationStatus =
  'done' | 'cancelled' | 'timeout' | 'not-supported' | 'error' | 'error-hard' | 'error-fatal' | 'not-installed' | 'not-connected' | 'lost';

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
    /** Of a stop: since when the resource is to wait for the node, which is shutting down (`shutdown-lock`), epoch seconds; absent where it is not. */
    readonly shutdownLock?: number;
    /** Epoch seconds at which the operation began whose result this is, by the clock of the database: what failures expire by. Events from before that was so bear the time of the node's clock. */
    readonly lastRcChange: number;
    /** The same by the clock of the node, right or wrong; absent for what the server records. */
    readonly startedAt?: number;
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
