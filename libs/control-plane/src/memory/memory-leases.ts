import type { TransactionTables } from '../ports/transaction-tables.js';
import type { ApiBeats, Heartbeats } from '../ports/heartbeats.js';
import type { LeaseReading, NewLease, NodeLease, NodeLeases, Presence, Renewed, RollCall } from '../ports/node-leases.js';
import type { MemoryDatabase } from './memory-database.js';

/** A row of the leases. */
export interface StoredLease extends Omit<NewLease, 'presence'> {
  readonly answered: string | undefined;
  readonly renewals: number;
  /** Epoch ms by the database's clock. */
  readonly renewedAt: number;
}

export class MemoryLeases implements NodeLeases {
  /** As they stood at the newest reading of each of those that read on: they show its number. */
  private readonly readings = new Map<string, ReadonlyMap<string, StoredLease>>();
  private read = 0;

  constructor(private readonly database: MemoryDatabase) {}

  renew(clusterId: string, node: string, incarnation: number, presence: Presence): Promise<Renewed | undefined> {
    return this.database.exclusively(() => {
      const lease = this.leases.get(keyOf(clusterId, node));
      if (lease?.incarnation !== incarnation) return undefined;
      const answered = presence.type === 'unproven' ? (lease.answered ?? '') : shownBy(presence);
      this.leases.set(keyOf(clusterId, node), { ...lease, answered, renewals: lease.renewals + 1, renewedAt: this.database.timeOfDay() });
      return { leaseMs: lease.leaseMs, rollCall: this.newest.id };
    });
  }

  restore(lease: NewLease, version: number): Promise<boolean> {
    return this.database.exclusively(async () => {
      if (this.database.eventsOf(lease.clusterId).length !== version) return false;
      await memoryLeasesIn(this.leases, () => this.database.timeOfDay()).grant(lease);
      return true;
    });
  }

  end(clusterId: string, node: string, incarnation: number): Promise<void> {
    return this.database.exclusively(() => memoryLeasesIn(this.leases, () => this.database.timeOfDay()).end(clusterId, node, incarnation));
  }

  all(): Promise<readonly NodeLease[]> {
    return Promise.resolve([...this.leases.values()].map(shown));
  }

  since(mark: string | undefined): Promise<LeaseReading> {
    const before = mark === undefined ? undefined : this.readings.get(mark);
    if (mark !== undefined) this.readings.delete(mark);
    const now = new Map(this.leases);
    const next = String(++this.read);
    this.readings.set(next, now);
    const written = [...now].filter(([key, lease]) => before?.get(key) !== lease).map(([, lease]) => shown(lease));
    return Promise.resolve({
      leases: written,
      isComplete: before === undefined,
      count: now.size,
      source: 'memory',
      rollCall: this.newest,
      mark: next,
    });
  }

  ofCluster(clusterId: string): Promise<readonly NodeLease[]> {
    const leases = [...this.leases.values()].filter((lease) => lease.clusterId === clusterId);
    return Promise.resolve(leases.sort((a, b) => (a.node < b.node ? -1 : 1)).map(shown));
  }

  rollCall(): Promise<RollCall> {
    return Promise.resolve(this.newest);
  }

  callRoll(): Promise<RollCall> {
    return this.database.exclusively(() => {
      const rollCall = { id: this.database.newRollCallId(), number: this.newest.number + 1 };
      this.database.tables.rollCalls.set('newest', rollCall);
      return rollCall;
    });
  }

  private get newest(): RollCall {
    return this.database.tables.rollCalls.get('newest') ?? { id: 'roll-call-0', number: 0 };
  }

  private get leases(): Map<string, StoredLease> {
    return this.database.tables.leases;
  }
}

/** The rows as a transaction changes them. */
export function memoryLeasesIn(leases: Map<string, StoredLease>, timeOfDay: () => number): TransactionTables['leases'] {
  return {
    grant: ({ presence, ...lease }) => {
      const answered = presence.type === 'unproven' ? '' : shownBy(presence);
      const key = keyOf(lease.clusterId, lease.node);
      const known = leases.get(key);
      if (known === undefined || known.incarnation <= lease.incarnation) {
        leases.set(key, { ...lease, answered, renewals: known === undefined ? 0 : known.renewals + 1, renewedAt: timeOfDay() });
      }
      return Promise.resolve();
    },
    end: (clusterId, node, incarnation) => {
      const known = leases.get(keyOf(clusterId, node));
      if (known !== undefined && known.incarnation <= incarnation) leases.delete(keyOf(clusterId, node));
      return Promise.resolve();
    },
    endAll: (clusterId) => {
      for (const [key, lease] of leases) if (lease.clusterId === clusterId) leases.delete(key);
      return Promise.resolve();
    },
    endUnrenewed: ({ clusterId, node, incarnation, renewal }) => {
      const key = keyOf(clusterId, node);
      const known = leases.get(key);
      const same = known?.incarnation === incarnation && String(known.renewals) === renewal;
      if (same) leases.delete(key);
      return Promise.resolve(same);
    },
  };
}

export class MemoryHeartbeats implements Heartbeats {
  constructor(private readonly database: MemoryDatabase) {}

  beat(apiId: string, unbroken: boolean, trouble?: string): Promise<void> {
    const { beats } = this.database.tables;
    const count = unbroken ? (beats.get(apiId)?.beats ?? 0) + 1 : 1;
    beats.set(apiId, { apiId, beats: count, ...(trouble === undefined ? {} : { trouble }) });
    return Promise.resolve();
  }

  forgetOld(): Promise<void> {
    return Promise.resolve();
  }

  all(): Promise<readonly ApiBeats[]> {
    return Promise.resolve([...this.database.tables.beats.values()]);
  }
}

function shown({ clusterId, node, incarnation, leaseMs, renewals, renewedAt, answered }: StoredLease): NodeLease {
  return {
    clusterId,
    node,
    incarnation,
    leaseMs,
    expiresAt: new Date(renewedAt + leaseMs).toISOString(),
    renewedAt: new Date(renewedAt).toISOString(),
    renewal: String(renewals),
    answered,
  };
}

function shownBy(presence: Presence): string | undefined {
  return presence.type === 'answers' ? presence.rollCall : undefined;
}

/** Cluster ids and node names hold no blanks. */
function keyOf(clusterId: string, node: string): string {
  return `${clusterId} ${node}`;
}
