import type { ClusterCommand } from '@systole/cluster';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import { MemoryFigures } from '../memory/memory-figures.js';
import type { Clock } from '../ports/clock.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { NewDispatch } from '../ports/dispatches.js';
import { DeliveryGroups, type Delivered } from './delivery-groups.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const NODES = ['n1', 'n2', 'n3'];
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes/><resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>';
const clock: Clock = { timeOfDay: () => 1_800_000_000_000, monotonic: () => 0, after: () => () => undefined };
const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
const meta = { actor: 'test', correlationId: 'test' };

describe('polls of a cluster that are delivered to', () => {
  let database: MemoryDatabase;
  let commands: ClusterCommands;
  let groups: DeliveryGroups;
  let figures: MemoryFigures;
  /** Transactions that were begun; each ends when it is let go on. */
  let begun: (() => void)[];
  let failing: Error | undefined;

  const execute = async (command: ClusterCommand): Promise<void> => {
    const result = await commands.execute(CLUSTER, command, meta);
    if (!result.ok) throw new Error(result.rejection.message);
  };
  const handOut = async (node: string, id: number): Promise<void> => {
    const action = { actionId: `${CLUSTER}:1:${String(id)}`, kind: 'operation' } as unknown as NewDispatch['action'];
    await database.dispatches.handOut(CLUSTER, 1, database.eventsOf(CLUSTER).length, [{ graphActionId: id, node, action }]);
  };
  const deliver = (node: string, { incarnation = 1, seq = 1, isEnding = (): boolean => false } = {}): Promise<Delivered> =>
    groups.deliver({ clusterId: CLUSTER, to: { node, incarnation, seq }, known: [], witness: undefined, isEnding });
  /** Lets transactions go on until nothing waits any more. */
  const letAllGoOn = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) {
      await new Promise(setImmediate);
      for (const goOn of begun) goOn();
    }
  };
  const idsOf = (delivered: Delivered): readonly string[] | string =>
    delivered.ok ? delivered.delivery.actions.map(({ actionId }) => actionId.split(':').at(-1) ?? '') : delivered.rejection.code;
  const rows = () => database.dispatches.ofTransition(CLUSTER, 1);

  beforeEach(async () => {
    database = new MemoryDatabase(clock);
    begun = [];
    failing = undefined;
    const log = database.openLog();
    commands = new ClusterCommands({ log, clock, chance });
    const waiting: ClusterLog['deliver'] = async (clusterId, decide) => {
      await new Promise<void>((resolve) => begun.push(resolve));
      if (failing !== undefined) throw failing;
      return log.deliver(clusterId, decide);
    };
    figures = new MemoryFigures();
    groups = new DeliveryGroups({ log: { deliver: waiting }, figures });
    await execute({ type: 'create-cluster', name: 'c', cib: CIB });
    for (const node of NODES) await execute({ type: 'join-node', node, agentVersion: '1', leaseMs: 10_000 });
    const counts = { actions: 3, pseudo: 0, fencing: 0 };
    await execute({
      type: 'plan-transition',
      plan: { inputVersion: 4, now: 1, schedulerVersion: '1', digest: 'd', counts, trigger: 't', summary: [] },
    });
    for (const [index, node] of NODES.entries()) await handOut(node, index + 1);
  });

  it('go together while the stream is waited for, and each is told what is its own', async () => {
    const waiting = NODES.map((node) => deliver(node));
    await letAllGoOn();
    expect((await Promise.all(waiting)).map(idsOf)).toEqual([['1'], ['2'], ['3']]);
    expect(begun).toHaveLength(1);
    expect(figures.deliveries).toEqual([{ polls: 3, actions: 3 }]);
    const [delivered] = await Promise.all(waiting);
    expect(delivered?.ok === true && delivered.at.head.version).toBe(5);
  });

  it('of which one is refused do not keep the others waiting, and nothing is stamped for that one', async () => {
    const waiting = [deliver('n1'), deliver('n2', { incarnation: 7 }), deliver('n3')];
    await letAllGoOn();
    expect((await Promise.all(waiting)).map(idsOf)).toEqual([['1'], 'lease-lost', ['3']]);
    expect(await rows()).toMatchObject([{ delivered: true }, { delivered: false }, { delivered: true }]);
    expect(begun).toHaveLength(1);
  });

  it('see what was recorded while they waited for the stream', async () => {
    const waiting = NODES.map((node) => deliver(node));
    await execute({ type: 'abort-transition', number: 1, reason: 'test' });
    await letAllGoOn();
    expect((await Promise.all(waiting)).map(idsOf)).toEqual([[], [], []]);
    expect(figures.deliveries).toEqual([]);
    expect(await rows()).toMatchObject([{ delivered: false }, { delivered: false }, { delivered: false }]);
    const first = await waiting[0];
    expect(first?.ok === true && first.delivery.withdrawable).toBe(true);
  });

  it('of one node go one after the other', async () => {
    const waiting = [deliver('n1', { seq: 1 }), deliver('n1', { seq: 2 }), deliver('n2')];
    await letAllGoOn();
    expect((await Promise.all(waiting)).map(idsOf)).toEqual([['1'], ['1'], ['2']]);
    expect(begun).toHaveLength(2);
  });

  it('that nobody waits for any more are given nothing', async () => {
    const waiting = [deliver('n1', { isEnding: () => true }), deliver('n2')];
    await letAllGoOn();
    expect((await Promise.all(waiting)).map(idsOf)).toEqual([[], ['2']]);
    expect(await rows()).toMatchObject([{ delivered: false }, { delivered: true }, { delivered: false }]);
  });

  it('whose agent goes while they are given something are given it again: the answer went nowhere', async () => {
    let gone = false;
    const lost = deliver('n1', { isEnding: () => gone });
    await letAllGoOn();
    gone = true;
    expect(idsOf(await lost)).toEqual(['1']);
    const next = deliver('n1', { seq: 2 });
    await letAllGoOn();
    expect(idsOf(await next)).toEqual(['1']);
    // One that was sent before it, and comes late, takes nothing from it.
    const late = deliver('n1', { seq: 1 });
    await letAllGoOn();
    expect(idsOf(await late)).toEqual([]);
  });

  it('all hear of it when the database is away, and those after them are tried anew', async () => {
    failing = new Error('away');
    const waiting = NODES.map((node) => deliver(node).catch((error: unknown) => (error as Error).message));
    await letAllGoOn();
    expect(await Promise.all(waiting)).toEqual(['away', 'away', 'away']);
    failing = undefined;
    const again = deliver('n1');
    await letAllGoOn();
    expect(idsOf(await again)).toEqual(['1']);
  });
});
