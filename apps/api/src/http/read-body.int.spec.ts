import { once } from 'node:events';
import { createServer, request as requestOf } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { HttpProblem } from './problem.js';
import { readBody } from './read-body.js';

const BOUNDS = { limit: 1_000, tooLarge: () => new HttpProblem(413, 'content-too-large', 'too large'), count: () => undefined };

describe('a body whose sender has gone', () => {
  it.each([
    ['before it is read', 'identity', true],
    ['before it is read, compressed', 'gzip', true],
    ['while it is read', 'identity', false],
    ['while it is read, compressed', 'gzip', false],
  ])('%s is refused, and not waited for', async (_, encoding, before) => {
    let outcome: Promise<unknown> = Promise.resolve('nothing came');
    const server = createServer((request) => {
      const gone = before ? new Promise((resolve) => request.once('close', resolve)) : Promise.resolve();
      outcome = gone.then(() => readBody(request as Request, BOUNDS)).catch((error: unknown) => error);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = { 'content-length': '500', 'content-type': 'application/json', 'content-encoding': encoding };
    const client = requestOf({ port, host: '127.0.0.1', method: 'POST', headers });
    client.on('error', () => undefined);
    const came = once(server, 'request');
    client.write('{"a":');
    await came;
    await sleep(30);
    client.destroy();
    const seen = await Promise.race([outcome, sleep(3_000, 'still waiting')]);
    expect(seen).toMatchObject({ status: 400, code: 'malformed-request' });
    server.close();
  });
});
