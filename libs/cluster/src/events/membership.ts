import type { LogHead } from '../epoch/witness.js';

export interface NodeJoined {
  readonly type: 'NodeJoined';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Its id in the configuration. */
    readonly nodeId: string;
    /** A remote or guest node, as the configuration says; absent: a cluster node. */
    readonly kind?: 'remote' | 'guest';
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
    /** Of a remote or guest node: history ids of what may be active there as its agent said, beside what the log knows itself; absent: nothing. */
    readonly active?: readonly string[];
    /** Its agent carries out debug operations; absent: it knows of none. */
    readonly debugOperations?: true;
    /**
     * Another process of the agent, or another session, on the boot that joined before: what lasts until the reboot goes on. `but-promotion`: all but promotion scores, as its agent
     * may have stopped what they are of. Absent: it is lost, but for `standby`.
     */
    readonly attributesKept?: 'all' | 'but-promotion';
    /** Time-out of the watchdog that its agent arms as soon as it holds the lease, ms; absent: it has none, or nobody knows its time-out. */
    readonly watchdogMs?: number;
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
 * boot that holds the lease was heard of after it had asked. Or, once, the agent of a remote or guest node of the lost tail of the log.
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
    /** The log went back, and neither it nor the configuration knows a remote or guest node of that name: it may run what the log does not know of. */
    readonly unconfigured?: true;
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

/**
 * What the agent of a node said of its watchdog: from now on the server counts on its resetting the machine so long after the agent can not renew its lease any more; or it
 * does not any more, as the watchdog is gone or the agent may be told to do something else.
 */
export interface WatchdogTold {
  readonly type: 'WatchdogTold';
  readonly data: {
    /** Name of the node. */
    readonly node: string;
    /** Which joining of an agent as this node it is of, from 1. */
    readonly incarnation: number;
    /** After how long without being fed it resets the machine, ms; absent: nobody counts on it any more. */
    readonly timeoutMs?: number;
    /** False: that there is one is known from now on; nobody counts on it before the next poll that says that it is armed. */
    readonly armed?: false;
    /** Number of the poll that said so; absent: the agent does not count its polls. */
    readonly seq?: number;
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

/** The trouble of a node whose clock differs from that of the database: said by the server, whatever the agent says. */
export const CLOCK_SKEW = 'clock-skew';

/** The trouble of a node on which something may run that the cluster knows nothing of: said by the server, whatever the agent says. */
export const UNKNOWN_RESOURCES = 'unknown-resources';

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
    /** Of a remote or guest node whose connection was not up: who plans is not told before it is, as the node would be fenced for what runs there. Absent: it was, or it is a cluster node. */
    readonly cutOff?: true;
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
