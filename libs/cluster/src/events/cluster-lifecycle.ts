import type { Forced } from './configuration.js';

export interface ClusterCreated {
  readonly type: 'ClusterCreated';
  readonly data: {
    /** The name that it was given. */
    readonly name: string;
    /** The CIB that it was made with, as XML; empty: none. */
    readonly cib: string;
    /** A person's. */
    readonly reason?: string;
    /** Absent when nothing had to be forced. */
    readonly forced?: Forced;
  };
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
    /** Its seal proved that a server had told it, or a server's process had read or stored it itself: it is no word of `by` alone. */
    readonly proven?: true;
  };
}
