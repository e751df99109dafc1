import { beforeEach, describe, expect, it } from 'vitest';
import type { PortBench, PortsOfProcess } from './port-bench.js';

/** Which worker has a cluster. */
export function describeClaims(bench: PortBench): void {
  describe('claims', () => {
    let one: PortsOfProcess;
    let other: PortsOfProcess;
    let clusterId: string;
    beforeEach(() => {
      ({ one, other, clusterId } = bench.now());
    });

    it('are one holder’s until it lets go', async () => {
      expect(await one.claims.take(clusterId, 'a')).toBe(true);
      expect(await other.claims.take(clusterId, 'b')).toBe(false);
      await other.claims.release(clusterId, 'b');
      expect(await other.claims.look(clusterId)).toMatchObject({ holder: 'a' });
      await one.claims.release(clusterId, 'a');
      expect(await other.claims.look(clusterId)).toBeUndefined();
      expect(await other.claims.take(clusterId, 'b')).toBe(true);
    });

    it('are taken over exactly as they were seen, and then lost to their holder', async () => {
      await one.claims.take(clusterId, 'a');
      const seen = await other.claims.look(clusterId);
      expect(await one.claims.renew([{ clusterId, holder: 'a' }])).toEqual(['a']);
      expect(await other.claims.take(clusterId, 'b', seen)).toBe(false);
      expect(await other.claims.take(clusterId, 'b', await other.claims.look(clusterId))).toBe(true);
      expect(await one.claims.renew([{ clusterId, holder: 'a' }])).toEqual([]);
      await one.claims.release(clusterId, 'a');
      expect(await other.claims.look(clusterId)).toMatchObject({ holder: 'b' });
    });

    it('of many clusters, taken and let go of at once, are each its own', async () => {
      const clusters = Array.from({ length: 20 }, (_, index) => `${clusterId}-${String(index)}`);
      const [of = ''] = clusters;
      await other.claims.take(of, 'theirs');
      const taken = await Promise.all(clusters.map((id) => one.claims.take(id, `mine-${id}`)));
      expect(taken).toEqual(clusters.map((id) => id !== of));
      expect(await Promise.all(clusters.map((id) => other.claims.take(id, `again-${id}`)))).toEqual(clusters.map(() => false));
      const mine = clusters.map((id) => ({ clusterId: id, holder: `mine-${id}` }));
      const [renewed] = await Promise.all([
        one.claims.renew(mine.slice(10)),
        ...mine.slice(0, 10).map((claim) => one.claims.release(claim.clusterId, claim.holder)),
      ]);
      expect(renewed.toSorted()).toEqual(
        mine
          .slice(10)
          .map(({ holder }) => holder)
          .toSorted(),
      );
      expect(await other.claims.look(of)).toMatchObject({ holder: 'theirs', renewals: '0' });
      const seen = await Promise.all(clusters.slice(1).map((id) => other.claims.look(id)));
      expect(seen.map((claim) => claim?.renewals)).toEqual(clusters.slice(1).map((_, index) => (index < 9 ? undefined : '1')));
    });
  });
}
