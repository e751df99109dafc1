import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { QueueBackend } from './configuration.js';
import { QueueClosed, QueueUnavailable } from './errors.js';
import { LateQueues } from './late-queues.js';
import { openQueues, type Queues } from './queues.js';
import { administer, backends, redisServerMissing } from './testing/backends.js';
import { startOwnPostgres, startOwnRedis, type OwnServer } from './testing/processes.js';
import { eventually, gate, pause, RecordedRuns } from './testing/runs.js';
import { QUICK, useBench } from './testing/suite.js';

interface KillableBackend {
  readonly name: string;
  /** Why it can't be run here. */
  readonly missing: string | undefined;
  readonly startServer: () => Promise<OwnServer>;
  readonly configOf: (server: OwnServer) => QueueBackend;
}

const KILLABLE: readonly KillableBackend[] = [
  {
    name: 'postgres',
    missing: undefined,
    startServer: startOwnPostgres,
    configOf: ({ url }) => ({ backend: 'postgres', databaseUrl: url }),
  },
  {
    name: 'redis',
    missing: await redisServerMissing(),
    startServer: startOwnRedis,
    configOf: ({ url }) => ({ backend: 'redis', redisUrl: url, installation: 'tested' }),
  },
];

for (const { name, missing, startServer, configOf } of KILLABLE) {
  const title = `a ${name} server that goes away and comes back${missing === undefined ? '' : ` (${missing})`}`;
  describe.skipIf(missing !== undefined)(title, () => {
    comesBack(startServer, configOf);
  });
}

function comesBack(startServer: KillableBackend['startServer'], configOf: KillableBackend['configOf']): void {
  let server: OwnServer;
  const opened: Queues[] = [];
  let prefix = '';
  let tests = 0;

  async function open(timing = {}): Promise<Queues> {
    const queues = await openQueues(configOf(server), { prefix, timing: { ...QUICK, ...timing } });
    opened.push(queues);
    return queues;
  }

  beforeAll(async () => {
    server = await startServer();
  });
  beforeEach(() => {
    prefix = `outage_${++tests}`;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((queues) => queues.close()));
  });
  afterAll(async () => {
    await server.dispose();
  });

  it('pauses the consumer and the producer, and neither is the worse for it', async () => {
    const queues = await open();
    const runs = new RecordedRuns();
    await queues.consume(runs, { concurrency: 2 });
    for (const round of [1, 2]) {
      await queues.enqueueAdvance(`before ${round}`);
      await eventually('a run before', () => runs.advances.some((run) => run.of === `before ${round}`));
      await server.kill();
      const start = performance.now();
      await expect(queues.enqueueAdvance(`during ${round}`)).rejects.toThrow(QueueUnavailable);
      expect(performance.now() - start).toBeLessThan(QUICK.acceptWithinMs + 1_000);
      expect(await queues.health()).toMatchObject({ status: 'down' });
      await server.start();
      await queues.enqueueAdvance(`after ${round}`);
      await eventually('a run after', () => runs.advances.some((run) => run.of === `after ${round}`));
      expect(await queues.health()).toMatchObject({ status: 'up' });
    }
  });

  it('still has the timers that it had', async () => {
    const queues = await open();
    const runs = new RecordedRuns();
    await queues.consume(runs, { concurrency: 2 });
    const at = Date.now() + 2_000;
    await queues.scheduleTimer({ clusterId: 'c1', kind: 'recheck', key: 't', at });
    await server.kill();
    await pause(500);
    await server.start();
    await eventually('the timer', () => runs.timers.length === 1);
    expect(runs.timers[0]?.startedAt).toBeGreaterThanOrEqual(at);
  });

  it('takes an enqueue that waited for it', async () => {
    const queues = await open({ acceptWithinMs: 10_000 });
    const runs = new RecordedRuns();
    await queues.consume(runs, { concurrency: 2 });
    await server.kill();
    const enqueued = queues.enqueueAdvance('patient');
    await pause(500);
    await server.start();
    await enqueued;
    await eventually('its run', () => runs.advances.some((run) => run.of === 'patient'));
  });

  it('costs a job that ran meanwhile at most a further run, and never its last trigger', async () => {
    const queues = await open();
    const first = gate();
    const runs: RecordedRuns = new RecordedRuns(() => (runs.advances.length === 1 ? first.opened : undefined));
    await queues.consume(runs, { concurrency: 2 });
    await queues.enqueueAdvance('c1');
    await eventually('the run', () => runs.advances.length === 1);
    await queues.enqueueAdvance('c1');
    await server.kill();
    first.open();
    await pause(300);
    await server.start();
    await eventually('the run for the second trigger', () => runs.advances.length >= 2);
    await pause(1_000);
    expect(runs.advances.length).toBeLessThanOrEqual(3);
  });

  it('is waited for by a consumer that starts meanwhile', async () => {
    const queues = await open();
    await queues.enqueueAdvance('c1');
    await server.kill();
    const runs = new RecordedRuns();
    const consuming = queues.consume(runs, { concurrency: 2 });
    await pause(1_000);
    await server.start();
    await consuming;
    await eventually('the run', () => runs.advances.length >= 1);
  });

  it('is opened late by who does not wait for it, with a consumer that was asked for before', async () => {
    await server.kill();
    const late = new LateQueues(configOf(server), { prefix, timing: QUICK });
    const runs = new RecordedRuns();
    try {
      late.consume(runs, { concurrency: 2 });
      const start = performance.now();
      await late.opened(300);
      expect(performance.now() - start).toBeLessThan(1_000);
      expect(await late.health()).toMatchObject({ status: 'down' });
      await expect(late.enqueueAdvance('c1')).rejects.toThrow(QueueUnavailable);
      const timer = { clusterId: 'c2', kind: 'recheck', key: 't', at: Date.now() };
      await expect(late.scheduleTimer(timer)).rejects.toThrow(QueueUnavailable);
      await server.start();
      await late.opened(QUICK.connectWithinMs);
      expect(await late.health()).toMatchObject({ status: 'up' });
      await late.enqueueAdvance('c1');
      await late.scheduleTimer(timer);
      await eventually('the runs', () => runs.advances.length === 1 && runs.timers.length === 1);
    } finally {
      await late.close();
    }
    await expect(late.enqueueAdvance('c1')).rejects.toThrow(QueueClosed);
    expect(await late.health()).toMatchObject({ status: 'down', error: 'closed' });
  });

  it('does not hold up closing', async () => {
    const queues = await open();
    await queues.consume(new RecordedRuns(), { concurrency: 2 });
    await server.kill();
    await pause(200);
    const start = performance.now();
    await queues.close();
    expect(performance.now() - start).toBeLessThan(2 * QUICK.closeWithinMs + 3_000);
    await server.start();
  });
}

