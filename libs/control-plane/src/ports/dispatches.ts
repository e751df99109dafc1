import type { AgentAction } from '@systole/cluster';

/** Tells the agent that the shutdown it asked for is complete (`shutdown: true` in the answer to its poll): nothing to execute, nothing to report. */
export interface ShutdownGrant {
  readonly actionId: string;
  readonly kind: 'shutdown';
}

/** Something to hand out. */
export interface NewDispatch {
  readonly graphActionId: number;
  readonly node: string;
  readonly action: AgentAction | ShutdownGrant;
}

/** Something whose row was lost, though it was, or may have been, delivered. */
export interface LostDispatch extends NewDispatch {
  /** Of the node, to which it may have been delivered. */
  readonly incarnation: number;
  /** Its result is known. */
  readonly completed: boolean;
}

/** An action handed out for a node, until its transition has ended. */
export interface DispatchRow {
  readonly actionId: string;
  readonly graphActionId: number;
  readonly node: string;
  readonly kind: NewDispatch['action']['kind'];
  /** Present on fence actions. */
  readonly fencingId?: string;
  /** Whether some agent may have seen it. */
  readonly delivered: boolean;
  /** The incarnation of the node that it was delivered to. */
  readonly incarnation?: number;
}

/** Who polls. */
export interface Recipient {
  readonly node: string;
  readonly incarnation: number;
  /**
   * Number of the poll within the incarnation. An agent has one poll at a time, and drops the answers of those that it gave up: what an earlier
   * one was answered with and this one does not name as known was never begun. Agents that do not count leave it out: then nothing is concluded.
   */
  readonly seq?: number;
  /** Newest version of the stream, of its current epoch, that the agent had been told when it sent the poll. */
  readonly shown?: number;
}

/** Who polls, and the actions that its agent has taken, or is not told yet. */
export interface Waiting {
  readonly to: Recipient;
  readonly known: readonly string[];
}

/** What is due at a head. */
export interface DueDeliveries {
  readonly transition: number;
  /** Then only notifications are given … */
  readonly aborting: boolean;
  /** … and probes, where the transition goes on with them (`TransitionState.probingSince`). Absent: not. */
  readonly probing?: boolean;
  /** Each node once. */
  readonly waiting: readonly Waiting[];
}

/** What is delivered to a node. */
export interface Delivery {
  readonly actions: readonly AgentAction[];
  /** Its agent may leave. */
  readonly shutdown: boolean;
  /** The transition is aborting and there are actions of this node that no agent has begun: the worker can take them back. */
  readonly withdrawable: boolean;
}

/**
 * What agents are to do now. The worker hands out and takes back; an agent's poll is delivered what was handed out until its result has arrived. Derived from
 * the stream and the graph, apart from what was delivered when.
 */
