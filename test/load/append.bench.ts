import { EventStore, type NewEvent } from '@systole/event-store';
import { createScratchDatabase } from '@systole/event-store/testing';
import { migrate } from '@systole/migrations';
import pg, { type Pool } from 'pg';
import { providePostgresql } from '../servers/postgresql.js';

/**
 * Events per second that the store appends, beside the bare INSERT rate of the same PostgreSQL in the same run: the same row into a plain
 * table with the same columns and a primary key, one row for each transaction, over as many connections. Both take turns for several rounds;
 * medians count, of the rates and of the rounds' ratios, so that what else the machine does falls on both.
 *
 *     npm run bench:append [-- <milliseconds per measurement> [<rounds>]]
 */
const [turnMs = 500, rounds = 7] = process.argv.slice(2).map(Number);
const WRITERS = [1, 8, 32];
const BATCHES = [1, 20];

const META = { actor: 'agent:node-1', command: 'recordOperation', correlationId: '0192f7a4-6d8e-7c61-9a51-0f6d1f2c3b4a' };
const EVENT = {
  type: 'OperationRecorded',
  subjects: ['db-server', 'node-1'],
  data: {
    node: 'node-1',
    incarnation: 3,
    resource: 'db-server',
    class: 'ocf',
    provider: 'heartbeat',
    agentType: 'pgsql',
    operation: 'monitor',
    intervalMs: 10_000,
    status: 'done',
    rc: 0,
    callId: 117,
    transitionKey: '14:27:0:0192f7a4-6d8e-7c61-9a51-0f6d1f2c3b4b',
    actionId: '0192f7a4-6d8e-7c61-9a51-0f6d1f2c3b4b:27:14',
    digests: {
      opDigest: '02a5bcf940fc8d3239701acb11438d6a',
      opForceRestart: ' binary config ',
      opRestartDigest: 'f2317cad3d54cec5d7d7aa7d0bf35cf8',
    },
    lastRcChange: 1_795_269_600,
    execMs: 41,
    queueMs: 0,
    late: false,
  },
} as const satisfies NewEvent;

const CREATE_BARE = `
CREATE TABLE bare_events (LIKE events INCLUDING DEFAULTS, PRIMARY KEY (stream_id, version))`;

const INSERT_BARE = `
INSERT INTO bare_events (stream_id, version, global_position, transaction_id, type, schema_version, data, subjects, actor, command,
                         correlation_id, causation_id, occurred_at, prev_hash, hash)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;

/** Appends once and says how many events that were. */
type Writer = () => Promise<number>;

/** Events per second of writers that run side by side, each one append after the other. */
async function rate(writers: readonly Writer[]): Promise<number> {
  const begin = performance.now();
  const end = begin + turnMs;
  const counts = await Promise.all(
    writers.map(async (write) => {
      let events = 0;
      while (performance.now() < end) events += await write();
      return events;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - begin) / 1_000);
}

let streams = 0;
const newStream = (): string => `stream-${++streams}`;

function bareWriters(pool: Pool, count: number): Writer[] {
  return Array.from({ length: count }, () => {
    const stream = newStream();
    const hash = Buffer.alloc(32, 7);
    let version = 0;
    return async () => {
      version++;
      const { type, data, subjects } = EVENT;
      const { actor, command, correlationId } = META;
      const row = [version, version, 1, data, subjects, actor, command, correlationId, null, new Date(), hash, hash];
      await pool.query({ name: 'bare', text: INSERT_BARE, values: [stream, ...row.slice(0, 2), version, type, ...row.slice(2)] });
      return 1;
    };
  });
}

function storeWriters(store: EventStore, count: number, batch: number, shared: boolean): Writer[] {
  const events = Array.from({ length: batch }, () => EVENT);
  const common = newStream();
  return Array.from({ length: count }, () => {
    const stream = shared ? common : newStream();
    return async () => {
      await store.append(stream, 'any', events, META);
      return batch;
    };
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const server = await providePostgresql();
process.env['DATABASE_URL'] = server.url;
const database = await createScratchDatabase({ empty: true, poolSize: 1 });
try {
  await migrate(database.url);
  await database.pool.query(CREATE_BARE);
  const version = await database.pool.query<{ version: string }>('SELECT version()');
  console.log(`${version.rows[0]?.version ?? ''}\n${rounds} rounds of ${turnMs} ms; events/s, median\n`);
  const table: Record<string, string | number>[] = [];
  for (const writers of WRITERS) {
    const pool = openPool(writers);
    const store = new EventStore(pool);
    const cases = BATCHES.flatMap((batch) =>
      (writers === 1 ? [false] : [false, true]).map((shared) => ({ batch, shared, turns: [] as { bare: number; append: number }[] })),
    );
    for (let round = 0; round < rounds; round++) {
      for (const { batch, shared, turns } of cases) {
        const bare = await rate(bareWriters(pool, writers));
        turns.push({ bare, append: await rate(storeWriters(store, writers, batch, shared)) });
      }
    }
    for (const { batch, shared, turns } of cases) {
      table.push({
        writers,
        batch,
        streams: shared ? 'one for all' : 'one for each',
        'bare INSERT': Math.round(median(turns.map(({ bare }) => bare))),
        append: Math.round(median(turns.map(({ append }) => append))),
        ratio: median(turns.map(({ bare, append }) => append / bare)).toFixed(2),
      });
    }
    await store.close();
    await pool.end();
  }
  console.table(table);
} finally {
  await database.drop();
  await server.stop();
}

/** As many connections as there are writers, for both alike. */
function openPool(size: number): Pool {
  const pool = new pg.Pool({ connectionString: database.url, max: size });
  // The database is dropped while the last connections say goodbye.
  pool.on('error', () => undefined);
  return pool;
}
