import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { PROTOCOL } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { apiUnderTest, CIB } from '../testing/api-under-test.js';

const REDIS = ['redis-server', 'valkey-server'].find((program) => spawnSync(program, ['--version']).status === 0);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

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
