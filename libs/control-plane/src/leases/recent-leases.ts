import type { NodeMember } from '@systole/cluster';
import type { Clock, DatabaseClock } from '../ports/clock.js';
import type { NodeLease, NodeLeases } from '../ports/node-leases.js';

/** So long a look at the leases is good, ms: less than what lies between two looks of the watch over them. */
const GOOD_FOR_MS = 200;

/** The leases of a cluster, and the time, both by the database. */
export interface LeasesNow {
  readonly leases: readonly NodeLease[];
  /** Epoch ms. */
  readonly now: number;
}

/** What the turns of a cluster that follow one another quickly know of its leases: they are read again when a node has joined, and every now and then. */
export class RecentLeases {
  private readonly read = new Map<string, LeasesNow & { readonly at: number }>();
  /** What is being read for each cluster: when that is forgotten, the answer is not kept. */
  private readonly reading = new Map<string, symbol>();

  constructor(
    private readonly leases: Pick<NodeLeases, 'ofCluster'>,
    private readonly databaseClock: DatabaseClock,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** @param joined the members that should have one */
  async of(clusterId: string, joined: readonly NodeMember[]): Promise<LeasesNow> {
    const known = this.read.get(clusterId);
    const age = known === undefined ? Number.POSITIVE_INFINITY : this.clock.monotonic() - known.at;
    if (known !== undefined && age < GOOD_FOR_MS && hasAll(known.leases, joined))
      return { leases: known.leases, now: known.now + Math.floor(age) };
    const at = this.clock.monotonic();
    const reading = Symbol(clusterId);
    this.reading.set(clusterId, reading);
    const [leases, now] = await Promise.all([this.leases.ofCluster(clusterId), this.databaseClock.now()]);
    if (this.reading.get(clusterId) === reading) {
      this.reading.delete(clusterId);
      this.read.set(clusterId, { leases, now, at });
    }
    return { leases, now };
  }

  forget(clusterId: string): void {
    this.read.delete(clusterId);
    this.reading.delete(clusterId);
  }
}

function hasAll(leases: readonly NodeLease[], joined: readonly NodeMember[]): boolean {
  const incarnations = new Map(leases.map(({ node, incarnation }) => [node, incarnation]));
  return joined.every(({ name, incarnation }) => incarnations.get(name) === incarnation);
}
