import { beforeEach, describe, expect, it } from 'vitest';
import type { Append, Appended, AppendPart } from '../ports/cluster-log.js';
import { attribute, JOIN, type PortBench, type PortsOfProcess, type PortsUnderTest } from './port-bench.js';

/** Appending to the log, and reading it. */
export function describeLog(bench: PortBench): void {
  describe('the log', () => {
    const { execute, version, partOf, appendOf } = bench;
    let under: PortsUnderTest;
    let one: PortsOfProcess;
    let other: PortsOfProcess;
    let clusterId: string;
    beforeEach(() => {
      ({ under, one, other, clusterId } = bench.now());
    });

    it('appends at the version that was expected, and at no other', async () => {
      expect(await one.log.append(appendOf(1))).toMatchObject({ type: 'appended', appended: [{ firstVersion: 2, lastVersion: 2 }] });
      for (const wrong of [0, 1, 3]) expect(await other.log.append(appendOf(wrong))).toEqual({ type: 'conflict' });
      expect(await version()).toBe(2);
    });

    it('lets one of several that expect the same version win', async () => {
      const processes = await Promise.all(Array.from({ length: 4 }, () => under.open()));
      const outcomes = await Promise.all(processes.map(({ log }) => log.append(appendOf(1))));
      expect(outcomes.map(({ type }) => type).sort()).toEqual(['appended', 'conflict', 'conflict', 'conflict']);
    });

    it('does the work on the tables with the events, or nothing of both', async () => {
      const lease = { clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000, presence: { type: 'renews' } as const };
      const granting: NonNullable<AppendPart['within']> = ({ leases }) => leases.grant(lease);
      const failing: NonNullable<AppendPart['within']> = async (tables, appended) => {
        await granting(tables, appended);
        throw new Error('no');
      };
      await expect(one.log.append(appendOf(1, { within: failing }))).rejects.toThrow('no');
      expect(await one.log.append(appendOf(1, { guard: () => Promise.resolve(false), within: granting }))).toEqual({ type: 'guarded' });
      expect(await one.log.append(appendOf(7, { within: granting }))).toEqual({ type: 'conflict' });
      expect(await other.leases.ofCluster(clusterId)).toEqual([]);
      expect(await version()).toBe(1);
      expect(await one.log.append(appendOf(1, { within: granting }))).toMatchObject({ type: 'appended' });
      expect(await other.leases.ofCluster(clusterId)).toMatchObject([{ node: 'n1', incarnation: 1, leaseMs: 1_000 }]);
    });

    it('appends what several ask for together: each with who asked and why, all or none, and with the work of each', async () => {
      const parts = [partOf(), partOf(), partOf()];
      const failing = { ...partOf(), within: () => Promise.reject(new Error('no')) };
      await expect(one.log.append({ clusterId, expectedVersion: 1, parts: [...parts, failing] })).rejects.toThrow('no');
      expect(await version()).toBe(1);
      const places: number[] = [];
      const noting = parts.map((part) => ({
        ...part,
        within: (_: unknown, { firstVersion }: Appended) => Promise.resolve(places.push(firstVersion)),
      }));
      const outcome = await one.log.append({ clusterId, expectedVersion: 1, parts: noting });
      expect(outcome).toMatchObject({
        type: 'appended',
        appended: [{ firstVersion: 2 }, { firstVersion: 3 }, { firstVersion: 4, lastVersion: 4 }],
      });
      expect(places).toEqual([2, 3, 4]);
      for (const [index, { meta, events }] of parts.entries()) {
        expect(await other.log.appendedBy(clusterId, meta.causationId, 2 + index)).toMatchObject({ events, lastVersion: 2 + index });
      }
    });

    it('tells the head that it has stored, and the hash of each version', async () => {
      await execute(one, JOIN);
      const { state, head } = await other.log.loadHead(clusterId);
      expect(head).toMatchObject({ epoch: clusterId, version: state.version });
      expect(await one.log.hashAt(clusterId, head.version)).toBe(head.hash);
      expect(await one.log.hashAt(clusterId, 1)).not.toBe(head.hash);
      expect(await one.log.hashAt(clusterId, head.version + 1)).toBeUndefined();
    });

    it('that lost its tail begins one new epoch, whoever of those who had read it asks first, and ends every lease', async () => {
      await execute(one, JOIN);
      await one.leases.restore(
        { clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000, presence: { type: 'renews' } as const },
        2,
      );
      await execute(one, attribute('1'));
      await Promise.all([one.log.load(clusterId), other.log.load(clusterId)]);
      await under.loseTail(clusterId, 2);
      const [state] = await Promise.all([one.log.load(clusterId), other.log.load(clusterId)]);
      expect(state.epoch).toMatchObject({ version: 3, earlier: [clusterId] });
      expect(state.nodes['n1']?.membership).toBe('unheard');
      expect(await version()).toBe(3);
      expect(await one.leases.ofCluster(clusterId)).toEqual([]);
      expect((await other.log.loadHead(clusterId)).head).toMatchObject({ epoch: state.epoch?.id, version: 3 });
    });

    it('that lost its tail and was written again is found out by what stands there now', async () => {
      await execute(one, JOIN);
      await execute(one, attribute('1'));
      await one.log.load(clusterId);
      await under.loseTail(clusterId, 2);
      const fresh = await under.open();
      await execute(fresh, attribute('2'));
      await execute(fresh, attribute('3'));
      expect((await fresh.log.load(clusterId)).epoch).toBeUndefined();
      expect((await one.log.load(clusterId)).epoch).toMatchObject({ version: 5 });
      expect((await fresh.log.load(clusterId)).epoch).toMatchObject({ version: 5 });
    });

    it('that lost what was appended, and nobody had read since, begins one', async () => {
      await one.log.load(clusterId);
      expect(await one.log.append(appendOf(1))).toMatchObject({ type: 'appended' });
      await under.loseTail(clusterId, 1);
      const { epoch } = await one.log.load(clusterId);
      expect(epoch).toMatchObject({ version: 2, earlier: [clusterId] });
      expect(await one.log.append(appendOf(2))).toMatchObject({ type: 'appended' });
      await under.loseTail(clusterId, 2);
      const fresh = await under.open();
      await fresh.log.load(clusterId);
      for (const version of [2, 3]) expect(await fresh.log.append(appendOf(version))).toMatchObject({ type: 'appended' });
      expect((await fresh.log.load(clusterId)).epoch?.version).toBe(2);
      expect((await one.log.load(clusterId)).epoch).toMatchObject({ version: 5, earlier: [clusterId, epoch?.id] });
    });

    it('holds each kind of append that a process made, and all events of it: nothing begins', async () => {
      await one.log.load(clusterId);
      expect(await one.log.append({ clusterId, expectedVersion: 1, parts: [partOf(), partOf()] })).toMatchObject({ type: 'appended' });
      await one.log.append(appendOf(3, { guard: () => Promise.resolve(true) }));
      await execute(one, JOIN);
      await one.log.appendHolding(clusterId, 1_000, ({ version }) => Promise.resolve(appendOf(version)));
      expect((await one.log.load(clusterId)).epoch).toBeUndefined();
      const { head } = await other.log.loadHead(clusterId);
      expect(await one.log.loadHead(clusterId)).toMatchObject({ head });
      expect(head.version).toBe(6);
    });

    it('gives a name to one cluster at a time', async () => {
      const events: AppendPart['events'] = [{ type: 'ClusterCreated', data: { name: `c-${clusterId}`, cib: '<cib/>' } }];
      const twin: Append = { clusterId: crypto.randomUUID(), expectedVersion: 0, parts: [{ ...partOf(), events }] };
      expect(await other.log.append(twin)).toEqual({ type: 'name-taken', name: `c-${clusterId}` });
    });

    it('shows each process what others appended before it asks, and what was', async () => {
      await execute(one, JOIN);
      expect((await other.log.load(clusterId)).nodes['n1']?.membership).toBe('joined');
      expect((await one.log.loadAt(clusterId, 1)).nodes).toEqual({});
      expect((await other.log.loadAt(clusterId, 9)).version).toBe(2);
      expect((await other.log.load(crypto.randomUUID())).existence).toBe('none');
    });

    it('lists the clusters that there are with their versions', async () => {
      const mine = async () => (await other.log.heads()).filter(({ id }) => id === clusterId);
      await execute(one, JOIN);
      expect(await mine()).toEqual([{ id: clusterId, version: 2 }]);
      await execute(one, { type: 'delete-cluster' });
      expect(await mine()).toEqual([]);
    });

    it('finds what a command appended, by its version', async () => {
      const part = partOf();
      await one.log.append({ clusterId, expectedVersion: 1, parts: [part] });
      await one.log.append(appendOf(2));
      const { causationId } = part.meta;
      expect(await other.log.appendedBy(clusterId, causationId, 2)).toMatchObject({
        events: part.events,
        firstVersion: 2,
        lastVersion: 2,
      });
      for (const from of [1, 2])
        expect(await other.log.causedBy(clusterId, causationId, from)).toMatchObject({ firstVersion: 2, lastVersion: 2 });
      expect(await other.log.causedBy(clusterId, causationId, 3)).toBeUndefined();
      for (const elsewhere of [1, 3, 4]) expect(await other.log.appendedBy(clusterId, causationId, elsewhere)).toBeUndefined();
    });
  });
}
