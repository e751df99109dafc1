import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterCommand, ClusterEvent, LogHead } from '@systole/cluster';
import { NotServing, ServiceLapses, type ClusterCommands, type ExecuteOptions, type ExecuteResult } from '@systole/control-plane';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import {
  ClusterCatalog,
  ClusterStates,
  rebuildAll,
  type FoldContradicted,
  STATE_SNAPSHOT_SCHEMA,
  TransitionList,
} from '@systole/read-models';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { leasesIn, PostgresLeases } from './leases/postgres-leases.js';
import { PostgresDispatchSignals } from './dispatches/dispatch-signals.js';
import { postgresPorts } from './postgres-ports.js';

const TEST = { by: 'test', report: { warn: () => undefined } };
const lapsesNow = (): ServiceLapses => new ServiceLapses({ monotonic: () => performance.now() });
const META = { actor: 'test', correlationId: 'test' };

let database: ScratchDatabase;
let store: EventStore<ClusterEvent>;
let states: ClusterStates;
let commands: ClusterCommands;

beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  store = new EventStore<ClusterEvent>(database.pool);
  states = new ClusterStates(store);
  commands = postgresPorts(database.pool, store, states, TEST).commands();
  return () => store.close();
});

async function execute(id: string, command: ClusterCommand): Promise<Extract<ExecuteResult, { ok: true }>> {
  const result = await commands.execute(id, command, META);
  if (!result.ok) throw new Error(result.rejection.message);
  return result;
}

async function newCluster(): Promise<string> {
  const id = randomUUID();
  await execute(id, { type: 'create-cluster', name: `c-${id}` });
  return id;
}

const attribute = (value: string, name = 'a'): ClusterCommand => ({
  type: 'set-node-attribute',
  node: 'n1',
  name,
  value,
  lifetime: 'reboot',
});
const join: ClusterCommand = { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 10_000 };

/** Plans a transition of one action and ends it. */
async function transition(id: string): Promise<number> {
  const { version } = await states.load(id);
  await execute(id, {
    type: 'plan-transition',
    plan: {
      inputVersion: version,
      now: 1_800_000_000,
      schedulerVersion: '1',
      digest: 'd'.repeat(64),
      counts: { actions: 1, pseudo: 2, fencing: 0 },
      trigger: 'test',
      summary: ['start a on n1'],
    },
  });
  const { lastTransitionNumber: number } = await states.load(id);
  await execute(id, { type: 'complete-transition', result: { number, outcome: 'complete', completed: 3, skipped: 0, failed: 0 } });
  return number;
}

