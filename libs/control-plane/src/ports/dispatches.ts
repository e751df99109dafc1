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

/** Of which transition something is delivered, and how the stream stood when that was decided. */
export interface DeliveryMoment {
  readonly transition: number;
  readonly version: number;
  readonly aborting?: boolean;
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
   * ({@link deliver}, aborting). Only a poll that shows the version can do so: it was sent after all that was delivered while the transition ran.
   *
   * @param version as in {@link handOut}; by then the transition was being aborted
   */
  restore(clusterId: string, transition: number, version: number, lost: readonly LostDispatch[]): Promise<void>;
  /** Takes back what no agent has seen yet, but for notifications, which change nothing. @returns what was taken back */
  withdrawUndelivered(clusterId: string, transition: number): Promise<readonly DispatchRow[]>;
  /** Forgets what belongs to ended transitions: all up to and including `transition`. */
  forget(clusterId: string, transition: number): Promise<void>;
  /** Those of the action ids that were handed out to the node, as far as their transition has not ended. */
  handedOut(clusterId: string, node: string, actionIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether rows wait for the node that its agent does not know; says nothing about whether they may be delivered. */
  anyOpen(clusterId: string, node: string, known: readonly string[]): Promise<boolean>;
  /**
   * Stamps and gives what the node has to do for a transition, as long as the stream is still at the version that was folded: nothing that made
   * the transition obsolete can have been recorded before the stamps are (S3). Of an aborting one only notifications are given: they change
   * nothing; what else was in an answer that got lost counts as undelivered again. A poll that is still held open while a later one was answered
   * leaves the later one's stamp: its own answer goes nowhere.
   *
   * @returns undefined when the stream has moved on: fold again
   */
  deliver(clusterId: string, to: Recipient, known: readonly string[], moment: DeliveryMoment): Promise<Delivery | undefined>;
}

/** Wakes who waits for something to be handed out. A signal may get lost: look now and then without one. */
export interface DispatchSignals {
  /** Calls `wake` at every signal for the node. @returns what ends it */
  listen(clusterId: string, node: string, wake: () => void): () => void;
}
