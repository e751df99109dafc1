/** A lease that is granted at the moment. Times are the database's clock, ISO 8601: for people, for that clock may step. */
export interface NodeLease {
  readonly clusterId: string;
  readonly node: string;
  readonly incarnation: number;
  readonly leaseMs: number;
  readonly expiresAt: string;
  readonly renewedAt: string;
  /** Names the newest renewal: another one after each. A lease is over when this has stood still for its length, by the clock of whoever looks. */
  readonly renewal: string;
  /** Id of the roll call that its agent has answered with the newest renewal; empty: none. Undefined: the agent is of a version that answers none, and each renewal is all there is of it. */
  readonly answered: string | undefined;
}

/**
 * A worker that begins to watch the leases calls the roll: agents are told its id, and show it with their next poll. What shows it was sent after the call, whatever was late, or came from a copy of the database
 * (docs/decisions/0041-a-roll-call.md).
 */
export interface RollCall {
  readonly id: string;
  /** Counts up with each call: a lower one, or the same with another id, is of a database that went back. */
  readonly number: number;
}

/**
 * What a renewal says of its node, besides that somebody holds the lease.
 * - `answers`: its agent shows this roll call, and what it is at was held against the database;
 * - `renews`: the agent is of a version that answers no roll call: each renewal counts as if it did;
 * - `unproven`: nothing: what it is at could not be looked up, or it is not the agent that asks.
 */
export type Presence =
  { readonly type: 'answers'; readonly rollCall: string } | { readonly type: 'renews' } | { readonly type: 'unproven' };

export interface Renewed {
  /** Length of the lease, ms. */
  readonly leaseMs: number;
  /** Id of the newest roll call. */
  readonly rollCall: string;
}

/** What a reader of all leases finds. */
export interface LeaseReading {
  /** All that there are; or, where `isComplete` is false, at least those that were written since the reading of which the mark was shown. */
  readonly leases: readonly NodeLease[];
  readonly isComplete: boolean;
  /** How many there are in all: where it is not as the reader would have it, some are gone. */
  readonly count: number;
  /** Names the database that was read: another one where another database has taken its place, its server was started anew, or its tables were made anew. */
  readonly source: string;
  /** The newest. */
  readonly rollCall: RollCall;
  /** To be shown to the next reading: what was written up to here. */
  readonly mark: string;
}

/** A lease to be granted. */
export interface NewLease {
  readonly clusterId: string;
  readonly node: string;
  readonly incarnation: number;
  readonly tokenId: string;
  readonly leaseMs: number;
  readonly presence: Presence;
}

/**
 * The leases of agents. A row is a live lease: whoever finds one may renew it, even when its time is over, until it is ended; ending it and
 * appending NodeLeaseLost are one transaction, so that a node is never lost and renewed at once.
 */
export interface NodeLeases {
  /** @returns undefined when this incarnation holds none */
  renew(clusterId: string, node: string, incarnation: number, presence: Presence): Promise<Renewed | undefined>;
  /**
   * Writes the row of a lease again that was lost without NodeLeaseLost (the table was emptied).
   *
   * @param version of the state that says that the incarnation is joined
   * @returns false when the stream has moved on: fold again
   */
  restore(lease: NewLease, version: number): Promise<boolean>;
  /** Ends a leftover: this incarnation's, and whatever older one there is. */
  end(clusterId: string, node: string, incarnation: number): Promise<void>;
  /** The leases of all clusters. */
  all(): Promise<readonly NodeLease[]>;
  /** The leases of all clusters, or those that were written since an earlier reading. @param mark of that; undefined: all. One that can't be made use of counts as none. */
  since(mark: string | undefined): Promise<LeaseReading>;
  ofCluster(clusterId: string): Promise<readonly NodeLease[]>;
  /** The newest roll call; there is one from the beginning. */
  rollCall(): Promise<RollCall>;
  /** Calls the roll: each agent is asked to show that it is there now. */
  callRoll(): Promise<RollCall>;
}