describe('executing commands', () => {
  it('applies every command of several processes at once, none twice', async () => {
    const id = await newCluster();
    await execute(id, join);
    const processes = Array.from({ length: 4 }, () => {
      const own = new ClusterStates(store);
      return postgresPorts(database.pool, store, own, TEST).commands();
    });
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (processes[index % 4] ?? commands).execute(id, attribute('x', `a${index}`), META)),
    );
    expect(results.map(({ ok }) => ok)).toEqual(Array.from({ length: 40 }, () => true));
    const events = await store.readStream(id, { fromVersion: 3 });
    expect(events.map(({ version }) => version)).toEqual(Array.from({ length: 40 }, (_, index) => index + 3));
    expect(new Set(events.map(({ data }) => ('name' in data ? data.name : ''))).size).toBe(40);
  });

  it('decides several commands one on the other, and appends all or none', async () => {
    const id = await newCluster();
    const all = await commands.executeAll(id, [join, attribute('1'), attribute('1')], META);
    expect(all.ok && all.events.map(({ type }) => type)).toEqual(['NodeJoined', 'NodeAttributeSet']);
    const none = await commands.executeAll(id, [attribute('2'), { ...join, node: 'not a name' }], META);
    expect(none.ok).toBe(false);
    expect((await states.load(id)).version).toBe(3);
  });

  it.each<[string, ClusterCommand, string]>([
    ['a text that holds U+0000', attribute('\0'), 'a'],
    ['half a character', attribute('\ud800'), 'a'],
    ['an action whose id holds U+0000', attribute('1'), '\0'],
  ])('refuses %s, and nothing else of what came at the same moment', async (_, refused, actionId) => {
    const id = await newCluster();
    await execute(id, join);
    const completing = (answered: string): ExecuteOptions => ({ ...META, answers: { node: 'n1', actionIds: [answered] } });
    const results = await Promise.allSettled([
      commands.execute(id, attribute('1', 'first'), META),
      commands.execute(id, attribute('1', 'before'), completing('a')),
      commands.execute(id, refused, completing(actionId)),
      commands.execute(id, attribute('1', 'after'), completing('a')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(results[2]).toMatchObject({ reason: { name: 'Unstorable' } });
    expect((await states.load(id)).version).toBe(5);
  });

  it('tells of what was appended, once it is', async () => {
    const told: [string, number][] = [];
    const own = postgresPorts(database.pool, store, states, TEST).commands({
      onAppended: (cluster, version) => told.push([cluster, version]),
    });
    const id = randomUUID();
    await own.execute(id, { type: 'create-cluster', name: id }, META);
    await own.execute(id, { type: 'delete-cluster' }, META);
    expect(told).toEqual([
      [id, 1],
      [id, 2],
    ]);
  });

  it('lets those who listen hear of what is stored with tables together: each notification would commit alone in the whole server', async () => {
    const listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
    onTestFinished(() => listener.end());
    const heard: string[] = [];
    let notifications = 0;
    listener.on('notification', ({ payload = '' }) => {
      notifications += 1;
      heard.push(...payload.split('\u001e'));
    });
    await listener.query('LISTEN systole_events');
    const ids = Array.from({ length: 40 }, () => randomUUID());
    await Promise.all(ids.map((id) => execute(id, { type: 'create-cluster', name: id })));
    await expect.poll(() => ids.filter((id) => heard.includes(`1:${id}`)).length, { timeout: 5_000 }).toBe(40);
    expect(notifications).toBeLessThan(30);
  });

  it('previews without appending', async () => {
    const id = await newCluster();
    const preview = await commands.preview(id, join, { actor: 'test', correlationId: 'c', now: '2026-01-01T00:00:00.000Z' });
    expect(preview.ok && preview.after.nodes['n1']?.membership).toBe('joined');
    expect((await states.load(id)).nodes).toEqual({});
  });
});

describe('states', () => {
  it('stay witnesses of the log of clusters for which there was no room any more', async () => {
    const [id, other] = [await newCluster(), await newCluster()];
    await execute(id, join);
    await execute(id, attribute('1'));
    const few = new ClusterStates(store, { cachedBytes: 1 });
    expect((await few.load(id)).version).toBe(3);
    await few.load(other);
    await database.pool.query('ALTER TABLE events DISABLE TRIGGER USER');
    await database.pool.query('DELETE FROM events WHERE stream_id = $1 AND version > 2', [id]);
    await database.pool.query('ALTER TABLE events ENABLE TRIGGER USER');
    for (const attempt of [1, 2]) {
      await expect(few.load(id), String(attempt)).rejects.toMatchObject({ name: 'FoldContradicted', witness: { version: 3 } });
      await few.load(other);
    }
    // A new epoch begins, which names what was read as lost.
    const fresh = new ClusterStates(store);
    const own = postgresPorts(database.pool, store, fresh, TEST).commands();
    const contradicted = await few.load(id).catch((error: unknown) => (error as FoldContradicted).witness);
    const begun: ClusterCommand = {
      type: 'begin-epoch',
      clusterId: id,
      epoch: randomUUID(),
      reason: 'test',
      by: 'test',
      witness: contradicted as LogHead,
      proven: true,
    };
    expect(await own.execute(id, begun, META)).toMatchObject({ ok: true, version: 3 });
    await few.load(other);
    expect((await few.load(id)).version).toBe(3);
  });

  it('contain what other processes appended before the load', async () => {
    const id = await newCluster();
    const other = new ClusterStates(store);
    expect((await other.load(id)).version).toBe(1);
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { version } = await execute(id, { ...join, node: `n${index}` });
        expect((await other.load(id)).version).toBeGreaterThanOrEqual(version);
      }),
    );
    expect((await other.load(id)).version).toBe(21);
  });

  it('are the same from a snapshot as from the first event', async () => {
    const saving = new ClusterStates(store, { snapshotEvery: 5 });
    const id = await newCluster();
    for (let count = 0; count < 7; count++) await execute(id, join);
    const full = await saving.load(id);
    for (let tries = 0; tries < 100 && (await store.loadSnapshot(id, STATE_SNAPSHOT_SCHEMA)) === undefined; tries++) await sleep(10);
    expect((await store.loadSnapshot(id, STATE_SNAPSHOT_SCHEMA))?.version).toBe(5);
    await execute(id, attribute('1'));
    expect(await new ClusterStates(store).load(id)).toEqual(await states.load(id));
    expect(await new ClusterStates(store).loadAt(id, 8)).toEqual(full);
  });

  it('are the same whatever is thrown away meanwhile: memory, snapshots, both', async () => {
    const [id, other] = [await newCluster(), await newCluster()];
    const careless = new ClusterStates(store, { snapshotEvery: 3, cachedBytes: 1 });
    const kept = new ClusterStates(store);
    const losses: readonly (() => Promise<unknown>)[] = [
      () => careless.load(other),
      async () => {
        careless.forget();
        await sleep(1);
      },
      () => store.deleteSnapshots(id),
      () => sleep(20),
    ];
    await execute(id, join);
    for (let count = 0; count < 40; count++) {
      await execute(id, count % 5 === 0 ? { ...join, node: `n${count}` } : attribute(String(count)));
      expect(await careless.load(id)).toEqual(await kept.load(id));
      await losses[(count * 7) % 5]?.();
    }
    const whole = new ClusterStates(store, { snapshotEvery: 1_000_000 });
    await store.deleteSnapshots(id);
    expect(await whole.load(id)).toEqual(await kept.load(id));
  });

  it('of the past can be had', async () => {
    const id = await newCluster();
    await execute(id, join);
    await execute(id, { type: 'leave-node', node: 'n1', incarnation: 1 });
    expect((await states.loadAt(id, 1)).nodes).toEqual({});
    expect((await states.loadAt(id, 2)).nodes['n1']?.membership).toBe('joined');
    expect((await states.loadAt(id, 3)).nodes['n1']?.membership).toBe('left');
  });

  it('are saved on the way of a log that is read anew, so that its past is at hand', async () => {
    const id = await newCluster();
    await execute(id, join);
    for (let count = 0; count < 40; count++) await execute(id, attribute(String(count)));
    await store.deleteSnapshots(id);
    await new ClusterStates(store, { snapshotEvery: 5 }).load(id);
    const saved = (): Promise<unknown> => store.loadSnapshot(id, STATE_SNAPSHOT_SCHEMA, 30);
    await expect.poll(saved).toBeDefined();
  });

  it('of clusters that never were are not kept', async () => {
    expect((await states.load(randomUUID())).existence).toBe('none');
  });
});

