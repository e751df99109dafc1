import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandsOf } from '../commands/cluster-commands.js';
import { type Append, type AppendPart, HeldTooLong } from '../ports/cluster-log.js';
import { attribute, clock, JOIN, META, type PortBench, type PortsOfProcess, type PortsUnderTest } from './port-bench.js';

/** Deciding while a stream is held. */
export function describeHeldStreams(bench: PortBench): void {
  describe('a stream that is held while something is decided', () => {
    const { execute, version, partOf, appendOf, commandsOf } = bench;
    let under: PortsUnderTest;
    let one: PortsOfProcess;
    let other: PortsOfProcess;
    let clusterId: string;
    beforeEach(() => {
      ({ under, one, other, clusterId } = bench.now());
    });

    const LONG_MS = 5_000;
    const pauseMs = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
    /** The version that was judged, and what was to be appended there. */
    const appendAt = ({ version: at }: { readonly version: number }): Append => appendOf(at);

    it('grows by what is decided at its head; other appends wait, and conflict', async () => {
      await one.log.append(appendOf(1));
      const order: string[] = [];
      let others: Promise<void> | undefined;
      const outcome = await one.log.appendHolding(clusterId, LONG_MS, async (state) => {
        others = other.log.append(appendOf(state.version)).then(({ type }) => void order.push(type));
        await pauseMs(50);
        order.push(`decided at ${String(state.version)}`);
        return appendAt(state);
      });
      await others;
      expect(outcome).toMatchObject({ type: 'appended', appended: [{ firstVersion: 3, lastVersion: 3 }] });
      expect(order).toEqual(['decided at 2', 'conflict']);
      expect(await version()).toBe(3);
    });

    it('is let go of when nothing is to be appended, and when the decision throws', async () => {
      expect(await one.log.appendHolding(clusterId, LONG_MS, () => Promise.resolve(undefined))).toEqual({ type: 'nothing' });
      await expect(one.log.appendHolding(clusterId, LONG_MS, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(await other.log.append(appendOf(1))).toMatchObject({ type: 'appended' });
    });

    it('is let go of in time, and a decision that comes later counts for nothing', async () => {
      let decided = (_: Append): void => undefined;
      const holding = one.log.appendHolding(clusterId, 200, () => new Promise((resolve) => (decided = resolve)));
      await expect(holding).rejects.toThrow(HeldTooLong);
      expect(await other.log.append(appendOf(1))).toMatchObject({ type: 'appended' });
      decided(appendOf(2));
      await pauseMs(20);
      expect(await version()).toBe(2);
    });

    it('keeps neither leases nor other clusters waiting, though no other stream is held meanwhile', async () => {
      const another = crypto.randomUUID();
      const created: AppendPart = { ...partOf(), events: [{ type: 'ClusterCreated', data: { name: `c-${another}`, cib: '<cib/>' } }] };
      await one.log.append({ clusterId: another, expectedVersion: 0, parts: [created] });
      await one.leases.restore(
        { clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000, presence: { type: 'renews' } as const },
        1,
      );
      const seen: unknown[] = [];
      await one.log.appendHolding(clusterId, LONG_MS, async () => {
        seen.push((await other.leases.renew(clusterId, 'n1', 1, { type: 'renews' }))?.leaseMs);
        for (const [index, { log }] of [one, other].entries()) {
          seen.push((await log.append({ ...appendOf(1 + index), clusterId: another })).type);
          seen.push((await log.appendHolding(another, LONG_MS, (state) => Promise.resolve(appendAt(state)))).type);
        }
        return undefined;
      });
      expect(seen).toEqual([1_000, 'appended', 'busy', 'appended', 'busy']);
      const append = (at: number): Append => ({ ...appendOf(at), clusterId: another });
      const outcome = await other.log.appendHolding(another, LONG_MS, (state) => Promise.resolve(append(state.version)));
      expect(outcome).toMatchObject({ type: 'appended', appended: [{ firstVersion: 4 }] });
    });

    it('is held by several processes in turn, each of which sees what the others appended', async () => {
      const judged: number[] = [];
      const hold = async ({ log }: PortsOfProcess): Promise<void> => {
        const outcome = await log.appendHolding(clusterId, LONG_MS, async (state) => {
          judged.push(state.version);
          await pauseMs(5);
          return appendAt(state);
        });
        if (outcome.type !== 'busy') return;
        await pauseMs(5);
        await hold({ ...other, log });
      };
      await Promise.all([one, other, await under.open()].map(hold));
      expect(judged).toEqual([1, 2, 3]);
    });

    it('has nothing delivered meanwhile, and afterwards as is decided on what was appended', async () => {
      await other.log.load(clusterId);
      const judged: number[] = [];
      let delivering: Promise<unknown> | undefined;
      await one.log.appendHolding(clusterId, LONG_MS, async (state) => {
        delivering = other.log.deliver(clusterId, ({ head }) => void judged.push(head.version));
        await pauseMs(50);
        return appendAt(state);
      });
      await delivering;
      expect(judged).toEqual([2]);
    });

    it('takes the work on the tables with the events, or nothing of both', async () => {
      const within: NonNullable<AppendPart['within']> = ({ leases }) =>
        leases.grant({ clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000, presence: { type: 'renews' } as const });
      const holding = (parts: Pick<Append, 'guard'> & Pick<AppendPart, 'within'>) =>
        one.log.appendHolding(clusterId, LONG_MS, (state) => Promise.resolve(appendOf(state.version, parts)));
      const failing = async (...given: Parameters<typeof within>): Promise<never> => {
        await within(...given);
        throw new Error('no');
      };
      await expect(holding({ within: failing })).rejects.toThrow('no');
      expect(await holding({ within, guard: () => Promise.resolve(false) })).toEqual({ type: 'guarded' });
      expect(await other.leases.ofCluster(clusterId)).toEqual([]);
      expect(await holding({ within, guard: () => Promise.resolve(true) })).toMatchObject({ type: 'appended' });
      expect(await other.leases.ofCluster(clusterId)).toMatchObject([{ node: 'n1', incarnation: 1 }]);
    });

    it('that lost its tail is decided on in its new epoch only', async () => {
      await execute(one, JOIN);
      await execute(one, attribute('1'));
      await one.log.load(clusterId);
      await under.loseTail(clusterId, 2);
      const epochs: unknown[] = [];
      const outcome = await one.log.appendHolding(clusterId, LONG_MS, (state) => {
        epochs.push(state.epoch?.version);
        return Promise.resolve(appendAt(state));
      });
      expect(outcome).toMatchObject({ type: 'appended', appended: [{ firstVersion: 4 }] });
      expect(epochs).toEqual([3]);
    });

    it('of a cluster that never was is decided on all the same', async () => {
      const existences: string[] = [];
      const outcome = await other.log.appendHolding(crypto.randomUUID(), LONG_MS, ({ existence }) => {
        existences.push(existence);
        return Promise.resolve(undefined);
      });
      expect({ outcome, existences }).toEqual({ outcome: { type: 'nothing' }, existences: ['none'] });
    });

    it.each(['unanswered', 'lost'] as const)('has a command once whose commit was not answered (%s)', async (fate) => {
      await execute(one, JOIN);
      const judged: number[] = [];
      const long: CommandsOf = {
        type: 'set-node-attribute',
        madeOf: async ({ version: at }) => {
          judged.push(at);
          // Somebody else is faster at first, for good as long as the stream is not held.
          if (judged.length <= 3) await execute(other, attribute(String(at), 'b'));
          else if (judged.length === 4) under.nextCommit(fate);
          return [attribute('long')];
        },
      };
      const result = await commandsOf(one).executeAll(clusterId, long, META);
      expect(result).toMatchObject({ ok: true, version: 6, events: [{ type: 'NodeAttributeSet', data: { value: 'long' } }] });
      expect(judged.slice(0, 4)).toEqual([2, 3, 4, 5]);
      expect(await version()).toBe(6);
    });
  });
}
