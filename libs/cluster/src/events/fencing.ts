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

/** A person has seen how nodes were fenced until here: lists and the status show what comes after it. */
export interface FencingHistoryCleared {
  readonly type: 'FencingHistoryCleared';
  readonly data: {
    /** Of the fencing of this node only; absent: of all. */
    readonly node?: string;
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
    /** Name of the node whose agent is to run it; of a watchdog: the target. */
    readonly executor: string;
    /** Which try to fence the target it is, from 1. */
    readonly attempt: number;
    /** Number of the transition that wants it. */
    readonly transition: number;
    /** Id of the action in its graph. */
    readonly graphActionId: number;
    /** Before it begins: the share of `priority-fencing-delay`; first attempts only. */
    readonly delayMs?: number;
    /** Before it begins, besides: what was drawn at random (`pcmk_delay_max`). */
    readonly randomDelayMs?: number;
    /**
     * No device is told anything: the target resets itself by its watchdog, and the server counts so many ms from the loss of its lease on, by a clock that does not step. The executor is the target.
     */
    readonly watchdogMs?: number;
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
    /** The device can't fence the target, so that it was not told to: it is not tried again, another one is. */
    readonly unable?: true;
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