describe('what is derived', () => {
  it('is the same after it was deleted and made again from the events', async () => {
    const ids = [await newCluster(), await newCluster()];
    for (const id of ids) {
      await execute(id, join);
      await transition(id);
      await execute(id, attribute('1'));
      await transition(id);
    }
    const gone = await newCluster();
    await execute(gone, { type: 'delete-cluster' });
    const derived = async (): Promise<unknown> => {
      const fresh = new ClusterStates(store);
      const list = new TransitionList(database.pool);
      return {
        clusters: await new ClusterCatalog(database.pool).list({ limit: 1_000 }),
        deleted: (await database.pool.query(`SELECT id, deleted_at, version FROM clusters WHERE id = $1`, [gone])).rows,
        transitions: await Promise.all(ids.map((id) => list.list(id, { limit: 100 }))),
        states: await Promise.all(ids.map((id) => fresh.load(id))),
      };
    };
    const before = await derived();
    expect(before).toMatchObject({
      transitions: [
        [{ number: 2, status: 'complete', counts: { actions: 1, pseudo: 2, fencing: 0 } }, {}],
        [{}, {}],
      ],
    });
    await database.pool.query('DELETE FROM clusters; DELETE FROM transitions; DELETE FROM snapshots');
    expect(await derived()).not.toEqual(before);
    const catalog = new ClusterCatalog(database.pool);
    expect(await catalog.unlisted(1_000)).toEqual(expect.arrayContaining([...ids, gone]) as unknown);
    expect(await catalog.unlisted(2)).toHaveLength(2);
    expect((await rebuildAll(database.pool, store, states)).clusters).toBeGreaterThanOrEqual(3);
    expect(await derived()).toEqual(before);
    expect(await catalog.unlisted(1_000)).toEqual([]);
  });

  it('stays as it is when it is made again, graphs included; what had been changed is said', async () => {
    const id = await newCluster();
    await execute(id, join);
    await transition(id);
    await database.pool.query(`UPDATE transitions SET packed_graph = 'synapses' WHERE cluster_id = $1`, [id]);
    await rebuildAll(database.pool, store, states);
    const rows = async (): Promise<unknown> => (await database.pool.query(`SELECT * FROM transitions WHERE cluster_id = $1`, [id])).rows;
    const before = await rows();
    expect(await rebuildAll(database.pool, store, states)).toMatchObject({ differences: [] });
    expect(await rows()).toEqual(before);
    expect(before).toMatchObject([{ packed_graph: Buffer.from('synapses') }]);

    await database.pool.query(`UPDATE transitions SET summary = '["forged"]' WHERE cluster_id = $1`, [id]);
    await database.pool.query(`UPDATE clusters SET name = 'forged' WHERE id = $1`, [id]);
    expect((await rebuildAll(database.pool, store, states)).differences).toEqual([
      { clusterId: id, what: 'cluster' },
      { clusterId: id, what: 'transition 1' },
    ]);
    expect(await rows()).toEqual(before);
  });

  it('from the events is what a restart serves, whatever stands in the snapshots', async () => {
    const id = await newCluster();
    await execute(id, join);
    await execute(id, attribute('genuine'));
    await states.rebuild(id);
    const truth = await states.load(id);
    await database.pool.query(`UPDATE snapshots SET data = replace(data::text, 'genuine', 'forged')::json WHERE stream_id = $1`, [id]);
    expect((await database.pool.query(`SELECT FROM snapshots WHERE data::text LIKE '%forged%'`)).rowCount).toBe(1);
    expect(await new ClusterStates(store).load(id)).toEqual(truth);
    expect(await store.verifyChain({ streamId: id })).toMatchObject({ intact: false, fault: 'snapshot-differs' });
    await states.rebuild(id);
    expect(await store.verifyChain({ streamId: id })).toMatchObject({ intact: true });
  });

  it('does not wait for the worker: a plan without actions is complete as it is', async () => {
    const id = await newCluster();
    const { version } = await states.load(id);
    const plan = {
      inputVersion: version,
      now: 1,
      schedulerVersion: '1',
      digest: 'e'.repeat(64),
      counts: { actions: 0, pseudo: 0, fencing: 0 },
      trigger: 'test',
      summary: [],
    };
    await execute(id, { type: 'plan-transition', plan });
    expect((await new TransitionList(database.pool).list(id, { limit: 1 }))[0]).toMatchObject({ number: 1, status: 'complete' });
  });
});

