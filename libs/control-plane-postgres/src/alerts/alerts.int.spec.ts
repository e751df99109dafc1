import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertOrder, ClusterCommand, ClusterEvent } from '@systole/cluster';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { ClusterStates } from '@systole/read-models';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.js';
import { AlertOutcomes } from './alert-outcomes.js';
import { AlertProjection } from './alert-projection.js';
import { AlertRuns } from './alert-runs.js';

const CLUSTER = '6a3c1f9e-0c0e-4c1d-9c57-0d8a64c4b001';
const META = { actor: 'test', correlationId: 'c' };
const ALERTS = '<alerts><alert id="a" path="/p"><recipient id="r1" value="x"/><recipient id="r2" value="y"/></alert></alerts>';

function cib(alerts: string): string {
  return `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
    <crm_config/><nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes><resources/><constraints/>${alerts}</configuration><status/></cib>`;
}

describe('what nodes run for alerts', () => {
  let database: ScratchDatabase;
  let ports: PostgresPorts;
  let runs: AlertRuns;
  let store: EventStore<ClusterEvent>;
  const projections: (AlertProjection | AlertOutcomes)[] = [];
  const troubles: unknown[] = [];

  beforeEach(async () => {
    database = await createScratchDatabase();
    store = new EventStore<ClusterEvent>(database.pool);
    ports = postgresPorts(database.pool, store, new ClusterStates(store), { by: 'test', report: { warn: () => undefined } });
    runs = new AlertRuns(database.pool);
    troubles.length = 0;
  });
  afterEach(async () => {
    for (const projection of projections.splice(0)) await projection.close();
    ports.logWrites.close();
    await store.close();
    await database.drop();
    expect(troubles).toEqual([]);
  });

  function projecting(): AlertProjection {
    const projection = new AlertProjection({ runs, log: ports.log, store, onTrouble: (error) => troubles.push(error) });
    projections.push(projection);
    return projection;
  }

  /** Looks at everything that there is. */
  async function project(projection = projecting()): Promise<void> {
    await projection.sweep();
    const at = (await ports.log.load(CLUSTER)).version;
    for (let attempt = 0; attempt < 200; attempt++) {
      if ((await runs.place(CLUSTER)) === at) return;
      await sleep(25);
    }
    throw new Error(`the place is ${String(await runs.place(CLUSTER))}, not ${String(at)}`);
  }

  async function execute(...commands: readonly ClusterCommand[]): Promise<void> {
    for (const command of commands) {
      const result = await ports.commands().execute(CLUSTER, command, META);
      if (!result.ok) throw new Error(`${command.type}: ${result.rejection.message}`);
    }
  }

  const create = (alerts = ALERTS): ClusterCommand => ({ type: 'create-cluster', name: 'c', cib: cib(alerts), force: true });
  const join = (node: string): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 60_000 });
  const leave = (node: string, incarnation = 1): ClusterCommand => ({ type: 'leave-node', node, incarnation });

  /** `node recipient desc`, oldest first. */
  async function all(): Promise<readonly string[]> {
    const { rows } = await database.pool.query<{ told: string }>(
      `SELECT node || ' ' || recipient || ' ' || (call -> 'variables' ->> 'CRM_alert_node') || ' ' || (call -> 'variables' ->> 'CRM_alert_desc') AS told FROM alert_runs ORDER BY id`,
    );
    return rows.map(({ told }) => told);
  }

  it('is made of each event once, by however many workers, and whatever ends them', async () => {
    await execute(create(), join('n1'), join('n2'));
    await Promise.all([project(), project(), project()]);
    const first = ['n1 r1 n1 member', 'n1 r2 n1 member', 'n1 r1 n2 member', 'n1 r2 n2 member', 'n2 r1 n2 member', 'n2 r2 n2 member'];
    expect(await all()).toEqual(first);
    await project();
    expect(await all()).toEqual(first);
    await execute(leave('n2'));
    await project();
    expect((await all()).slice(6)).toEqual(['n1 r1 n2 lost', 'n1 r2 n2 lost']);
  });

  it('is nothing of what happened before an alert was configured, whether anybody looked meanwhile or not', async () => {
    await execute(create(''), join('n1'));
    const document = cib(ALERTS).replace('epoch="1"', 'epoch="9"');
    await execute({ type: 'replace-configuration', cib: document, force: true }, join('n2'));
    await project();
    expect(await all()).toEqual(['n1 r1 n2 member', 'n1 r2 n2 member', 'n2 r1 n2 member', 'n2 r2 n2 member']);
  });

  it('is told whatever the clock of a worker shows: what is old news is judged by the clock that dated it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
    try {
      await execute(create(), join('n1'));
      await project();
    } finally {
      vi.useRealTimers();
    }
    expect(await all()).toEqual(['n1 r1 n1 member', 'n1 r2 n1 member']);
    expect(await runs.tally(CLUSTER)).toMatchObject({ dropped: 0 });
  });

  it('goes on at the end of a log that went back in time', async () => {
    await execute(create(), join('n1'));
    await project();
    await database.pool.query('UPDATE alert_places SET version = 1000');
    await project();
    expect(await all()).toHaveLength(2);
    await execute(join('n2'));
    await project();
    expect((await all()).length).toBeGreaterThan(2);
  });

  it('has greater ids in a new epoch of the log than what was lost with the last one', async () => {
    await execute(create(), join('n1'));
    await project();
    const before = Math.max(...(await runs.list(CLUSTER, { limit: 10 })).map(({ id }) => id));
    await execute({ type: 'begin-epoch', clusterId: CLUSTER, epoch: 'e2', reason: 'restored', by: 'n1' }, join('n2'));
    await project();
    const [newest] = await runs.list(CLUSTER, { limit: 1 });
    expect(newest?.id).toBeGreaterThan(before + 50_000);
  });

  const order = (number: number, changes: Partial<AlertOrder> = {}): AlertOrder => ({
    ...{ node: 'n1', alert: 'a', recipient: 'r1', kind: 'node', version: number },
    call: callAt(Date.now()),
    ...changes,
  });
  const callAt = (atMs: number): AlertOrder['call'] => ({
    ...{ path: '/p', timeoutMs: 1_000, timestampFormat: '%s', atMs, variables: {}, options: {} },
  });
  const ids = async (has: readonly number[] = []): Promise<readonly number[]> =>
    (await runs.give(CLUSTER, 'n1', has, 100)).map(({ id }) => id);

  it('is given again until its end is told, and then never; the first word of the end stays', async () => {
    const [one = 0, two = 0] = await runs.addTests(CLUSTER, [order(1), order(2)]);
    expect(await ids()).toEqual([one, two]);
    expect(await ids([one, two]), 'while its agent has it').toEqual([]);
    expect(await ids([one]), 'the answer was lost').toEqual([two]);
    const end = { id: one, outcome: 'failed', rc: 3, detail: 'no', execMs: 5 } as const;
    await runs.end(CLUSTER, 'n2', [end]);
    expect((await runs.some(CLUSTER, [one]))[0]?.outcome, 'not by another node').toBe('given');
    await runs.end(CLUSTER, 'n1', [end]);
    await runs.end(CLUSTER, 'n1', [{ ...end, outcome: 'done', rc: 0 }]);
    expect(await runs.some(CLUSTER, [one])).toMatchObject([{ outcome: 'failed', rc: 3, detail: 'no', execMs: 5, tries: 1, test: true }]);
    expect(await ids()).toEqual([two]);
    for (let attempt = 0; attempt < 5; attempt++) await ids();
    expect(await ids(), 'not for ever').toEqual([]);
  });

  it('is given a few of one recipient at a time, so that a program that hangs keeps nobody from their turn', async () => {
    await runs.addTests(CLUSTER, [...Array.from({ length: 50 }, (_, number) => order(number)), order(99, { recipient: 'r2' })]);
    const given = await runs.give(CLUSTER, 'n1', [], 100);
    expect(given.map(({ recipient }) => recipient)).toEqual(['r1', 'r1', 'r1', 'r1', 'r1', 'r2']);
  });

  it('is left out where it is old news, and that is counted together with moving on', async () => {
    await runs.begin(CLUSTER, 0);
    const old = order(1, { call: callAt(Date.now() - 2 * 3_600_000) });
    expect(await runs.advance(CLUSTER, 0, 5, [old, order(2)])).toBe(true);
    expect(await ids()).toHaveLength(1);
    expect(await runs.tally(CLUSTER)).toMatchObject({ dropped: 1, droppedAt: expect.any(Date) as Date });
    expect(await runs.advance(CLUSTER, 5, 6, [order(3)])).toBe(true);
    expect(await runs.tally(CLUSTER)).toMatchObject({ dropped: 1 });
  });

  it('keeps nobody from their turn when it was given in vain too often', async () => {
    await runs.addTests(
      CLUSTER,
      Array.from({ length: 8 }, (_, number) => order(number)),
    );
    for (let attempt = 0; attempt < 5; attempt++) expect(await ids()).toHaveLength(5);
    expect(await ids(), 'those behind them').toHaveLength(3);
  });

  it('is given a few of one recipient at a time, counting what its agent has, however often that was given', async () => {
    const made = await runs.addTests(
      CLUSTER,
      Array.from({ length: 8 }, (_, number) => order(number)),
    );
    for (let attempt = 0; attempt < 5; attempt++) await ids();
    expect(await ids(made.slice(0, 5))).toEqual([]);
  });

  it('is bounded for each node, and what is too much is counted', async () => {
    await runs.begin(CLUSTER, 0);
    const many = Array.from({ length: 1_200 }, (_, number) => order(number));
    expect(await runs.advance(CLUSTER, 0, 5, [...many, order(9_999, { node: 'n2' })])).toBe(true);
    expect(await runs.tally(CLUSTER)).toMatchObject({ dropped: 200 });
    expect(await runs.advance(CLUSTER, 0, 6, many), 'the place is another one').toBe(false);
    const { rows } = await database.pool.query(
      'SELECT outcome, count(*)::integer, max(version)::integer AS version FROM alert_runs GROUP BY outcome ORDER BY outcome',
    );
    expect(rows, 'one that is left out says so in the place of the others').toEqual([
      { outcome: 'not-run', count: 1, version: order(1_199).version },
      { outcome: 'waiting', count: 1_001, version: order(9_999).version },
    ]);
  });

  it('ends when nobody took it in time, and says so', async () => {
    const [one = 0, two = 0] = await runs.addTests(CLUSTER, [order(1), order(2)]);
    await runs.give(CLUSTER, 'n1', [two], 1);
    await database.pool.query(`UPDATE alert_runs SET at = at - interval '11 minutes'`);
    expect(await ids()).toEqual([]);
    // What was taken just now may be under way.
    expect(await runs.expire()).toBe(1);
    await database.pool.query(`UPDATE alert_runs SET given_at = given_at - interval '11 minutes'`);
    expect(await runs.expire()).toBe(1);
    expect((await runs.some(CLUSTER, [one, two])).map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ['not-run', 'the agent of n1 took it, and did not say how it ended: it was ended, perhaps, and the program may have run'],
      ['not-run', 'the agent of n1 did not ask for it within 10 minutes: it is away, or older than this server'],
    ]);
    expect((await runs.tally(CLUSTER)).failed).toBe(2);
    await runs.end(
      CLUSTER,
      'n1',
      [one, two].map((id) => ({ id, outcome: 'done' as const, execMs: 5 })),
    );
    expect((await runs.some(CLUSTER, [one, two])).map(({ outcome }) => outcome)).toEqual(['done', 'not-run']);
  });

  const looking = (): AlertOutcomes => {
    const outcomes = new AlertOutcomes({
      ...{ pool: database.pool, commands: ports.commands(), everyMs: 20 },
      onTrouble: (error) => troubles.push(error),
    });
    projections.push(outcomes);
    return outcomes;
  };
  const unnoted = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ count: string }>(
      'SELECT count(*) FROM alert_runs WHERE ended_at IS NOT NULL AND NOT noted',
    );
    return Number(rows[0]?.count);
  };
  /** Types of the events of alerts. */
  const said = async (): Promise<readonly string[]> => {
    await expect.poll(unnoted).toBe(0);
    const events = await store.readStream(CLUSTER, { fromVersion: 1, toVersion: 1_000, limit: 1_000 });
    return events.flatMap(({ type, data }) =>
      type.startsWith('Alert') ? [`${type} ${(data as { readonly recipient: string }).recipient}`] : [],
    );
  };

  it('has the log say that it fails, and that it works again, once, by however many workers', async () => {
    await execute(create(), join('n1'));
    for (let worker = 0; worker < 3; worker++) looking();
    const end = async (outcome: 'done' | 'failed', ...recipients: readonly string[]): Promise<void> => {
      const made = await runs.addTests(
        CLUSTER,
        recipients.map((recipient, number) => order(number, { recipient })),
      );
      await runs.end(
        CLUSTER,
        'n1',
        made.map((id) => ({ id, outcome, rc: 3, execMs: 5 })),
      );
    };
    await end('failed', 'r1', 'r2', 'r1');
    expect([...(await said())].sort()).toEqual(['AlertFailed r1', 'AlertFailed r2']);
    await end('failed', 'r1');
    await end('done', 'r2', 'r2');
    expect((await said()).slice(2)).toEqual(['AlertRecovered r2']);
    await end('done', 'r1');
    await end('failed', 'r2');
    expect((await said()).slice(3).sort()).toEqual(['AlertFailed r2', 'AlertRecovered r1']);
  });

  it('takes back that a run was lost when its agent tells the end after all, unless a later one has ended', async () => {
    await execute(create(), join('n1'));
    looking();
    const lose = async (id: number): Promise<void> => {
      await runs.give(CLUSTER, 'n1', [], 10);
      await database.pool.query(`UPDATE alert_runs SET given_at = given_at - interval '11 minutes' WHERE id = $1`, [id]);
      expect(await runs.expire()).toBe(1);
    };
    const [first = 0] = await runs.addTests(CLUSTER, [order(1)]);
    await lose(first);
    expect(await said()).toEqual(['AlertFailed r1']);
    await runs.end(CLUSTER, 'n1', [{ id: first, outcome: 'done', execMs: 5 }]);
    expect((await said()).slice(1)).toEqual(['AlertRecovered r1']);
    const [second = 0] = await runs.addTests(CLUSTER, [order(1)]);
    await lose(second);
    const [third = 0] = await runs.addTests(CLUSTER, [order(1)]);
    await runs.end(CLUSTER, 'n1', [{ id: third, outcome: 'failed', rc: 1, execMs: 5 }]);
    expect((await said()).slice(2)).toEqual(['AlertFailed r1']);
    await runs.end(CLUSTER, 'n1', [{ id: second, outcome: 'done', execMs: 5 }]);
    expect((await said()).slice(3)).toEqual([]);
  });

  it('counts as one that failed where it is old news, the newest of each recipient, so that somebody hears of it', async () => {
    await execute(create(), join('n1'));
    const { version } = await ports.log.load(CLUSTER);
    await runs.begin(CLUSTER, version);
    const old = (number: number, recipient: string): AlertOrder => order(number, { recipient, call: callAt(Date.now() - 2 * 3_600_000) });
    expect(await runs.advance(CLUSTER, version, version + 3, [old(1, 'r1'), old(2, 'r1'), old(3, 'r2')])).toBe(true);
    const listed = await runs.list(CLUSTER, { limit: 10 });
    expect(listed.map(({ recipient, outcome }) => [recipient, outcome]).sort()).toEqual([
      ['r1', 'not-run'],
      ['r2', 'not-run'],
    ]);
    expect(listed[0]?.detail).toContain('more than an hour');
    looking();
    expect([...(await said())].sort()).toEqual(['AlertFailed r1', 'AlertFailed r2']);
  });

  it('has the others hear of theirs while one cluster can not be told', async () => {
    await execute(create(), join('n1'));
    const other = '00000000-0000-4000-8000-000000000001';
    for (const cluster of [other, CLUSTER]) {
      const [made = 0] = await runs.addTests(cluster, [order(1)]);
      await runs.end(cluster, 'n1', [{ id: made, outcome: 'failed', rc: 1, execMs: 1 }]);
    }
    const commands = ports.commands();
    const failing: Pick<typeof commands, 'execute'> = {
      execute: (clusterId, command, meta) =>
        clusterId === other ? Promise.reject(new Error('it is held')) : commands.execute(clusterId, command, meta),
    };
    const heard: unknown[] = [];
    projections.push(new AlertOutcomes({ pool: database.pool, commands: failing, everyMs: 20, onTrouble: (error) => heard.push(error) }));
    await expect.poll(unnoted).toBe(1);
    expect(heard).toHaveLength(1);
    const events = await store.readStream(CLUSTER, { fromVersion: 1, toVersion: 1_000, limit: 1_000 });
    expect(events.map(({ type }) => type)).toContain('AlertFailed');
  });

  it('says so, too, of what its node did not take in time; and goes on past a cluster that is gone', async () => {
    await execute(create(), join('n1'));
    await runs.addTests(CLUSTER, [order(1)]);
    await database.pool.query(`UPDATE alert_runs SET at = at - interval '11 minutes'`);
    await runs.expire();
    const [gone = 0] = await runs.addTests('00000000-0000-4000-8000-000000000000', [order(1)]);
    await runs.end('00000000-0000-4000-8000-000000000000', 'n1', [{ id: gone, outcome: 'failed', execMs: 1 }]);
    looking();
    expect(await said()).toEqual(['AlertFailed r1']);
  });
});
