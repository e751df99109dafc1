import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterCommand, ClusterEvent } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AccessTokens,
  ActionDeliveries,
  ClusterCatalog,
  ClusterCommands,
  ClusterStates,
  DispatchSignals,
  IdempotencyKeys,
  type KeyClaim,
  NodeLeases,
  rebuildAll,
  STATE_SNAPSHOT_SCHEMA,
  TransitionList,
  type ExecuteResult,
  type NodeLease,
} from './index.js';

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
  commands = new ClusterCommands(database.pool, store, states);
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
      return new ClusterCommands(database.pool, store, own);
    });
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (processes[index % 4] ?? commands).execute(id, attribute('x', `a${index}`), META)),
    );
    expect(results.map(({ ok }) => ok)).toEqual(Array.from({ length: 40 }, () => true));
    const events = await store.readStream(id, { fromVersion: 3 });
    expect(events.map(({ version }) => version)).toEqual(Array.from({ length: 40 }, (_, index) => index + 3));
    expect(new Set(events.map(({ data }) => ('name' in data ? data.name : ''))).size).toBe(40);
  });

  it('lets one of several commands with the same expected version win', async () => {
    const id = await newCluster();
    await execute(id, join);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => commands.execute(id, attribute(String(index)), { ...META, expectedVersion: 2 })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.flatMap((result) => (result.ok ? [] : [result.rejection.code]))).toEqual(
      Array.from({ length: 7 }, () => 'version-mismatch'),
    );
  });

  it('appends nothing when the work in its transaction fails, or its guard says no', async () => {
    const id = await newCluster();
    await execute(id, join);
    const failing = commands.execute(id, attribute('1'), { ...META, within: () => Promise.reject(new Error('no')) });
    await expect(failing).rejects.toThrow('no');
    const guarded = await commands.execute(id, attribute('1'), { ...META, guard: () => Promise.resolve(false) });
    expect(guarded).toEqual({ ok: true, version: 2, events: [] });
    expect((await states.load(id)).version).toBe(2);
  });

  it('decides several commands one on the other, and appends all or none', async () => {
    const id = await newCluster();
    const all = await commands.executeAll(id, [join, attribute('1'), attribute('1')], META);
    expect(all.ok && all.events.map(({ type }) => type)).toEqual(['NodeJoined', 'NodeAttributeSet']);
    const none = await commands.executeAll(id, [attribute('2'), { ...join, node: 'not a name' }], META);
    expect(none.ok).toBe(false);
    expect((await states.load(id)).version).toBe(3);
  });

  it('tells of what was appended, once it is', async () => {
    const told: [string, number][] = [];
    const own = new ClusterCommands(database.pool, store, states, { onAppended: (cluster, version) => told.push([cluster, version]) });
    const id = randomUUID();
    await own.execute(id, { type: 'create-cluster', name: id }, META);
    await own.execute(id, { type: 'delete-cluster' }, META);
    expect(told).toEqual([
      [id, 1],
      [id, 2],
    ]);
  });

  it('previews without appending', async () => {
    const id = await newCluster();
    const preview = await commands.preview(id, join, { actor: 'test', now: '2026-01-01T00:00:00.000Z' });
    expect(preview.ok && preview.after.nodes['n1']?.membership).toBe('joined');
    expect((await states.load(id)).nodes).toEqual({});
  });
});

