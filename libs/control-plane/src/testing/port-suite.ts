import type { AgentAction, ClusterCommand } from '@systole/cluster';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands, type CommandsOf } from '../commands/cluster-commands.js';
import type { ExecuteResult } from '../commands/command-results.js';
import type { CommitFate } from '../memory/memory-log.js';
import type { Clock } from '../ports/clock.js';
import type { AdvanceFailures } from '../ports/advance-failures.js';
import type { ClusterClaims } from '../ports/cluster-claims.js';
import { HeldTooLong, type Append, type Appended, type AppendPart, type ClusterLog } from '../ports/cluster-log.js';
import type { Delivery, Dispatches, LostDispatch, DispatchSignals, Recipient } from '../ports/dispatches.js';
import type { Heartbeats } from '../ports/heartbeats.js';
import type { HeadSeals } from '../ports/head-seals.js';
import type { NodeLease, NodeLeases } from '../ports/node-leases.js';
import type { StoredGraphs } from '../ports/transition-graphs.js';

/** The ports as one process has them. */
export interface PortsOfProcess {
  readonly log: ClusterLog;
  readonly leases: NodeLeases;
  readonly heartbeats: Heartbeats;
  readonly dispatches: Dispatches;
  readonly signals: DispatchSignals;
  readonly graphs: StoredGraphs;
  readonly claims: ClusterClaims;
  readonly failures: AdvanceFailures;
  readonly seals: HeadSeals;
}

/** One database, with several processes on it. */
export interface PortsUnderTest {
  /** The ports of one more process. */
  open(): Promise<PortsOfProcess>;
  /** What becomes of the next commit of events, by whichever process. */
  nextCommit(fate: Exclude<CommitFate, 'late'>): void;
  /** As after the restore of a copy: of this stream nothing is left beyond a version. */
  loseTail(clusterId: string, lastVersion: number): Promise<void>;
  close(): Promise<void>;
}