export interface Dispatches {
  /** Those of one transition. */
  ofTransition(clusterId: string, transition: number): Promise<readonly DispatchRow[]>;
  /**
   * Hands actions out; those that are handed out already stay as they are. Wakes the polls of their nodes.
   *
   * @param version the decision was made on it: when the stream has moved on since, nothing is handed out (S3). An event that is appended right
   * after is met by the delivery, which folds to the head before it answers a poll.
   * @returns false when the stream is not at `version` any more
   */
  handOut(clusterId: string, transition: number, version: number, dispatches: readonly NewDispatch[]): Promise<boolean>;
  /**
   * Writes rows again that were lost, as delivered by nobody knows which poll: the next poll of each agent shows what of it was begun, and takes back the rest
   * ({@link ClusterLog.deliver}, aborting). Only a poll that shows the version can do so: it was sent after all that was delivered while the transition ran.
   *
   * @param version as in {@link handOut}; by then the transition was being aborted
   */
  restore(clusterId: string, transition: number, version: number, lost: readonly LostDispatch[]): Promise<void>;
  /**
   * Takes back what no agent has seen yet, but for notifications, which change nothing, and for probes if the transition goes on with them (`probing`).
   * @returns what was taken back
   */
  withdrawUndelivered(clusterId: string, transition: number, of?: { readonly probing: boolean }): Promise<readonly DispatchRow[]>;
  /** Forgets what belongs to ended transitions: all up to and including `transition`. */
  forget(clusterId: string, transition: number): Promise<void>;
  /** Those of the action ids that were handed out to the node, as far as their transition has not ended. */
  handedOut(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** When those of the action ids were handed out to the node, epoch ms by the database's clock, as far as their transition has not ended; not of rows that were written again ({@link restore}). */
  handedOutAt(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Those of the action ids that a poll of the node was answered with, or that it has answered, as far as their transition has not ended. */
  delivered(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of these actions, each once. */
  ofActions(clusterId: string, actionIds: readonly string[]): Promise<readonly DispatchRow[]>;
  /** What was handed out for a transition and not answered yet, by graph action id, fencing included; leave to go is none. */
  unanswered(clusterId: string, transition: number): Promise<readonly UnansweredDispatch[]>;
  /** The operations that were handed out for a transition and not answered yet, as they were handed out: neither fencing nor leave to go. */
  openOperations(clusterId: string, transition: number): Promise<readonly OpenOperation[]>;
  /** Whether rows wait for the node that its agent does not know; says nothing about whether they may be delivered. */
  anyOpen(clusterId: string, node: string, known: readonly string[]): Promise<boolean>;
  /** Wakes the polls of a node, as {@link Dispatches.handOut} does: there is something for it that stands in no row. May get lost. */
  wake(clusterId: string, node: string): Promise<void>;
  /** The nodes of all clusters for which rows wait that no poll was answered with yet. */
  undelivered(): Promise<readonly NodeOfCluster[]>;
}

export interface UnansweredDispatch {
  readonly graphActionId: number;
  /** Whose agent it is for. */
  readonly node: string;
  /** As people know it: `db_start_0`, `reboot n2`. */
  readonly what: string;
  /** Which operation of which resource (an instance's name, where it has one); absent for fencing, and for what a person tries. */
  readonly operation?: { readonly resource: string; readonly operation: string; readonly intervalMs: number };
  /** Whether a poll was answered with it. */
  readonly delivered: boolean;
  /** The incarnation of the node that it was delivered to, where that is known. */
  readonly incarnation?: number;
  /** Since it was handed out, by the database's clock, ms. */
  readonly forMs: number;
}

/** An operation, or the end of a recurring one, as it was handed out. */
export interface OpenOperation extends Pick<UnansweredDispatch, 'graphActionId' | 'node' | 'incarnation'> {
  readonly action: AgentAction;
}

/** Which operation of a resource an action of a plan is; nothing for others. */
export function operationIn({
  kind,
  operation,
  intervalMs,
  resource,
}: Pick<AgentAction, 'kind' | 'operation' | 'intervalMs'> & {
  readonly resource: Pick<AgentAction['resource'], 'id'>;
}): Pick<UnansweredDispatch, 'operation'> {
  return kind === 'operation' ? { operation: { resource: resource.id, operation, intervalMs } } : {};
}

/** What an action is called in a list: an operation as in histories, fencing by its target. */
export function actionText(action: {
  readonly kind: AgentAction['kind'];
  readonly operation: string;
  readonly intervalMs: number;
  readonly resource: Pick<AgentAction['resource'], 'id'>;
  readonly fence?: Pick<NonNullable<AgentAction['fence']>, 'target'>;
}): string {
  const { kind, operation, intervalMs, resource, fence } = action;
  return kind === 'fence' ? `${operation} ${fence?.target ?? ''}`.trimEnd() : `${resource.id}_${operation}_${String(intervalMs)}`;
}

export interface NodeOfCluster {
  readonly clusterId: string;
  readonly node: string;
}

/** `handed-out`: there is something for the node. `missed`: signals may have been lost, and it is to be looked whether there is. */
export type DispatchSignal = 'handed-out' | 'missed';

/** Wakes who waits for something to be handed out. A signal may get lost: look now and then without one. */
export interface DispatchSignals {
  /** Calls `wake` at every signal for the node. @returns what ends it */
  listen(clusterId: string, node: string, wake: (signal: DispatchSignal) => void): () => void;
}
