import type { OperationStatus } from './operations.js';

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
