import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterCommand, ClusterEvent } from '@systole/cluster';
import type { DueDeliveries, NewDispatch, StateAtHead } from '@systole/control-plane';
import { EventStore, limitedPool } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { ClusterStates } from '@systole/read-models';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leasesIn } from '../leases/postgres-leases.js';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.js';

const META = { actor: 'test', correlationId: 'test' };
const report = { warn: () => undefined };
/** The lock that an append holds. */
const LOCK = 'SELECT pg_advisory_xact_lock(1398362964, hashtext($1))';

describe.each([
  ['on connections of their own, which pipeline', true],
  ['on the connections of all', false],
])('deliveries %s', (_, apart) => {
  let database: ScratchDatabase;
  let store: EventStore<ClusterEvent>;
  let deliveries: Pool | undefined;
  let ports: PostgresPorts;
  let other: PostgresPorts;

  const portsOf = (pool?: Pool): PostgresPorts =>
    postgresPorts(database.pool, store, new ClusterStates(store), {
      by: 'test',
      report,
      ...(pool === undefined ? {} : { deliveries: pool }),
    });
  const execute = async (id: string, command: ClusterCommand, by = other): Promise<void> => {
    const result = await by.commands().execute(id, command, META);
    if (!result.ok) throw new Error(result.rejection.message);
  };
  /** A cluster whose transition runs, with an action for each node. */
  const running = async (nodes: readonly string[]): Promise<string> => {
    const id = randomUUID();
    await execute(id, { type: 'create-cluster', name: id });
    for (const node of nodes) await execute(id, { type: 'join-node', node, agentVersion: '1', leaseMs: 10_000 });
    const { version } = await other.log.load(id);
    const counts = { actions: 1, pseudo: 0, fencing: 0 };
    await execute(id, {
      type: 'plan-transition',
      plan: { inputVersion: version, now: 1, schedulerVersion: '1', digest: 'd', counts, trigger: 't', summary: [] },
    });
    const dispatches = nodes.map((node, index): NewDispatch => ({
      graphActionId: index,
      node,
      action: { actionId: `${id}:1:${String(index)}`, kind: 'operation', operation: 'start' } as unknown as NewDispatch['action'],
    }));
    await other.dispatches.handOut(id, 1, version + 1, dispatches);
    return id;
  };
  const dueAt =
    (...nodes: readonly string[]) =>
    ({ state: { transition } }: StateAtHead): DueDeliveries | undefined =>
      transition === undefined
        ? undefined
        : {
            transition: transition.number,
            aborting: transition.status === 'aborting',
            waiting: nodes.map((node) => ({ to: { node, incarnation: 1, seq: 1 }, known: [] })),
          };

  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    store = new EventStore<ClusterEvent>(database.pool);
    const limits = { idle_in_transaction_session_timeout: 300 };
    deliveries = apart
      ? limitedPool({ databaseUrl: database.url, applicationName: 'test-deliveries', connections: 2, pipeline: true, limits })
      : undefined;
    ports = portsOf(deliveries);
    other = portsOf();
  });
  afterEach(async () => {
    await deliveries?.end();
    await store.close();
  });

  it('and appends exclude one another: whoever waits sees what the other did', async () => {
    const id = await running(['n1']);
    await ports.log.load(id);
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      await store.appendIn(client, id, 'any', [{ type: 'TransitionAborted', data: { number: 1, reason: 'test' } }], {
        ...META,
        command: 'test',
      });
      const delivering = ports.log.deliver(id, dueAt('n1'));
      await sleep(50);
      await client.query('COMMIT');
      expect(await delivering).toMatchObject([{ actions: [], withdrawable: true }]);
    } finally {
      client.release();
    }
  });

  it('are never stamped after what made them obsolete was recorded, however many write', async () => {
    for (let round = 0; round < 15; round++) {
      const id = await running(['n1', 'n2']);
      const noise = Array.from({ length: 5 }, (__, index) =>
        execute(
          id,
          { type: 'set-node-attribute', node: 'n1', name: `x${String(index)}`, value: '1', lifetime: 'reboot' },
          index % 2 ? ports : other,
        ),
      );
      const [[first]] = await Promise.all([
        ports.log.deliver(id, dueAt('n1', 'n2')),
        execute(id, { type: 'abort-transition', number: 1, reason: 'test' }),
        ...noise,
      ]);
      // Events are dated to the millisecond, downwards.
      const { rows } = await database.pool.query<{ late: boolean }>(
        `SELECT date_trunc('milliseconds', delivered_at) > occurred_at AS late FROM action_dispatches, events WHERE cluster_id = $1 AND stream_id = $1 AND type = 'TransitionAborted'`,
        [id],
      );
      const given = first?.actions.length === 1;
      expect(rows.map(({ late }) => late)).toEqual(given ? [false, false] : [null, null]);
    }
  });

  it('need no retry while the stream grows without a pause', async () => {
    const id = await running(['n1']);
    await ports.log.load(id);
    const stop = new AbortController();
    const growing = Array.from({ length: 4 }, async (__, writer) => {
      for (let count = 0; !stop.signal.aborted; count++) {
        await store.append(
          id,
          'any',
          [{ type: 'NodeAttributeSet', data: { node: 'n1', name: `w${String(writer)}`, value: String(count), lifetime: 'reboot' } }],
          {
            ...META,
            command: 'test',
          },
        );
      }
    });
    let decided = 0;
    for (let count = 0; count < 20; count++) {
      const [delivery] = await ports.log.deliver(id, (at) => {
        decided += 1;
        return dueAt('n1')(at);
      });
      expect(delivery?.actions).toHaveLength(1);
    }
    stop.abort();
    await Promise.all(growing);
    expect(decided).toBe(20);
    // What was folded on the way is what anybody folds.
    expect(await ports.log.load(id)).toEqual(await portsOf().log.load(id));
  });

  it('of two processes to the same nodes at once all take place', async () => {
    const nodes = Array.from({ length: 20 }, (__, index) => `n${String(index)}`);
    const id = await running(nodes);
    for (let round = 0; round < 10; round++) {
      const both = await Promise.all([
        ports.log.deliver(id, dueAt(...nodes)),
        other.log.deliver(id, dueAt(...[...nodes].reverse())),
        ports.log.deliver(id, dueAt(...nodes)),
      ]);
      expect(both.map((each) => each.flatMap(({ actions }) => actions).length)).toEqual([20, 20, 20]);
    }
  });

  if (apart) {
    it('of a process that is frozen in the middle hold nobody up for long, and leave nothing behind', async () => {
      const id = await running(['n1']);
      const frozen = ports.log.deliver(id, (at) => {
        const until = performance.now() + 800;
        while (performance.now() < until);
        return dueAt('n1')(at);
      });
      await expect(frozen).rejects.toMatchObject({ name: 'StoreUnavailable' });
      expect(await other.dispatches.ofTransition(id, 1)).toMatchObject([{ delivered: false }]);
      await execute(id, { type: 'set-node-attribute', node: 'n1', name: 'x', value: '1', lifetime: 'reboot' });
      expect(await ports.log.deliver(id, dueAt('n1'))).toMatchObject([{ actions: [{}] }]);
    });

    it('that wait for their streams hold up neither renewals of leases, nor looks, nor reads', async () => {
      const ids = await Promise.all(Array.from({ length: 15 }, () => running(['n1'])));
      for (const id of ids) {
        await leasesIn(database.pool).grant({
          clusterId: id,
          node: 'n1',
          incarnation: 1,
          tokenId: 't',
          leaseMs: 1_000,
          presence: { type: 'renews' },
        });
        await ports.log.load(id);
      }
      const client = await database.pool.connect();
      try {
        await client.query('BEGIN');
        for (const id of ids) await client.query(LOCK, [id]);
        const waiting = ids.map((id) => ports.log.deliver(id, dueAt('n1')));
        await sleep(50);
        const began = performance.now();
        expect(await Promise.all(ids.map((id) => ports.leases.renew(id, 'n1', 1, { type: 'renews' })))).toMatchObject(
          ids.map(() => ({ leaseMs: 1_000 })),
        );
        expect(await Promise.all(ids.map((id) => ports.dispatches.anyOpen(id, 'n1', [])))).toEqual(ids.map(() => true));
        expect((await Promise.all(ids.map((id) => ports.log.load(id)))).map(({ existence }) => existence)).toEqual(ids.map(() => 'active'));
        expect(performance.now() - began).toBeLessThan(1_000);
        await client.query('COMMIT');
        expect((await Promise.all(waiting)).flat().map(({ actions }) => actions.length)).toEqual(ids.map(() => 1));
      } finally {
        client.release();
      }
    });
  }
});
