import type { GraphAction } from '@systole/scheduler';
import type { OperationStatus, UnfencingDigests } from '../events/cluster-event.js';

/**
 * Where one action of the graph stands.
 * - `waiting`: its inputs are not all confirmed, or a limit holds it back;
 * - `in-flight`: handed out; an answer is awaited;
 * - `done`: as expected; `failed`: not as expected, or time ran out; `unanswered`: its node was lost.
 */
export type ActionProgress = 'waiting' | 'in-flight' | 'done' | 'failed' | 'unanswered';

export interface EngineLimits {
  /** Most actions in flight at once in the cluster; at least 1. */
  readonly batch: number;
  /** Most migrations (migrate_to and migrate_from) in flight at once on one node; absent: no limit. */
  readonly migrationsPerNode?: number;
  /** Most actions in flight at once on a node that `actionsOnNode` does not name; at least 1. */
  readonly actionsPerNode: number;
  /** Most actions in flight at once on each of these nodes; at least 1. Absent: none has a limit of its own. */
  readonly actionsOnNode?: ReadonlyMap<string, number>;
  /** Large actions are handed out as long as those in flight carry less than this together, beyond what is free to each (`bulkOf`), characters; at least 1. Absent: no limit. */
  readonly bulk?: number;
  /** Added to each action's own timeout: `cluster-delay`, ms. */
  readonly networkAllowanceMs: number;
  /** Nothing may be started, promoted or migrated at present (`activationHold`): that waits, everything else goes on. */
  readonly activationHeld: boolean;
  /** Nothing may be promoted at present (`promotionHold`): that waits, everything else goes on. Absent: it may. */
  readonly promotionsHeld?: true;
  /** History ids of what may run on nodes that left (`leftRunning`), or that are cut off (`strandedResources`): that is not made active elsewhere. Absent: of nothing. */
  readonly heldResources?: ReadonlySet<string>;
  /** Names of nodes that shut down: they are emptied, whatever is held. */
  readonly leaving?: ReadonlySet<string>;
}

/** What is in flight. */
export interface Flight {
  /** Whose agent carries it out; absent for what the server does itself. */
  readonly node?: string;
  readonly migration: boolean;
  /** Epoch ms at which the server gives up on it; absent for fencing, shutdown and connections, which have their own clocks. */
  readonly expiresAt?: number;
}

/** Where everything in an engine stands. */
export interface EngineStanding {
  readonly status: 'ready' | 'running' | 'aborting' | 'finished';
  readonly abortReason?: string;
  /** It is aborting for nothing but what its probes discovered: they go on (`TransitionState.probingSince`). */
  readonly probing: boolean;
  /** By position in `graph.synapses`. */
  readonly progress: readonly ActionProgress[];
  /** How many inputs of each synapse are not confirmed yet. */
  readonly missingInputs: Int32Array;
  /** Positions of synapses that have all their inputs and wait for room, ascending. */
  readonly held: readonly number[];
  /** By graph action id. */
  readonly inFlight: Readonly<Record<string, Flight>>;
}

/** All times are epoch ms. */
export type EngineInput =
  /** Begin (only in status `ready`). */
  | { readonly type: 'start'; readonly now: number }
  /** The answer to a dispatched action. */
  | { readonly type: 'result'; readonly graphActionId: number; readonly status: OperationStatus; readonly rc: number; readonly now: number }
  /** A `perform` effect was carried out (`ok`), or failed for good. */
  | { readonly type: 'performed'; readonly graphActionId: number; readonly ok: boolean; readonly detail?: string; readonly now: number }
  /**
   * Look again: expires what is overdue, hands out what has room. Send it in each turn, when the engine's `nextExpiry` has come, and after `resumeEngine`; early or repeated ones do no harm.
   */
  | { readonly type: 'tick'; readonly now: number }
  /** The node's lease ran out, or it left, or it was fenced: nothing in flight on it will be answered. */
  | { readonly type: 'node-lost'; readonly node: string; readonly now: number }
  /** A change made the plan obsolete. */
  | { readonly type: 'abort'; readonly reason: string; readonly now: number };

export type EngineEffect =
  /** Insert a dispatch row for this action; payload by `toAgentAction`. `node` is the one whose agent executes it. */
  | { readonly type: 'dispatch'; readonly action: GraphAction; readonly node: string; readonly expiresAt: number }
  /** Do what the `crm_event` says, then answer with `performed`; an operation of a connection is answered by its result. */
  | { readonly type: 'perform'; readonly action: GraphAction; readonly event: CrmEvent }
  /** No agent answered in time: execute `record-unanswered` for it, so that the history says so. */
  | { readonly type: 'record-timeout'; readonly action: GraphAction; readonly node: string; readonly at: number }
  /** The engine itself found a reason to abort; append TransitionAborted unless the state already says `aborting`. */
  | { readonly type: 'aborted'; readonly reason: string }
  /** Nothing more will happen: execute `complete-transition`. */
  | {
      readonly type: 'finished';
      readonly outcome: 'complete' | 'aborted';
      readonly completed: number;
      readonly skipped: number;
      readonly failed: number;
    };

/** What the worker does itself: a `crm_event` of the graph, or an operation of a connection. */
export type CrmEvent =
  | {
      readonly type: 'clear-failcount';
      readonly resource: string;
      readonly node: string;
      readonly operation?: string;
      readonly intervalMs?: number;
    }
  | { readonly type: 'lrm-delete'; readonly resource: string; readonly node: string }
  | {
      readonly type: 'fence';
      readonly target: string;
      readonly targetId: string;
      readonly action: 'off' | 'reboot' | 'on';
      readonly delayMs?: number;
      readonly digests?: UnfencingDigests;
    }
  /** An operation of a connection to a remote or guest node (`connectionAnswer`); done when its result is recorded. */
  | { readonly type: 'connection' }
  /** The node's agent is told to leave (`shutdown: true` in its poll); done when NodeLeft is recorded. */
  | { readonly type: 'shutdown'; readonly node: string };
