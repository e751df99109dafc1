import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { QueueBackend } from '../configuration.js';
import { startOwnRedis, type OwnServer } from './processes.js';

const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const SHARED_REDIS_URL = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/** A backend that a suite runs on: a place of its own on a real server. */
export interface BackendUnderTest {
  readonly config: QueueBackend;
  /** A namespace that nobody else uses. */
  readonly prefix: string;
  /** Throws away all that the queue holds, as a wiped Redis or a dropped schema would. */
  wipe(): Promise<void>;
  dispose(): Promise<void>;
}

/** How to obtain each backend, or why it can't be had here. */
export interface BackendProvision {
  readonly name: 'postgres' | 'redis';
  readonly missing?: string;
  readonly provide: () => Promise<BackendUnderTest>;
}

/** Both backends. Where no Redis is to be had the suite names it as skipped; under CI=true it fails instead. */
export async function backends(): Promise<readonly BackendProvision[]> {
  const missing = await redisMissing();
  return [
    { name: 'postgres', provide: providePostgres },
    { name: 'redis', provide: provideRedis, ...(missing === undefined || process.env['CI'] === 'true' ? {} : { missing }) },
  ];
}

const unusedName = (): string => `systole_queue_${process.pid}_${randomBytes(4).toString('hex')}`;

/** Runs one statement on the server that tests may create databases on. */
export async function administer(statement: string, parameters: readonly string[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    await client.query(statement, [...parameters]);
  } finally {
    await client.end();
  }
}

async function providePostgres(): Promise<BackendUnderTest> {
  const database = unusedName();
  const prefix = 'queue_under_test';
  await administer(`CREATE DATABASE ${database}`);
  const url = new URL(DATABASE_URL);
  url.pathname = `/${database}`;
  return {
    config: { backend: 'postgres', databaseUrl: url.href },
    prefix,
    async wipe() {
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS ${prefix} CASCADE`);
      await client.end();
    },
    async dispose() {
      await administer(`DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

async function provideRedis(): Promise<BackendUnderTest> {
  const own = (await answers(SHARED_REDIS_URL)) ? undefined : await startOwnRedis();
  return redisUnderTest(own?.url ?? SHARED_REDIS_URL, own);
}

/** A namespace on this Redis; disposing removes the namespace, and the server too when it is given. */
export function redisUnderTest(redisUrl: string, own?: OwnServer): BackendUnderTest {
  const prefix = unusedName();
  const wipe = () => removeKeys(redisUrl, prefix);
  return {
    config: { backend: 'redis', redisUrl, installation: 'tested' },
    prefix,
    wipe,
    dispose: () => (own === undefined ? wipe() : own.dispose()),
  };
}

async function removeKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}*` })) {
      if (Array.isArray(keys) && keys.length > 0) await redis.del(...keys.map(String));
    }
  } finally {
    redis.disconnect();
  }
}

async function answers(redisUrl: string): Promise<boolean> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: null, connectTimeout: 1_000 });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return true;
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

async function redisMissing(): Promise<string | undefined> {
  if (await answers(SHARED_REDIS_URL)) return undefined;
  const missing = await redisServerMissing();
  return missing === undefined ? undefined : `no Redis at ${SHARED_REDIS_URL}, and ${missing}`;
}

/** Why no Redis of a test's own can be started here; undefined when it can, and under CI=true, where its absence is a failure. */
export async function redisServerMissing(): Promise<string | undefined> {
  if (process.env['CI'] === 'true') return undefined;
  try {
    await (await startOwnRedis()).dispose();
    return undefined;
  } catch (error) {
    return `no redis-server to start: ${error instanceof Error ? error.message : String(error)}`;
  }
}