const META = { actor: 'test', correlationId: 'test' };
const JOIN: ClusterCommand = { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 10_000 };
const attribute = (value: string, name = 'a'): ClusterCommand => ({
  type: 'set-node-attribute',
  node: 'n1',
  name,
  value,
  lifetime: 'reboot',
});
const clock: Clock = {
  timeOfDay: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** What the use cases rely on, whatever keeps the data. */
export function describePorts(name: string, start: () => Promise<PortsUnderTest>): void {
  describe(`the ports ${name}`, () => {
    let under: PortsUnderTest;
    let one: PortsOfProcess;
    let other: PortsOfProcess;
    let clusterId: string;

    beforeAll(async () => {
      under = await start();
      one = await under.open();
      other = await under.open();
    });
    afterAll(() => under.close());
    beforeEach(async () => {
      clusterId = crypto.randomUUID();
      await execute(one, { type: 'create-cluster', name: `c-${clusterId}` });
    });

    const commandsOf = ({ log }: PortsOfProcess): ClusterCommands =>
      new ClusterCommands({ log, clock, chance: { uuid: () => crypto.randomUUID(), fraction: () => Math.random() } });
    const execute = async (ports: PortsOfProcess, command: ClusterCommand): Promise<Extract<ExecuteResult, { ok: true }>> => {
      const result = await commandsOf(ports).execute(clusterId, command, META);
      if (!result.ok) throw new Error(result.rejection.message);
      return result;
    };
    const version = async (): Promise<number> => (await other.log.load(clusterId)).version;
    /** That a node left its lease, at a version. */
    const partOf = (within?: AppendPart['within']): AppendPart => ({
      events: [{ type: 'NodeAttributeSet', data: { node: 'n1', name: 'x', value: crypto.randomUUID(), lifetime: 'reboot' } }],
      meta: { actor: 'test', command: 'test', correlationId: 'test', causationId: crypto.randomUUID() },
      ...(within === undefined ? {} : { within }),
    });
    const appendOf = (expectedVersion: number, { guard, within }: Pick<Append, 'guard'> & Pick<AppendPart, 'within'> = {}): Append => ({
      clusterId,
      expectedVersion,
      parts: [partOf(within)],
      ...(guard === undefined ? {} : { guard }),
    });

    describe('the log', () => {
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
        const lease = { clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000 };
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
        await one.leases.restore({ clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000 }, 2);
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

    describe('a stream that is held while something is decided', () => {
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
        await one.leases.restore({ clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000 }, 1);
        const seen: unknown[] = [];
        await one.log.appendHolding(clusterId, LONG_MS, async () => {
          seen.push(await other.leases.renew(clusterId, 'n1', 1));
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
          leases.grant({ clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000 });
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

    describe('a command whose commit was not answered', () => {
      it.each(['unanswered', 'lost'] as const)('takes place once (%s)', async (fate) => {
        under.nextCommit(fate);
        expect(await execute(one, JOIN)).toMatchObject({ version: 2, events: [{ type: 'NodeJoined', data: { incarnation: 1 } }] });
        expect(await version()).toBe(2);
      });

      it.each(['unanswered', 'lost'] as const)('takes place once, its work on the tables included (%s)', async (fate) => {
        await execute(one, JOIN);
        const lease = { clusterId, node: 'n1', incarnation: 1, tokenId: 't', leaseMs: 1_000 };
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

    describe('leases', () => {
      const leaseOf = (incarnation: number, leaseMs = 1_000) => ({ clusterId, node: 'n1', incarnation, tokenId: 't', leaseMs });
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
        expect(await other.leases.renew(clusterId, 'n1', 1)).toBeUndefined();
        expect(await other.leases.renew(clusterId, 'n1', 2)).toBe(1_000);
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
        await one.leases.renew(clusterId, 'n1', 1);
        expect((await held()).renewal).not.toBe(granted.renewal);
        expect(await endUnrenewed(granted)).toBe(false);
        expect(await version()).toBe(1);
        expect(await endUnrenewed(await held())).toBe(true);
        expect(await one.leases.renew(clusterId, 'n1', 1)).toBeUndefined();
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
        await one.leases.renew(clusterId, 'n1', 1);
        const renewed = await readSince(rest.mark);
        expect(renewed.leases.map(({ renewal }) => renewal)).toEqual([(await held()).renewal]);
        await one.leases.end(clusterId, 'n1', 1);
        expect(await readSince(undefined)).toMatchObject({ isComplete: true, leases: [] });
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
          expect(await other.leases.renew(clusterId, 'n1', 1)).toBeUndefined();
        });

        it('stay when it failed', async () => {
          await execute(one, { type: 'complete-fencing', result: { ...outcome, outcome: 'failed' } });
          expect(await leases()).toHaveLength(2);
        });
      });
    });

    it('heartbeats count on, and from the start again after a silence', async () => {
      const apiId = crypto.randomUUID();
      const beats = async () => (await other.heartbeats.all()).find((api) => api.apiId === apiId)?.beats;
      const counted: (number | undefined)[] = [];
      for (const unbroken of [false, true, true, false, true]) {
        await one.heartbeats.beat(apiId, unbroken);
        counted.push(await beats());
      }
      expect(counted).toEqual([1, 2, 3, 1, 2]);
    });

    it('heartbeats say what keeps a process from storing events, as long as it does', async () => {
      const apiId = crypto.randomUUID();
      const heard = async () => (await other.heartbeats.all()).find((api) => api.apiId === apiId);
      await one.heartbeats.beat(apiId, false, 'the disk is full');
      expect(await heard()).toEqual({ apiId, beats: 1, trouble: 'the disk is full' });
      await one.heartbeats.beat(apiId, true);
      expect(await heard()).toEqual({ apiId, beats: 2 });
    });

    describe('dispatches', () => {
      const actionOf = (id: number, operation = 'stop'): AgentAction => ({
        actionId: `${clusterId}:1:${String(id)}`,
        kind: 'operation',
        transitionKey: `${String(id)}:1:0:${clusterId}`,
        operation,
        intervalMs: 0,
        timeoutMs: 20_000,
        expectedRc: 0,
        resource: { id: 'db', historyId: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
        parameters: {},
        meta: operation === 'notify' ? { CRM_meta_notify_type: 'post' } : {},
      });
      const handOut = (id: number, { operation = 'stop', node = 'n1', at = 2 } = {}): Promise<boolean> =>
        one.dispatches.handOut(clusterId, 1, at, [{ graphActionId: id, node, action: actionOf(id, operation) }]);
      const deliver = async (
        { incarnation = 1, node = 'n1', ...poll }: Partial<Recipient>,
        {
          known = [],
          aborting = false,
          probing = false,
        }: { readonly known?: readonly string[]; readonly aborting?: boolean; readonly probing?: boolean } = {},
      ): Promise<Delivery | undefined> => {
        const waiting = [{ to: { node, incarnation, ...poll }, known }];
        return (await other.log.deliver(clusterId, () => ({ transition: 1, aborting, probing, waiting })))[0];
      };
      const rows = () => other.dispatches.ofTransition(clusterId, 1);
      const NOTHING = { actions: [], shutdown: false, withdrawable: false };

      beforeEach(() => execute(one, JOIN));

      it('are handed out once, and only at the version of the decision', async () => {
        expect(await handOut(1, { at: 1 })).toBe(false);
        expect(await handOut(1, { at: 3 })).toBe(false);
        expect(await rows()).toEqual([]);
        expect(await handOut(1)).toBe(true);
        const [first] = await rows();
        expect(await handOut(1)).toBe(true);
        expect(await rows()).toEqual([first]);
        expect(first).toMatchObject({ graphActionId: 1, node: 'n1', kind: 'operation', delivered: false });
      });

      it('are handed out, and written again, however much they carry together', async () => {
        const large = Array.from({ length: 5 }, (_, id) => ({
          ...{ graphActionId: id, node: 'n1' },
          action: { ...actionOf(id, 'start'), parameters: { text: `${String(id)} ${'ä'.repeat(300_000)}` } },
        }));
        expect(await one.dispatches.handOut(clusterId, 1, 1, large)).toBe(false);
        expect(await one.dispatches.handOut(clusterId, 1, 2, large)).toBe(true);
        expect(await one.dispatches.handOut(clusterId, 1, 2, large)).toBe(true);
        expect((await rows()).map(({ graphActionId }) => graphActionId)).toEqual([0, 1, 2, 3, 4]);
        expect((await deliver({}))?.actions).toEqual(large.map(({ action }) => action));
        await one.dispatches.forget(clusterId, 1);
        const lost = large.map((dispatch) => ({ ...dispatch, incarnation: 1, completed: false }));
        await one.dispatches.restore(clusterId, 1, 2, lost);
        expect((await rows()).map(({ delivered }) => delivered)).toEqual([true, true, true, true, true]);
      });

      it('of a transition that goes on with its probes are withdrawn but for those, and nothing else is delivered', async () => {
        await handOut(1, { operation: 'monitor' });
        await handOut(2, { operation: 'start' });
        await handOut(3, { operation: 'monitor', node: 'n2' });
        const going = { aborting: true, probing: true };
        expect(await deliver({ seq: 1 }, going)).toMatchObject({ actions: [{ operation: 'monitor' }], withdrawable: true });
        // Its answer was lost: it is given again, as in a transition that runs.
        expect(await deliver({ seq: 2 }, going)).toMatchObject({ actions: [{ operation: 'monitor' }], withdrawable: true });
        expect(await one.dispatches.withdrawUndelivered(clusterId, 1, { probing: true })).toMatchObject([{ graphActionId: 2 }]);
        expect(await deliver({ seq: 3 }, { ...going, known: [actionOf(1).actionId] })).toEqual(NOTHING);
        expect(await deliver({ seq: 4 }, { aborting: true, known: [actionOf(1).actionId] })).toEqual(NOTHING);
        expect(await one.dispatches.withdrawUndelivered(clusterId, 1)).toMatchObject([{ graphActionId: 3 }]);
      });

      it('that tell what is to happen are withdrawn: it will not', async () => {
        await handOut(1, { operation: 'notify' });
        const action = { ...actionOf(2, 'notify'), meta: { CRM_meta_notify_type: 'pre' } };
        await one.dispatches.handOut(clusterId, 1, 2, [{ graphActionId: 2, node: 'n1', action }]);
        const [given] = await other.log.deliver(clusterId, () => ({
          transition: 1,
          aborting: true,
          waiting: [{ to: { node: 'n1', incarnation: 1, seq: 1 }, known: [] }],
        }));
        expect(given).toMatchObject({ actions: [{ actionId: actionOf(1).actionId }], withdrawable: true });
        expect(await one.dispatches.withdrawUndelivered(clusterId, 1)).toMatchObject([{ graphActionId: 2 }]);
      });

      it('that are repeated monitors are no probes', async () => {
        const action = { ...actionOf(1, 'monitor'), intervalMs: 10_000 };
        await one.dispatches.handOut(clusterId, 1, 2, [{ graphActionId: 1, node: 'n1', action }]);
        expect(await deliver({ seq: 1 }, { aborting: true, probing: true })).toEqual({ ...NOTHING, withdrawable: true });
        expect(await one.dispatches.withdrawUndelivered(clusterId, 1, { probing: true })).toHaveLength(1);
      });

      it('that were lost are written again as delivered: a poll that was sent after that shows what of it was begun, and takes back the rest', async () => {
        const lost = (id: number, completed = false): LostDispatch => ({
          graphActionId: id,
          node: 'n1',
          action: actionOf(id),
          incarnation: 1,
          completed,
        });
        await one.dispatches.restore(clusterId, 1, 1, [lost(1)]);
        expect(await rows()).toEqual([]);
        await handOut(4);
        await one.dispatches.restore(clusterId, 1, 2, [lost(1), lost(2), lost(3, true), lost(4)]);
        expect(await rows()).toMatchObject([
          { graphActionId: 1, delivered: true, incarnation: 1 },
          { graphActionId: 2, delivered: true, incarnation: 1 },
          { graphActionId: 3, delivered: true, incarnation: 1 },
          { graphActionId: 4, delivered: false },
        ]);
        const known = [actionOf(1).actionId];
        // They may have been in the answer to a later poll than these, which an api carries out late.
        for (const poll of [{}, { seq: 1 }, { seq: 2, shown: 1 }, { shown: 2 }]) await deliver(poll, { known, aborting: true });
        expect((await rows()).filter(({ delivered }) => delivered)).toHaveLength(3);
        expect(await deliver({ seq: 3, shown: 2 }, { known, aborting: true })).toEqual({ ...NOTHING, withdrawable: true });
        expect((await one.dispatches.withdrawUndelivered(clusterId, 1)).map(({ graphActionId }) => graphActionId).sort()).toEqual([2, 4]);
        expect((await rows()).map(({ graphActionId }) => graphActionId)).toEqual([1, 3]);
      });

      it('are not handed out by a log that lost its tail', async () => {
        await execute(one, attribute('1'));
        await under.loseTail(clusterId, 2);
        expect(await handOut(1, { at: 3 })).toBe(false);
        expect(await rows()).toEqual([]);
      });

      it('wake who waits for them', async () => {
        const woken = new Promise<string>((resolve) => other.signals.listen(clusterId, 'n1', resolve));
        await handOut(1);
        expect(await woken).toBe('handed-out');
      });

      it('are delivered to their node in order, until their result has come from it', async () => {
        await handOut(2);
        await handOut(1);
        await handOut(3, { node: 'n2' });
        expect(await deliver({})).toMatchObject({ actions: [{ actionId: actionOf(1).actionId }, { actionId: actionOf(2).actionId }] });
        const first: (readonly string[])[] = [];
        const answered = (node: string): AppendPart => ({
          ...partOf(),
          answers: { node, actionIds: [actionOf(1).actionId, 'unknown'], told: (ids) => void first.push([...ids]) },
        });
        await one.log.append({ clusterId, expectedVersion: 2, parts: [answered('n2')] });
        expect((await deliver({}))?.actions).toHaveLength(2);
        const failing = (): never => {
          throw new Error('no');
        };
        const refused = { node: 'n1', actionIds: [actionOf(1).actionId], told: failing };
        await expect(one.log.append({ clusterId, expectedVersion: 3, parts: [{ ...partOf(), answers: refused }] })).rejects.toThrow('no');
        expect(await one.log.append({ clusterId, expectedVersion: 9, parts: [answered('n1')] })).toEqual({ type: 'conflict' });
        expect((await deliver({}))?.actions).toHaveLength(2);
        await one.log.append({ clusterId, expectedVersion: 3, parts: [partOf(), answered('n1'), answered('n1')] });
        await one.log.append({ clusterId, expectedVersion: 6, parts: [{ ...answered('n1'), within: () => Promise.resolve() }] });
        expect(first).toEqual([[], [actionOf(1).actionId], [], []]);
        expect((await deliver({}))?.actions).toMatchObject([{ actionId: actionOf(2).actionId }]);
        expect(await other.dispatches.anyOpen(clusterId, 'n1', [])).toBe(true);
        expect(await other.dispatches.anyOpen(clusterId, 'n1', [actionOf(2).actionId])).toBe(false);
        expect(await other.dispatches.unanswered(clusterId, 1)).toEqual([2, 3]);
        expect(await other.dispatches.unanswered(clusterId, 2)).toEqual([]);
        const ids = [actionOf(1).actionId, actionOf(2).actionId];
        const there = await other.dispatches.ofActions(clusterId, [...ids, ...ids, 'unknown']);
        expect(there.map(({ actionId }) => actionId).sort()).toEqual([...ids].sort());
        // The first was answered, the second given, and no more is known of n1's.
        const delivered = (node: string) => other.dispatches.delivered(clusterId, node, [...ids, actionOf(3).actionId, 'unknown']);
        expect([...(await delivered('n1'))].sort()).toEqual([...ids].sort());
        expect([...(await delivered('n2'))]).toEqual([]);
      });

      it('are delivered as is decided at the head, whoever appended last', async () => {
        await handOut(1);
        await other.log.load(clusterId);
        await execute(one, attribute('1'));
        const seen: number[] = [];
        const nothing = await other.log.deliver(clusterId, ({ state, head }) => {
          seen.push(state.version, head.version);
          return undefined;
        });
        expect({ nothing, seen }).toEqual({ nothing: [], seen: [3, 3] });
        expect(await rows()).toMatchObject([{ delivered: false }]);
        const failing = other.log.deliver(clusterId, () => {
          throw new Error('no');
        });
        await expect(failing).rejects.toThrow('no');
        expect(await rows()).toMatchObject([{ delivered: false }]);
      });

      it('are delivered to several nodes at once, to each as its own poll says', async () => {
        await handOut(1);
        await handOut(2, { node: 'n2' });
        await handOut(3, { node: 'n3' });
        await handOut(4, { node: 'n3' });
        await handOut(5, { node: 'n4' });
        expect(await deliver({ node: 'n3', incarnation: 7, seq: 9 })).toMatchObject({ actions: [{}, {}] });
        const all = [1, 2, 3, 4, 5].map((id) => actionOf(id).actionId);
        const waiting = [
          // Nobody's claim to know an action keeps it from another.
          { to: { node: 'n2', incarnation: 4, seq: 1 }, known: all.slice(0, 1) },
          { to: { node: 'n1', incarnation: 2 }, known: all.slice(1) },
          { to: { node: 'n3', incarnation: 7, seq: 8 }, known: [] },
          { to: { node: 'n5', incarnation: 1 }, known: [] },
        ];
        const deliveries = await other.log.deliver(clusterId, () => ({ transition: 1, aborting: false, waiting }));
        expect(deliveries.map(({ actions }) => actions.map(({ actionId }) => actionId))).toEqual([[all[1]], [all[0]], [], []]);
        expect((await rows()).map(({ incarnation }) => incarnation)).toEqual([2, 4, 7, 7, undefined]);
      });

      it('are taken back from several nodes at once when the transition is aborted, from each as its own poll shows', async () => {
        for (const [id, node] of ['n1', 'n2', 'n3', 'n4'].entries()) {
          await handOut(id, { node });
          await deliver({ node, incarnation: 1, seq: 4 });
        }
        await handOut(9, { node: 'n4', operation: 'notify' });
        const waiting = [
          { to: { node: 'n1', incarnation: 1, seq: 5 }, known: [] },
          { to: { node: 'n2', incarnation: 1, seq: 5 }, known: [actionOf(1).actionId] },
          { to: { node: 'n3', incarnation: 1 }, known: [] },
          { to: { node: 'n4', incarnation: 1, seq: 5 }, known: [] },
        ];
        const deliveries = await other.log.deliver(clusterId, () => ({ transition: 1, aborting: true, waiting }));
        expect(deliveries).toMatchObject([
          { actions: [], withdrawable: true },
          { actions: [], withdrawable: false },
          { actions: [], withdrawable: false },
          { actions: [{ operation: 'notify' }], withdrawable: true },
        ]);
        expect((await rows()).map(({ delivered }) => delivered)).toEqual([false, true, true, false, true]);
      });

      it('of a log that lost its tail are delivered in its new epoch only', async () => {
        await execute(one, attribute('1'));
        await other.log.load(clusterId);
        await under.loseTail(clusterId, 2);
        const epochs: unknown[] = [];
        await other.log.deliver(clusterId, ({ state }) => {
          epochs.push(state.epoch?.version);
          return undefined;
        });
        expect(epochs).toEqual([3]);
      });

      it('of a cluster that never was are none', async () => {
        const existences: string[] = [];
        const delivered = await other.log.deliver(crypto.randomUUID(), ({ state }) => {
          existences.push(state.existence);
          return undefined;
        });
        expect({ delivered, existences }).toEqual({ delivered: [], existences: ['none'] });
      });

      it('that no poll was answered with are found for all that wait', async () => {
        const found = async () => (await other.dispatches.undelivered()).filter((row) => row.clusterId === clusterId);
        expect(await found()).toEqual([]);
        await handOut(1);
        await handOut(2);
        await handOut(3, { node: 'n2' });
        expect((await found()).map(({ node }) => node).sort()).toEqual(['n1', 'n2']);
        await deliver({});
        expect(await found()).toEqual([{ clusterId, node: 'n2' }]);
      });

      it('are looked for by many at once, each of its own', async () => {
        await handOut(1);
        await handOut(2, { node: 'n2' });
        const known = [actionOf(1).actionId, actionOf(2).actionId];
        const asked = [
          { node: 'n1', known: [] },
          { node: 'n1', known: known.slice(0, 1) },
          { node: 'n2', known: known.slice(0, 1) },
          { node: 'n2', known },
          { node: 'n3', known: [] },
        ];
        const answers = await Promise.all(asked.map((each) => other.dispatches.anyOpen(clusterId, each.node, each.known)));
        expect(answers).toEqual([true, false, true, false, false]);
      });

      it('that let an agent leave are no actions', async () => {
        const grant = { actionId: `${clusterId}:1:9`, kind: 'shutdown' } as const;
        await one.dispatches.handOut(clusterId, 1, 2, [{ graphActionId: 9, node: 'n1', action: grant }]);
        expect(await deliver({})).toEqual({ ...NOTHING, shutdown: true });
        expect(await other.dispatches.unanswered(clusterId, 1)).toEqual([]);
      });

      it('are taken back as long as no agent has seen them, but for those that tell what has happened', async () => {
        await handOut(1);
        await deliver({});
        await handOut(2);
        await handOut(3, { operation: 'notify' });
        expect(await one.dispatches.withdrawUndelivered(clusterId, 1)).toMatchObject([{ graphActionId: 2 }]);
        expect(await rows()).toMatchObject([{ graphActionId: 1, delivered: true, incarnation: 1 }, { graphActionId: 3 }]);
        await one.dispatches.forget(clusterId, 1);
        expect(await rows()).toEqual([]);
      });

      describe('whose answer was lost', () => {
        const stamp = async () => (await rows()).map(({ delivered, incarnation }) => (delivered ? incarnation : undefined));
        const deliveredBy = async (seq: number | undefined, { operation = 'stop', incarnation = 2 } = {}): Promise<void> => {
          await handOut(1, { operation });
          expect(await deliver({ incarnation, ...(seq === undefined ? {} : { seq }) })).toMatchObject({ actions: [{ operation }] });
        };
        const poll = (seq: number | undefined, aborting: boolean, known: readonly string[] = []) =>
          deliver({ incarnation: 2, ...(seq === undefined ? {} : { seq }) }, { aborting, known });

        it('are made again by the next poll while the transition runs', async () => {
          await deliveredBy(4);
          expect(await poll(5, false)).toMatchObject({ actions: [{ operation: 'stop' }] });
        });

        it('count as never made once the transition is aborting, until the worker has taken them back', async () => {
          await deliveredBy(4);
          for (const seq of [5, 5, 6]) expect(await poll(seq, true)).toEqual({ ...NOTHING, withdrawable: true });
          expect(await stamp()).toEqual([undefined]);
          expect(await one.dispatches.withdrawUndelivered(clusterId, 1)).toHaveLength(1);
          expect(await poll(7, true)).toEqual(NOTHING);
        });

        it('stand when the agent knows of them', async () => {
          await deliveredBy(4);
          for (const aborting of [false, true]) expect(await poll(5, aborting, [actionOf(1).actionId])).toEqual(NOTHING);
          expect(await stamp()).toEqual([2]);
        });

        it('stand as long as no later poll has come: the same one again and an earlier one say nothing', async () => {
          await deliveredBy(4);
          for (const seq of [4, 3]) expect(await poll(seq, true)).toEqual(NOTHING);
          expect(await stamp()).toEqual([2]);
        });

        it('keep the stamp of the latest poll, though an earlier one is still held open', async () => {
          await deliveredBy(4);
          expect(await poll(3, false)).toEqual(NOTHING);
          expect(await poll(4, true)).toEqual(NOTHING);
          expect(await stamp()).toEqual([2]);
        });

        it('stand when the agent does not count its polls', async () => {
          await deliveredBy(undefined);
          expect(await poll(undefined, true)).toEqual(NOTHING);
          expect(await stamp()).toEqual([2]);
        });

        it('count as never made when they were for an incarnation that has ended', async () => {
          await deliveredBy(9, { incarnation: 1 });
          expect(await poll(1, true)).toEqual({ ...NOTHING, withdrawable: true });
          expect(await stamp()).toEqual([undefined]);
        });

        it('are made again though the transition is aborting when they tell what has happened, which changes nothing', async () => {
          await deliveredBy(4, { operation: 'notify' });
          expect(await poll(5, true)).toMatchObject({ actions: [{ operation: 'notify' }], withdrawable: false });
        });

        it('are not made again in another life of the node', async () => {
          await deliveredBy(4, { operation: 'notify', incarnation: 1 });
          expect(await poll(5, true)).toEqual(NOTHING);
        });
      });
    });

    it('graphs are given for the plan that they were stored for', async () => {
      const digest = 'd'.repeat(64);
      const counts = { actions: 1, pseudo: 0, fencing: 0 };
      const plan = {
        type: 'plan-transition',
        plan: { inputVersion: 1, now: 1, schedulerVersion: '1', digest, counts, trigger: 't', summary: [] },
      } as const;
      await commandsOf(one).execute(clusterId, plan, META);
      const { transition } = await other.log.load(clusterId);
      if (!transition) throw new Error('nothing runs');
      expect(await other.graphs.graphOf(clusterId, transition)).toBeUndefined();
      const graph = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
      await one.graphs.store(clusterId, transition, graph);
      expect([...((await other.graphs.graphOf(clusterId, transition)) ?? [])]).toEqual([...graph]);
      const otherDigest = { ...transition, digest: 'e'.repeat(64) };
      expect(await other.graphs.graphOf(clusterId, otherDigest)).toBeUndefined();
    });

    it('failures are counted until the cluster goes again', async () => {
      for (const reason of ['first', 'second\u0000']) await one.failures.note(clusterId, reason);
      const failure = await other.failures.of(clusterId);
      expect(failure).toMatchObject({ clusterId, tries: 2 });
      expect(failure?.reason).toContain('second');
      expect(await other.failures.all()).toContainEqual(failure);
      await other.failures.clear(clusterId);
      expect(await one.failures.of(clusterId)).toBeUndefined();
    });

    describe('seals', () => {
      const head = { epoch: 'e', version: 7, hash: 'abc' };

      it('are right for what any process of this database sealed, for that cluster', async () => {
        const shown = one.seals.sealed(clusterId, head);
        expect(shown).toMatchObject(head);
        expect([one, other].map(({ seals }) => seals.judge(clusterId, shown))).toEqual(['right', 'right']);
        expect((await under.open()).seals.judge(clusterId, shown)).toBe('right');
      });

      it('are wrong on anything else', () => {
        const { seal } = one.seals.sealed(clusterId, head);
        if (seal === undefined) throw new Error('a seal is missing');
        const shown = { ...head, seal };
        const made = [
          { ...shown, version: 8 },
          { ...shown, epoch: 'f' },
          { ...shown, hash: 'abd' },
          { ...shown, epoch: 'e","7', version: 7 },
          { ...shown, seal: `${seal}0` },
          { ...shown, seal: seal.slice(0, -2) },
          { ...shown, seal: `${seal.split('.')[0] ?? ''}.` },
        ];
        expect(made.map((each) => one.seals.judge(clusterId, each))).toEqual(Array(made.length).fill('wrong'));
        expect(one.seals.judge('another', shown)).toBe('wrong');
      });

      it('say nothing where there is none, or one by another key', () => {
        const { seal = '' } = one.seals.sealed(clusterId, head);
        const others = [head, ...['', '.', 'x', 'x.y', `x${seal}`].map((other) => ({ ...head, seal: other }))];
        expect(others.map((each) => one.seals.judge(clusterId, each))).toEqual(Array(others.length).fill('unknown'));
      });
    });

    describe('claims', () => {
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
  });
}
