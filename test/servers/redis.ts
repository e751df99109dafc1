import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@systole/queue/testing';
import { answers } from './ports.js';
import type { TestServer } from './postgresql.js';

const LOCAL = { host: '127.0.0.1', port: 6379 };
const START_MS = 10_000;

/**
 * REDIS_URL if set; else the Redis on this machine if one answers; else a `redis-server` from PATH, started for the tests. Undefined when
 * there is none, so that the suites that need it report themselves as skipped; with CI=true that is an error.
 */
export async function provideRedis(): Promise<TestServer | undefined> {
  const given = process.env['REDIS_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: () => Promise.resolve() };
  if (await answers(LOCAL.host, LOCAL.port)) return { url: `redis://${LOCAL.host}:${LOCAL.port}`, stop: () => Promise.resolve() };
  const started = await startRedis();
  if (started === undefined && process.env['CI'] === 'true') {
    throw new Error('no Redis for the tests: set REDIS_URL, or install redis-server; under CI its suites must not be skipped');
  }
  return started;
}

async function startRedis(): Promise<TestServer | undefined> {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  const ended = new Promise<'ended'>((resolve) => {
    server.once('error', () => {
      resolve('ended');
    });
    server.once('exit', () => {
      resolve('ended');
    });
  });
  for (const deadline = Date.now() + START_MS; Date.now() < deadline;) {
    if (await answers('127.0.0.1', port)) {
      return {
        url: `redis://127.0.0.1:${port}`,
        stop: async () => {
          const exit = once(server, 'exit');
          server.kill('SIGTERM');
          await exit;
        },
      };
    }
    if ((await Promise.race([ended, sleep(50)])) === 'ended') return undefined;
  }
  server.kill('SIGKILL');
  throw new Error(`redis-server was started on port ${port} but did not answer within ${START_MS} ms`);
}