describe('states', () => {
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
    expect((await store.loadSnapshot(id, STATE_SNAPSHOT_SCHEMA))?.version).toBe(8);
    await execute(id, attribute('1'));
    expect(await new ClusterStates(store).load(id)).toEqual(await states.load(id));
    expect(await new ClusterStates(store).loadAt(id, 8)).toEqual(full);
  });

  it('of the past can be had', async () => {
    const id = await newCluster();
    await execute(id, join);
    await execute(id, { type: 'leave-node', node: 'n1', incarnation: 1 });
    expect((await states.loadAt(id, 1)).nodes).toEqual({});
    expect((await states.loadAt(id, 2)).nodes['n1']?.membership).toBe('joined');
    expect((await states.loadAt(id, 3)).nodes['n1']?.membership).toBe('left');
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
    expect(await rebuildAll(database.pool, store, states)).toBeGreaterThanOrEqual(3);
    expect(await derived()).toEqual(before);
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
  });

  it('are renewed by their incarnation only, and never taken back by an older one', async () => {
    const id = randomUUID();
    const leases = new NodeLeases(database.pool);
    await NodeLeases.grant(database.pool, lease(id, 2, 1_000));
    await NodeLeases.grant(database.pool, lease(id, 1, 5_000));
    expect(await leases.renew(id, 'n1', 1)).toBeUndefined();
    expect(await leases.renew(id, 'n1', 2)).toBe(1_000);
    expect(await leases.ofCluster(id)).toMatchObject([{ node: 'n1', incarnation: 2, leaseMs: 1_000 }]);
  });

  it('are renewed many at once, each by its own incarnation', async () => {
    const id = randomUUID();
    const leases = new NodeLeases(database.pool);
    const nodes = Array.from({ length: 200 }, (_, index) => `n${index}`);
    await Promise.all(nodes.map((node, index) => NodeLeases.grant(database.pool, { ...lease(id, 1, 1_000 + index), node })));
    const renewed = await Promise.all(nodes.map((node, index) => leases.renew(id, node, index % 2 === 0 ? 1 : 2)));
    expect(renewed).toEqual(nodes.map((_, index) => (index % 2 === 0 ? 1_000 + index : undefined)));
  });

  it('end only at the renewal that was judged, whatever the clock says', async () => {
    const id = randomUUID();
    const leases = new NodeLeases(database.pool);
    await NodeLeases.grant(database.pool, lease(id, 1, 60_000));
    const judged = async (): Promise<NodeLease> => {
      const found = (await leases.all()).find(({ clusterId }) => clusterId === id);
      if (!found) throw new Error('no lease');
      return found;
    };
    const granted = await judged();
    await leases.renew(id, 'n1', 1);
    const client = await database.pool.connect();
    try {
      expect(await NodeLeases.endUnrenewed(client, granted)).toBe(false);
      const last = await judged();
      expect(Date.parse(last.expiresAt)).toBeGreaterThan(Date.now() + 30_000);
      expect(await NodeLeases.endUnrenewed(client, last)).toBe(true);
    } finally {
      client.release();
    }
    expect(await leases.renew(id, 'n1', 1)).toBeUndefined();
  });
});

