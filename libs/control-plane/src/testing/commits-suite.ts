import { beforeEach, describe, expect, it } from 'vitest';
import { attribute, JOIN, META, type PortBench, type PortsOfProcess, type PortsUnderTest } from './port-bench.js';

/** Commands whose commit may be unknown, or is one of many at once. */
export function describeCommits(bench: PortBench): void {
  const { execute, version, commandsOf } = bench;
  let under: PortsUnderTest;
  let one: PortsOfProcess;
  let other: PortsOfProcess;
  let clusterId: string;
  beforeEach(() => {
    ({ under, one, other, clusterId } = bench.now());
  });

  describe('a command whose commit was not answered', () => {
    it.each(['unanswered', 'lost'] as const)('takes place once (%s)', async (fate) => {
      under.nextCommit(fate);
      expect(await execute(one, JOIN)).toMatchObject({ version: 2, events: [{ type: 'NodeJoined', data: { incarnation: 1 } }] });
      expect(await version()).toBe(2);
    });

    it.each(['unanswered', 'lost'] as const)('takes place once, its work on the tables included (%s)', async (fate) => {
      await execute(one, JOIN);
      const lease = { clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000, presence: { type: 'renews' } as const };
      await one.leases.restore(lease, 2);
      const [held] = await one.leases.ofCluster(clusterId);
      if (!held) throw new Error('no lease');
      under.nextCommit(fate);
      const lost = await commandsOf(one).execute(
        clusterId,
        { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: held.expiresAt },
        { ...META, guard: ({ leases }) => leases.endUnrenewed(held) },
      );
      expect(lost).toMatchObject({ ok: true, version: 3, events: [{ type: 'NodeLeaseLost' }] });
      expect(await other.leases.ofCluster(clusterId)).toEqual([]);
    });

    it('is answered as it was decided, though others went on meanwhile', async () => {
      await execute(one, JOIN);
      under.nextCommit('unanswered');
      const [joined] = await Promise.all([
        commandsOf(one).execute(clusterId, JOIN, META),
        ...Array.from({ length: 5 }, (_, index) => execute(other, attribute('1', `a${String(index)}`))),
      ]);
      expect(joined).toMatchObject({ ok: true, events: [{ type: 'NodeJoined', data: { incarnation: 2 } }] });
      expect((await one.log.load(clusterId)).nodes['n1']?.incarnation).toBe(2);
      expect(await version()).toBe(8);
    });
  });

  it('commands of several processes at once all take place, none twice', async () => {
    await execute(one, JOIN);
    await Promise.all(
      Array.from({ length: 24 }, (_, index) => execute(index % 2 === 0 ? one : other, attribute('x', `a${String(index)}`))),
    );
    expect(await version()).toBe(26);
  });
}
