import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { FallingSilent } from '@systole/event-store/testing';
import { PROTOCOL } from '@systole/protocol';
import { freePort } from '@systole/queue/testing';
import { describe, expect, it } from 'vitest';
import { apiUnderTest, CIB } from '../testing/api-under-test.js';

const REDIS = ['redis-server', 'valkey-server'].find((program) => spawnSync(program, ['--version']).status === 0);

describe('an api whose Redis says nothing any more', () => {
  it('says so at once to whoever asks whether it is ready, for how long, and stays ready', { timeout: 60_000 }, async () => {
    const way = await FallingSilent.before(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
    const under = await apiUnderTest({ redisUrl: way.url });
    const ask = async (): Promise<{ readonly ms: number; readonly status: number; readonly text: string }> => {
      const start = performance.now();
      const { status, text } = await under.call('GET', '/health/ready', { token: null });
      return { ms: performance.now() - start, status, text };
    };
    try {
      expect((await ask()).text).toMatch(/^\{"status":"ok".*"queue":\{"status":"up","backend":"redis",.*"ageMs":\d+\}/);
      way.fallSilent();
      for (let times = 0; times < 20; times++) {
        expect(await ask()).toMatchObject({ status: 200 });
        expect((await ask()).ms).toBeLessThan(300);
        await sleep(250);
      }
      expect((await ask()).text).toMatch(
        /^\{"status":"degraded".*"queue":\{"status":"down".*Redis can't be reached: no answer.*; silent for [4-9] s; going on without it/,
      );
    } finally {
      await under.close();
      await way.close();
    }
  });
});

describe.skipIf(REDIS === undefined)('an api that starts while Redis is away', () => {
  it('serves agents and operators, says what is impaired, and takes the queue up when it comes', async () => {
    const port = await freePort();
    const under = await apiUnderTest({ redisUrl: `redis://127.0.0.1:${port}` });
    const readiness = async (): Promise<unknown> => {
      const { status, json } = await under.call('GET', '/health/ready', { token: null });
      return [status, json['status']];
    };
    expect(await readiness()).toEqual([200, 'degraded']);
    await under.cluster('early', CIB);
    const token = await under.agent('early', 'n1');
    expect(
      (await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } })).status,
    ).toBe(200);

    const redis = spawn(REDIS ?? '', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' });
    try {
      await expect.poll(readiness, { timeout: 30_000 }).toEqual([200, 'ok']);
      await under.call('POST', '/v1/clusters/early/nodes/n2/commands/standby');
      redis.kill('SIGKILL');
      const details = async (): Promise<unknown> => (await under.call('GET', '/health/ready', { token: null })).json['details'];
      await expect.poll(details, { timeout: 30_000 }).toMatchObject({
        queue: { message: expect.stringMatching(/^Redis can't be reached: (?!.*retries).*; going on without it$/) as string },
      });
    } finally {
      await under.close();
      if (redis.exitCode === null && redis.signalCode === null) {
        const exited = once(redis, 'exit');
        redis.kill('SIGKILL');
        await exited;
      }
    }
  });
});