describe('deliveries', () => {
  it('stamp nothing when the stream is not where the caller thinks', async () => {
    const id = await newCluster();
    await execute(id, join);
    const deliveries = new ActionDeliveries(database.pool);
    await database.pool.query(
      `INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload) VALUES ($1, 'x', 1, 1, 'n1', '{"kind":"operation"}')`,
      [id],
    );
    const to = { node: 'n1', incarnation: 1 };
    expect(await deliveries.anyOpen(id, 'n1', [])).toBe(true);
    expect(await deliveries.anyOpen(id, 'n1', ['x'])).toBe(false);
    expect(await deliveries.deliver(id, to, [], { transition: 1, version: 1 })).toBeUndefined();
    expect(await deliveries.deliver(id, to, [], { transition: 2, version: 2 })).toEqual({
      actions: [],
      shutdown: false,
      withdrawable: false,
    });
    expect(await deliveries.deliver(id, to, [], { transition: 1, version: 2 })).toMatchObject({ actions: [{ kind: 'operation' }] });
  });

  describe('whose answer was lost', () => {
    const deliveredBy = async (id: string, seq: number | undefined, operation = 'stop', incarnation = 1): Promise<void> => {
      await execute(id, join);
      await database.pool.query(
        `INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload)
         VALUES ($1, 'x', 1, 1, 'n1', jsonb_build_object('kind', 'operation', 'operation', $2::text))`,
        [id, operation],
      );
      const by = { node: 'n1', incarnation, ...(seq === undefined ? {} : { seq }) };
      expect(await new ActionDeliveries(database.pool).deliver(id, by, [], { transition: 1, version: 2 })).toMatchObject({
        actions: [{ operation }],
      });
    };
    const poll = (
      id: string,
      seq: number | undefined,
      known: readonly string[],
      aborting: boolean,
    ): ReturnType<ActionDeliveries['deliver']> =>
      new ActionDeliveries(database.pool).deliver(id, { node: 'n1', incarnation: 2, ...(seq === undefined ? {} : { seq }) }, known, {
        transition: 1,
        version: 2,
        aborting,
      });
    const stamp = async (id: string): Promise<unknown> =>
      (
        await database.pool.query<{ to: number | null; seq: number | null }>(
          'SELECT delivered_to AS to, delivered_seq::integer AS seq FROM action_dispatches WHERE cluster_id = $1',
          [id],
        )
      ).rows[0];
    const UNDELIVERED = { to: null, seq: null };

    it('are made again by the next poll while the transition runs', async () => {
      const id = await newCluster();
      await deliveredBy(id, 4, 'stop', 2);
      expect(await poll(id, 5, [], false)).toMatchObject({ actions: [{ operation: 'stop' }] });
      expect(await stamp(id)).toEqual({ to: 2, seq: 5 });
    });

    it('count as never made once the transition is aborting, until the worker has taken them back', async () => {
      const id = await newCluster();
      await deliveredBy(id, 4, 'stop', 2);
      const taken = { actions: [], shutdown: false, withdrawable: true };
      expect(await poll(id, 5, [], true)).toEqual(taken);
      expect(await stamp(id)).toEqual(UNDELIVERED);
      expect(await poll(id, 5, [], true)).toEqual(taken);
    });

    it('stand when the agent knows of them', async () => {
      const id = await newCluster();
      await deliveredBy(id, 4, 'stop', 2);
      for (const aborting of [false, true]) expect(await poll(id, 5, ['x'], aborting)).toMatchObject({ actions: [], withdrawable: false });
      expect(await stamp(id)).toEqual({ to: 2, seq: 4 });
    });

    it('stand as long as no later poll has come: the same one again and an earlier one say nothing', async () => {
      const id = await newCluster();
      await deliveredBy(id, 4, 'stop', 2);
      for (const seq of [4, 3]) expect(await poll(id, seq, [], true)).toMatchObject({ withdrawable: false });
      expect(await stamp(id)).toEqual({ to: 2, seq: 4 });
    });

    it('keep the stamp of the latest poll, though an earlier one is still held open', async () => {
      const id = await newCluster();
      await deliveredBy(id, 4, 'stop', 2);
      expect(await poll(id, 3, [], false)).toMatchObject({ actions: [] });
      expect(await stamp(id)).toEqual({ to: 2, seq: 4 });
    });

    it('stand when the agent does not count its polls', async () => {
      const id = await newCluster();
      await deliveredBy(id, undefined, 'stop', 2);
      expect(await poll(id, undefined, [], true)).toMatchObject({ withdrawable: false });
      expect(await stamp(id)).toEqual({ to: 2, seq: null });
    });

    it('count as never made when they were for an incarnation that has ended', async () => {
      const id = await newCluster();
      await deliveredBy(id, 9, 'stop', 1);
      expect(await poll(id, 1, [], true)).toMatchObject({ withdrawable: true });
      expect(await stamp(id)).toEqual(UNDELIVERED);
    });

    it('are made again though the transition is aborting when they are notifications, which change nothing', async () => {
      const id = await newCluster();
      await deliveredBy(id, 4, 'notify', 2);
      expect(await poll(id, 5, [], true)).toMatchObject({ actions: [{ operation: 'notify' }], withdrawable: false });
      expect(await stamp(id)).toEqual({ to: 2, seq: 5 });
    });
  });

  it('and appends exclude one another: whoever waits sees what the other did', async () => {
    const id = await newCluster();
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await store.appendIn(client, id, 1, [{ type: 'ClusterDeleted', data: {} }], { ...META, command: 'test' });
      const waiting = new ActionDeliveries(database.pool).deliver(id, { node: 'n1', incarnation: 1 }, [], { transition: 1, version: 1 });
      await sleep(50);
      await client.query('COMMIT');
      expect(await waiting).toBeUndefined();
    } finally {
      client.release();
    }
  });

  it('are announced to who listens, also after the connection was lost', async () => {
    const signals = await DispatchSignals.open(database.pool);
    const woken: string[] = [];
    const forget = signals.listen('c', 'n1', () => woken.push('n1'));
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
    forget();
    await signals.close();
  });
});