describe('leases', () => {
  const lease = (clusterId: string, incarnation: number, leaseMs: number) => ({
    clusterId,
    node: 'n1',
    incarnation,
    tokenId: 't',
    leaseMs,
    presence: { type: 'renews' } as const,
  });

  it('are renewed many at once, each by its own incarnation', async () => {
    const id = randomUUID();
    const leases = new PostgresLeases(database.pool, lapsesNow());
    const nodes = Array.from({ length: 200 }, (_, index) => `n${index}`);
    await Promise.all(nodes.map((node, index) => leasesIn(database.pool).grant({ ...lease(id, 1, 1_000 + index), node })));
    const renewed = await Promise.all(nodes.map((node, index) => leases.renew(id, node, index % 2 === 0 ? 1 : 2, { type: 'renews' })));
    expect(renewed.map((lease) => lease?.leaseMs)).toEqual(nodes.map((_, index) => (index % 2 === 0 ? 1_000 + index : undefined)));
  });

  it('are renewed while somebody holds the row of another, which is renewed as soon as it is free', async () => {
    const id = randomUUID();
    const leases = new PostgresLeases(database.pool, lapsesNow());
    for (const node of ['n1', 'n2']) await leasesIn(database.pool).grant({ ...lease(id, 1, 1_000), node });
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT FROM node_leases WHERE cluster_id = $1 AND node = 'n1' FOR UPDATE`, [id]);
      let held: number | undefined | 'waits' = 'waits';
      const waiting = leases.renew(id, 'n1', 1, { type: 'renews' }).then((renewed) => (held = renewed?.leaseMs));
      for (let times = 0; times < 3; times++)
        expect(await Promise.race([leases.renew(id, 'n2', 1, { type: 'renews' }), sleep(2_000)])).toMatchObject({ leaseMs: 1_000 });
      expect(held).toBe('waits');
      await client.query('COMMIT');
      expect(await waiting).toBe(1_000);
    } finally {
      client.release();
    }
  });

  it('that can not be renewed leave the api without beats, but not the worker; a row that is held does not', async () => {
    const id = randomUUID();
    await leasesIn(database.pool).grant(lease(id, 1, 1_000));
    const lapses = lapsesNow();
    const { leases, heartbeats, workerHeartbeats } = postgresPorts(database.pool, store, states, { ...TEST, lapses });
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM node_leases WHERE cluster_id = $1 FOR UPDATE', [id]);
      const held = leases.renew(id, 'n1', 1, { type: 'renews' });
      await sleep(2_500);
      await heartbeats.beat('api', true);
      await client.query('COMMIT');
      expect(await held).toMatchObject({ leaseMs: 1_000 });
      await client.query('BEGIN');
      await client.query('LOCK TABLE node_leases');
      const renewed = leases.renew(id, 'n1', 1, { type: 'renews' });
      await sleep(2_500);
      await expect(heartbeats.beat('api', true)).rejects.toThrow(NotServing);
      await workerHeartbeats.beat('worker', true);
      await client.query('ROLLBACK');
      expect(await renewed).toMatchObject({ leaseMs: 1_000 });
      await heartbeats.beat('api', false);
    } finally {
      client.release();
    }
  });

  it('are not held while the end of one waits for its stream', async () => {
    const id = await newCluster();
    await execute(id, join);
    await leasesIn(database.pool).grant(lease(id, 1, 1_000));
    const leases = new PostgresLeases(database.pool, lapsesNow());
    const [held] = await leases.ofCluster(id);
    if (held === undefined) throw new Error('no lease');
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await store.appendIn(client, id, 2, [{ type: 'ClusterDeleted', data: {} }], { ...META, command: 'test' });
      const ending = commands.execute(
        id,
        { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: '' },
        { ...META, guard: (tables) => tables.leases.endUnrenewed(held) },
      );
      await sleep(100);
      expect(await Promise.race([leases.renew(id, 'n1', 1, { type: 'renews' }), sleep(2_000)])).toMatchObject({ leaseMs: 1_000 });
      await client.query('ROLLBACK');
      expect(await ending).toMatchObject({ ok: true, events: [] });
    } finally {
      client.release();
    }
  });
});

describe('deliveries', () => {
  it('and appends exclude one another: whoever waits sees what the other did', async () => {
    const id = await newCluster();
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await store.appendIn(client, id, 1, [{ type: 'ClusterDeleted', data: {} }], { ...META, command: 'test' });
      const { log } = postgresPorts(database.pool, store, states, TEST);
      let existence = '';
      const waiting = log.deliver(id, ({ state }) => {
        existence = state.existence;
        return undefined;
      });
      await sleep(50);
      await client.query('COMMIT');
      expect(await waiting).toEqual([]);
      expect(existence).toBe('deleted');
    } finally {
      client.release();
    }
  });

  it('are announced to who listens, also after the connection was lost', async () => {
    const signals = await PostgresDispatchSignals.open(database.pool);
    const woken: string[] = [];
    const forget = signals.listen('c', 'n1', (signal) => woken.push(signal));
    const notify = async (payload: string): Promise<void> => {
      await database.pool.query(`SELECT pg_notify('systole_dispatch', $1)`, [payload]);
    };
    const until = async (count: number): Promise<void> => {
      for (let tries = 0; tries < 300 && woken.length < count; tries++) await sleep(10);
      expect(woken.length).toBeGreaterThanOrEqual(count);
    };
    await notify('c/n2');
    await notify('c/n1');
    await until(1);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'systole-listen-%' AND datname = current_database()`,
    );
    await until(2);
    await notify('c/n1');
    await until(3);
    expect(woken.slice(0, 3)).toEqual(['handed-out', 'missed', 'handed-out']);
    forget();
    await signals.close();
  });
});

describe('a log with an event of a type that a newer release brought', () => {
  it('is refused as too new, and whoever meets it does not count as serving agents', async () => {
    const lapses = lapsesNow();
    const ports = postgresPorts(database.pool, store, states, { ...TEST, lapses });
    const id = await newCluster();
    const newer = new EventStore<{ readonly type: string; readonly data: object }>(database.pool);
    await newer.append(id, 'any', [{ type: 'SomethingNewer', data: {} }], { ...META, command: 'test' });
    await newer.close();
    await expect(ports.log.load(id)).rejects.toMatchObject({
      name: 'LogTooNew',
      cause: { name: 'UnknownEventType', type: 'SomethingNewer' },
    });
    await expect(ports.heartbeats.beat(randomUUID(), true)).rejects.toThrow(NotServing);
    const other = await newCluster();
    expect((await ports.log.load(other)).existence).toBe('active');
  });
});