describe.skipIf((await redisServerMissing()) !== undefined)('a Redis that answers and takes no writes', () => {
  it.each([
    { why: 'is out of memory', order: ['CONFIG', 'SET', 'maxmemory', '1'], back: ['CONFIG', 'SET', 'maxmemory', '0'], says: /OOM/ },
    { why: 'was made a replica', order: ['REPLICAOF', '127.0.0.1', '1'], back: ['REPLICAOF', 'NO', 'ONE'], says: /READONLY/ },
  ])('is down for whoever asks how the queue is, when it $why', async ({ order, back, says }) => {
    const server = await startOwnRedis();
    const operator = new Redis(server.url);
    const queues = await openQueues(
      { backend: 'redis', redisUrl: server.url, installation: 'tested' },
      { prefix: 'refusing', timing: QUICK },
    );
    try {
      expect(await queues.health()).toMatchObject({ status: 'up' });
      const [command = '', ...args] = order;
      await operator.call(command, ...args);
      expect(await queues.health()).toEqual({
        status: 'down',
        backend: 'redis',
        error: expect.stringMatching(says) as string,
        refusesWrites: true,
      });
      const [undo = '', ...undoArgs] = back;
      await operator.call(undo, ...undoArgs);
      expect(await queues.health()).toMatchObject({ status: 'up' });
    } finally {
      await queues.close();
      operator.disconnect();
      await server.dispose();
    }
  });
});

describe('PostgreSQL connections that an administrator terminates', () => {
  const postgres = backends().then((all) => all.find(({ name }) => name === 'postgres'));
  const bench = useBench(async () => {
    const provision = await postgres;
    if (provision === undefined) throw new Error('the suite always has PostgreSQL');
    return provision.provide();
  });

  async function terminateAll(): Promise<void> {
    const { config } = bench.backend;
    if (config.backend !== 'postgres') throw new Error('not PostgreSQL');
    const database = new pg.Client({ connectionString: config.databaseUrl }).database ?? '';
    await administer('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
  }

  it('are made again, while idle and under load', async () => {
    const queues = await bench.open();
    const runs = new RecordedRuns(() => pause(5));
    await bench.consume(queues, runs);
    for (let round = 1; round <= 5; round += 1) {
      await terminateAll();
      await queues.enqueueAdvance(`idle ${round}`);
      await eventually('a run', () => runs.advances.some((run) => run.of === `idle ${round}`));
      const triggers = Array.from({ length: 20 }, (_, index) => queues.enqueueAdvance(`busy ${round}.${index}`));
      await pause(10);
      await terminateAll();
      await Promise.all(triggers);
      await eventually(
        'all runs',
        () => new Set(runs.advances.map((run) => run.of).filter((of) => of.startsWith(`busy ${round}.`))).size === 20,
      );
    }
  });
});
