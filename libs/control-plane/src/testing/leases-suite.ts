import { beforeEach, describe, expect, it } from 'vitest';
import type { NodeLease, Presence } from '../ports/node-leases.js';
import { JOIN, type PortBench, type PortsOfProcess } from './port-bench.js';

const RENEWS: Presence = { type: 'renews' };

/** The leases of agents. */
export function describeLeases(bench: PortBench): void {
  describe('leases', () => {
    const { execute, version, appendOf } = bench;
    let one: PortsOfProcess;
    let other: PortsOfProcess;
    let clusterId: string;
    beforeEach(() => {
      ({ one, other, clusterId } = bench.now());
    });

    const leaseOf = (incarnation: number, leaseMs = 1_000, presence: Presence = RENEWS) => ({
      clusterId,
      node: 'n1',
      incarnation,
      tokenId: 't',
      leaseMs,
      presence,
    });
    const held = async (): Promise<NodeLease> => {
      const [lease] = await other.leases.ofCluster(clusterId);
      if (!lease) throw new Error('no lease');
      return lease;
    };
    const endUnrenewed = async (lease: NodeLease): Promise<boolean> => {
      const outcome = await other.log.append(appendOf(await version(), { guard: ({ leases }) => leases.endUnrenewed(lease) }));
      return outcome.type === 'appended';
    };

    it('are renewed by their incarnation only, and never taken back by an older one', async () => {
      await one.leases.restore(leaseOf(2), 1);
      await one.leases.restore(leaseOf(1, 5_000), 1);
      expect(await other.leases.renew(clusterId, 'n1', 1, RENEWS)).toBeUndefined();
      expect(await other.leases.renew(clusterId, 'n1', 2, RENEWS)).toMatchObject({ leaseMs: 1_000 });
      expect(await held()).toMatchObject({ node: 'n1', incarnation: 2, leaseMs: 1_000 });
    });

    it('are restored only at the version that says that the node is joined', async () => {
      expect(await one.leases.restore(leaseOf(1), 2)).toBe(false);
      expect(await one.leases.restore(leaseOf(1), 0)).toBe(false);
      expect(await other.leases.ofCluster(clusterId)).toEqual([]);
    });

    it('end only at the renewal that was judged, and with the event that says so', async () => {
      await one.leases.restore(leaseOf(1), 1);
      const granted = await held();
      await one.leases.renew(clusterId, 'n1', 1, RENEWS);
      expect((await held()).renewal).not.toBe(granted.renewal);
      expect(await endUnrenewed(granted)).toBe(false);
      expect(await version()).toBe(1);
      expect(await endUnrenewed(await held())).toBe(true);
      expect(await one.leases.renew(clusterId, 'n1', 1, RENEWS)).toBeUndefined();
      expect(await version()).toBe(2);
    });

    it('are read all at once, or those that were written since', async () => {
      const readSince = async (mark: string | undefined) => {
        const reading = await other.leases.since(mark);
        return { ...reading, leases: reading.leases.filter((lease) => lease.clusterId === clusterId) };
      };
      const first = await readSince(undefined);
      expect(first).toMatchObject({ isComplete: true, leases: [] });
      await one.leases.restore(leaseOf(1), 1);
      const granted = await readSince(first.mark);
      expect(granted).toMatchObject({ isComplete: false, leases: [{ node: 'n1', incarnation: 1 }] });
      const rest = await readSince(granted.mark);
      expect(rest.isComplete).toBe(false);
      await one.leases.renew(clusterId, 'n1', 1, RENEWS);
      const renewed = await readSince(rest.mark);
      expect(renewed.leases.map(({ renewal }) => renewal)).toEqual([(await held()).renewal]);
      await one.leases.end(clusterId, 'n1', 1);
      expect(await readSince(undefined)).toMatchObject({ isComplete: true, leases: [] });
    });

    describe('and roll calls', () => {
      const answered = async (presence: Presence): Promise<string | undefined> => {
        await one.leases.renew(clusterId, 'n1', 1, presence);
        return (await held()).answered;
      };

      it('count up, each with an id of its own, and each reading tells of the newest', async () => {
        const before = await one.leases.rollCall();
        const called = await one.leases.callRoll();
        expect(called.number).toBeGreaterThan(before.number);
        expect(called.id).not.toBe(before.id);
        expect((await other.leases.rollCall()).number).toBeGreaterThanOrEqual(called.number);
        expect((await other.leases.since(undefined)).rollCall.number).toBeGreaterThanOrEqual(called.number);
        await one.leases.restore(leaseOf(1), 1);
        const renewed = await one.leases.renew(clusterId, 'n1', 1, RENEWS);
        expect(renewed?.rollCall).toBe((await one.leases.rollCall()).id);
      });

      it('are answered by what shows them, and not by a renewal that proves nothing', async () => {
        await one.leases.restore(leaseOf(1, 1_000, { type: 'answers', rollCall: 'a' }), 1);
        expect((await held()).answered).toBe('a');
        expect(await answered({ type: 'unproven' })).toBe('a');
        expect(await answered({ type: 'answers', rollCall: 'b' })).toBe('b');
      });

      it('are none to an agent that knows of none, of which each renewal counts but one that proves nothing', async () => {
        await one.leases.restore(leaseOf(1), 1);
        expect((await held()).answered).toBeUndefined();
        expect(await answered({ type: 'unproven' })).toBe('');
        expect(await answered(RENEWS)).toBeUndefined();
      });

      it('are not answered by a lease that somebody else wrote again', async () => {
        await one.leases.restore(leaseOf(1, 1_000, { type: 'unproven' }), 1);
        expect((await held()).answered).toBe('');
      });
    });

    it('are given back with all older ones, but not with a newer one', async () => {
      await one.leases.restore(leaseOf(2), 1);
      await one.leases.end(clusterId, 'n1', 1);
      expect(await held()).toMatchObject({ incarnation: 2 });
      await one.leases.end(clusterId, 'n1', 3);
      expect((await other.leases.all()).filter((lease) => lease.clusterId === clusterId)).toEqual([]);
    });

    describe('of a node that is fenced', () => {
      const outcome = { fencingId: 'f1', target: 'n1', action: 'reboot', device: 'f', executor: 'n2' } as const;
      const fence = async (): Promise<void> => {
        await execute(one, { type: 'join-node', node: 'n2', agentVersion: '1', leaseMs: 1_000 });
        await one.leases.restore({ ...leaseOf(1), node: 'n2' }, await version());
        const now = Math.floor(Date.now() / 1_000);
        const counts = { actions: 1, pseudo: 0, fencing: 1 };
        const plan = { inputVersion: await version(), now, schedulerVersion: '1', digest: 'd', counts, trigger: 't', summary: [] };
        await execute(one, { type: 'plan-transition', plan });
        await execute(one, { type: 'request-fencing', request: { ...outcome, attempt: 1, transition: 1, graphActionId: 1 } });
      };
      const leases = async () => (await other.leases.ofCluster(clusterId)).map(({ node, incarnation }) => [node, incarnation]);

      beforeEach(async () => {
        const device = '<primitive id="f" class="stonith" type="fence_x"/>';
        const configuration = `<configuration><crm_config/><nodes/><resources>${device}</resources><constraints/></configuration>`;
        const cib = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0">${configuration}<status/></cib>`;
        await execute(one, { type: 'replace-configuration', cib });
        await execute(one, JOIN);
        await one.leases.restore(leaseOf(1), await version());
        await fence();
      });

      it('end with the event that says that it was, and with no other', async () => {
        await execute(one, { type: 'complete-fencing', result: { ...outcome, fencingId: 'other', outcome: 'succeeded' } });
        await execute(one, { type: 'complete-fencing', result: { ...outcome, executor: 'n1', outcome: 'succeeded' } });
        expect(await leases()).toEqual([
          ['n1', 1],
          ['n2', 1],
        ]);
        await execute(one, { type: 'complete-fencing', result: { ...outcome, outcome: 'succeeded' } });
        expect(await leases()).toEqual([['n2', 1]]);
        expect(await other.leases.renew(clusterId, 'n1', 1, RENEWS)).toBeUndefined();
      });

      it('stay when it failed', async () => {
        await execute(one, { type: 'complete-fencing', result: { ...outcome, outcome: 'failed' } });
        expect(await leases()).toHaveLength(2);
      });
    });
  });
}
