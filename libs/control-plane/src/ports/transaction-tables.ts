import type { EndedContainers } from '@systole/cluster';
import type { AgentWrites } from './agent-writes.js';
import type { DatabaseClock } from './clock.js';
import type { NewLease, NodeLease } from './node-leases.js';
import type { SecretTables } from './secrets.js';

/** The tables as a transaction sees and changes them: together with its events, or not at all. */
export interface TransactionTables {
  readonly leases: {
    /** Grants a lease for a new incarnation; an older one never takes the lease back. */
    grant(lease: NewLease): Promise<void>;
    /** Ends a lease that was given back, and whatever older one there is. */
    end(clusterId: string, node: string, incarnation: number): Promise<void>;
    endAll(clusterId: string): Promise<void>;
    /** Ends a lease that is still at this renewal. @returns false when it was renewed meanwhile */
    endUnrenewed(lease: Pick<NodeLease, 'clusterId' | 'node' | 'incarnation' | 'renewal'>): Promise<boolean>;
  };
  readonly secrets: SecretTables;
  readonly writes: AgentWrites;
  /** The clock itself: dates of events never go back. */
  readonly clock: DatabaseClock;
  readonly containerTokens: {
    /** Withdraws the tokens that were made for the agents in containers that have ended. */
    withdraw(clusterId: string, ended: EndedContainers, by: WithdrawnBy): Promise<void>;
  };
}

/** By whose doing, and in which request; for the audit. */
export interface WithdrawnBy {
  readonly actor: string;
  readonly correlationId: string;
}
