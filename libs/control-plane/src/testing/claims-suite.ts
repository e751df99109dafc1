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
  });
}
