import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';

/** Clients of one attack. */
const CLIENTS = 200;
const HEAD_MS = 600;
const REQUEST_MS = 1_500;

describe.each([
  ['in one thread', false],
  ['with operators apart', true],
])('requests that never end, %s', (_, operatorsApart) => {
  let under: ApiUnderTest;
  let agent: { readonly token: string; readonly incarnation: unknown };
  beforeAll(async () => {
    under = await apiUnderTest({
      operatorsApart,
      limits: { arrival: { headMs: HEAD_MS, requestMs: REQUEST_MS }, connections: { total: 1_000, each: 500 } },
    });
    await under.cluster('slow', CIB);
    const token = await under.agent('slow', 'n1');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    agent = { token, incarnation: joined.json['incarnation'] };
  });
  afterAll(() => under.close());

  const sockets = (first: string): readonly Socket[] =>
    Array.from({ length: CLIENTS }, () => {
      const socket = connect(Number(new URL(under.api.url).port), '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write(first);
      return socket;
    });

  /** Sends a little again and again, and polls meanwhile. @returns how long the last connection was kept, and the polls' times, ms */
  const drip = async (all: readonly Socket[], piece: string): Promise<{ readonly keptMs: number; readonly polls: readonly number[] }> => {
    const start = performance.now();
    const polls: number[] = [];
    while (all.some(({ closed }) => !closed) && performance.now() - start < 15_000) {
      for (const socket of all) if (socket.writable) socket.write(piece);
      const asked = performance.now();
      const body = { incarnation: agent.incarnation, waitMs: 0, known: [] };
      expect((await under.call('POST', '/v1/agent/poll', { token: agent.token, body })).status).toBe(200);
      polls.push(performance.now() - asked);
      await sleep(100);
    }
    for (const socket of all) socket.destroy();
    return { keptMs: performance.now() - start, polls: polls.sort((a, b) => a - b) };
  };

  it('in their head are cut off in time, and hold up no lease', async () => {
    const { keptMs, polls } = await drip(sockets('GET /v1/clusters HTTP/1.1\r\nHost: x\r\n'), 'X-More: more\r\n');
    // The head's time, the time between two looks, and what a busy machine adds.
    expect(keptMs).toBeLessThan(HEAD_MS * 5);
    expect(polls.at(-2)).toBeLessThan(1_000);
  });

  it('in their body are cut off in time, hold up no lease, and leave nothing behind', async () => {
    const head = `PUT /v1/clusters/slow/cib HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN}\r\nContent-Type: application/xml\r\nContent-Length: 100000\r\n\r\n`;
    const { keptMs, polls } = await drip(sockets(head), ' ');
    expect(keptMs).toBeGreaterThan(REQUEST_MS * 0.9);
    expect(keptMs).toBeLessThan(REQUEST_MS * 4);
    expect(polls.at(-2)).toBeLessThan(1_000);
    const metrics = async (): Promise<string> => (await under.call('GET', '/metrics', { token: null })).text;
    await expect.poll(metrics).toMatch(/^systole_http_body_bytes 0$/m);
    await expect.poll(metrics).toMatch(/^systole_http_requests_open 1$/m);
  });
});
