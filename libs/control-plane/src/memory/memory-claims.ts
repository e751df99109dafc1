import type { ClusterClaim, ClusterClaims } from '../ports/cluster-claims.js';
import type { MemoryDatabase } from './memory-database.js';

export class MemoryClaims implements ClusterClaims {
  constructor(private readonly database: MemoryDatabase) {}

  take(clusterId: string, holder: string, stale?: ClusterClaim): Promise<boolean> {
    const { claims } = this.database.tables;
    const known = claims.get(clusterId);
    const free = known === undefined || (known.holder === stale?.holder && known.renewals === stale.renewals);
    if (free) claims.set(clusterId, { holder, renewals: '0' });
    return Promise.resolve(free);
  }

  look(clusterId: string): Promise<ClusterClaim | undefined> {
    return Promise.resolve(this.database.tables.claims.get(clusterId));
  }

  renew(mine: readonly { readonly clusterId: string; readonly holder: string }[]): Promise<readonly string[]> {
    const { claims } = this.database.tables;
    const renewed = mine.flatMap(({ clusterId, holder }) => {
      const known = claims.get(clusterId);
      if (known?.holder !== holder) return [];
      claims.set(clusterId, { holder, renewals: String(Number(known.renewals) + 1) });
      return [holder];
    });
    return Promise.resolve(renewed);
  }

  release(clusterId: string, holder: string): Promise<void> {
    const { claims } = this.database.tables;
    if (claims.get(clusterId)?.holder === holder) claims.delete(clusterId);
    return Promise.resolve();
  }
}
