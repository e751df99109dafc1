import type { ClusterState, MeasuredLosses } from '@systole/cluster';

interface Seen {
  /** Stream version of the loss. */
  readonly version: number;
  /** It was lost no earlier than this, monotonic ms; minus infinity where it was there already when this worker first looked. */
  readonly from: number;
  /** It was lost by then, monotonic ms. */
  readonly until: number;
}

interface OfCluster {
  /** When its state was looked at last, monotonic ms. */
  lookedAt: number;
  readonly byNode: Map<string, Seen>;
}

/**
 * When nodes were lost, by this worker's monotonic clock: it declared their losses, or saw them in the log as they came. So how far apart two losses are does not rest on their dates, which tell nothing
 * after the clock that made them stepped.
 */
export class SeenLosses {
  private readonly clusters = new Map<string, OfCluster>();

  constructor(private readonly monotonic: () => number) {}

  /** Takes note of what was lost as of this state. */
  see(clusterId: string, { nodes }: Pick<ClusterState, 'nodes'>): void {
    const cluster = this.begin(clusterId);
    const { byNode, lookedAt } = cluster;
    const now = this.monotonic();
    for (const { name, lastLoss } of Object.values(nodes)) {
      if (lastLoss === undefined) byNode.delete(name);
      else if (byNode.get(name)?.version !== lastLoss.version) byNode.set(name, { version: lastLoss.version, from: lookedAt, until: now });
    }
    for (const name of byNode.keys()) if (!Object.hasOwn(nodes, name)) byNode.delete(name);
    cluster.lookedAt = now;
  }

  /** This worker has just appended it. */
  declared(clusterId: string, node: string, version: number): void {
    const now = this.monotonic();
    this.begin(clusterId).byNode.set(node, { version, from: now, until: now });
  }

  /**
   * What is known of other losses while one is declared.
   *
   * @param state that it rests on
   * @returns undefined: no other node was ever lost
   */
  beside(clusterId: string, state: Pick<ClusterState, 'nodes' | 'version'>, node: string): MeasuredLosses | undefined {
    const now = this.monotonic();
    const byNode = this.clusters.get(clusterId)?.byNode;
    const ownLeaseMs = (Object.hasOwn(state.nodes, node) ? state.nodes[node]?.leaseMs : undefined) ?? 0;
    const near: string[] = [];
    const unseen: string[] = [];
    let lost = 0;
    for (const { name, lastLoss, leaseMs } of Object.values(state.nodes)) {
      if (name === node || lastLoss === undefined) continue;
      lost += 1;
      const seen = byNode?.get(name);
      const nearMs = Math.max(ownLeaseMs, leaseMs);
      if (seen?.version !== lastLoss.version) unseen.push(name);
      else if (now - seen.from <= nearMs) near.push(name);
      else if (now - seen.until <= nearMs) unseen.push(name);
    }
    if (lost === 0) return undefined;
    return { version: state.version, near: near.toSorted(), ...(unseen.length === 0 ? {} : { unseen: unseen.toSorted() }) };
  }

  /** Of a cluster that is gone. */
  forget(clusterId: string): void {
    this.clusters.delete(clusterId);
  }

  private begin(clusterId: string): OfCluster {
    const known = this.clusters.get(clusterId) ?? { lookedAt: Number.NEGATIVE_INFINITY, byNode: new Map<string, Seen>() };
    this.clusters.set(clusterId, known);
    return known;
  }
}
