import type { AgentAction } from '@systole/cluster';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppendPart } from '../ports/cluster-log.js';
import { actionText, operationIn, type Delivery, type LostDispatch, type Recipient } from '../ports/dispatches.js';
import { attribute, clock, JOIN, type PortBench, type PortsOfProcess, type PortsUnderTest } from './port-bench.js';

/** What is handed out to agents, and delivered. */
export function describeDispatches(bench: PortBench): void {
  describe('dispatches', () => {
    const { execute, partOf } = bench;
    let under: PortsUnderTest;
    let one: PortsOfProcess;
    let other: PortsOfProcess;
    let clusterId: string;
    beforeEach(() => {
      ({ under, one, other, clusterId } = bench.now());
    });

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
      const open = await other.dispatches.unanswered(clusterId, 1);
      expect(open).toMatchObject([
        { graphActionId: 2, node: 'n1', what: actionText(actionOf(2)), ...operationIn(actionOf(2)), delivered: true },
        { graphActionId: 3, node: 'n2', what: actionText(actionOf(3)), ...operationIn(actionOf(3)), delivered: false },
      ]);
      for (const { forMs } of open) expect(forMs).toBeGreaterThanOrEqual(0);
      expect(await other.dispatches.unanswered(clusterId, 2)).toEqual([]);
      expect(await other.dispatches.openOperations(clusterId, 1)).toMatchObject([
        { graphActionId: 2, node: 'n1', action: actionOf(2), incarnation: expect.any(Number) as number },
        { graphActionId: 3, node: 'n2', action: actionOf(3) },
      ]);
      expect(await other.dispatches.openOperations(clusterId, 2)).toEqual([]);
      const ids = [actionOf(1).actionId, actionOf(2).actionId];
      const there = await other.dispatches.ofActions(clusterId, [...ids, ...ids, 'unknown']);
      expect(there.map(({ actionId }) => actionId).sort()).toEqual([...ids].sort());
      // The first was answered, the second given, and no more is known of n1's.
      const delivered = (node: string) => other.dispatches.delivered(clusterId, node, [...ids, actionOf(3).actionId, 'unknown']);
      expect([...(await delivered('n1'))].sort()).toEqual([...ids].sort());
      expect([...(await delivered('n2'))]).toEqual([]);
    });

    it('bear the time at which they were handed out, by the clock of the database, but for those that were written again', async () => {
      await handOut(1);
      await handOut(2, { node: 'n2' });
      await one.dispatches.restore(clusterId, 1, 2, [
        { graphActionId: 3, node: 'n1', action: actionOf(3), incarnation: 1, completed: false },
      ]);
      const ids = [1, 2, 3].map((id) => actionOf(id).actionId);
      const at = await other.dispatches.handedOutAt(clusterId, 'n1', [...ids, 'unknown']);
      expect([...at.keys()]).toEqual([actionOf(1).actionId]);
      expect(Math.abs((at.get(actionOf(1).actionId) ?? 0) - clock.timeOfDay())).toBeLessThan(60_000);
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
}