describe('tokens', () => {
  it('make one admin token, however many processes start at once', async () => {
    const tokens = new AccessTokens(database.pool);
    const made = await Promise.all(Array.from({ length: 5 }, () => new AccessTokens(database.pool).ensureAdmin()));
    const [secret] = made.filter((each) => each !== undefined);
    expect(made.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await tokens.find(secret ?? '')).toMatchObject({ role: 'admin', createdBy: 'first start' });
    await tokens.ensureAdmin('given-by-the-configuration');
    await tokens.ensureAdmin('given-by-the-configuration');
    expect(await tokens.find('given-by-the-configuration')).toMatchObject({ role: 'admin' });
    expect(await tokens.find('something else')).toBeUndefined();
  });
});

describe('idempotency keys', () => {
  const request = Buffer.alloc(32, 1);
  const answer = { status: 201, headers: { etag: '"1"' }, body: '{}' };
  const begun = async (keys: IdempotencyKeys, key: string): Promise<KeyClaim> => {
    const found = await keys.begin('t', key, request);
    if (found.state !== 'begun') throw new Error(`${key} is ${found.state}`);
    return found.claim;
  };
  const ageOf = (key: string): Promise<unknown> =>
    database.pool.query(`UPDATE idempotency_keys SET locked_at = now() - interval '2 minutes' WHERE key = $1`, [key]);

  it('are begun once, and give the answer again', async () => {
    const keys = new IdempotencyKeys(database.pool);
    const found = await Promise.all(Array.from({ length: 5 }, () => keys.begin('t', 'k', request)));
    expect(found.map(({ state }) => state).sort()).toEqual(['begun', 'running', 'running', 'running', 'running']);
    for (const one of found) if (one.state === 'begun') await one.claim.finish(answer);
    expect(await keys.begin('t', 'k', request)).toEqual({ state: 'done', answer });
    expect(await keys.begin('t', 'k', Buffer.alloc(32, 2))).toEqual({ state: 'mismatch' });
    expect(await keys.begin('other', 'k', request)).toMatchObject({ state: 'begun' });
  });

  it('stay taken for as long as their request is being done', async () => {
    const keys = new IdempotencyKeys(database.pool, { lockMs: 500 });
    const claim = await begun(keys, 'slow');
    await sleep(1_500);
    expect(await keys.begin('t', 'slow', request)).toEqual({ state: 'running' });
    await claim.finish(answer);
    await sleep(700);
    expect(await keys.begin('t', 'slow', request)).toEqual({ state: 'done', answer });
  });

  it('are free again at once after a refusal, and stay so', async () => {
    const keys = new IdempotencyKeys(database.pool, { lockMs: 500 });
    await (await begun(keys, 'refused')).release();
    await (await begun(keys, 'refused')).release();
  });

  it('are free again after the process that began died; it can no longer answer for the next', async () => {
    const keys = new IdempotencyKeys(database.pool);
    const dead = await begun(keys, 'crashed');
    await ageOf('crashed');
    const next = await begun(keys, 'crashed');
    await dead.release();
    await dead.finish({ ...answer, status: 500 });
    expect(await keys.begin('t', 'crashed', request)).toEqual({ state: 'running' });
    await next.finish(answer);
    expect(await keys.begin('t', 'crashed', request)).toEqual({ state: 'done', answer });
  });
});
