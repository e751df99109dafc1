import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';

/** Clients of one attack. */
const CLIENTS = 200;
const HEAD_MS = 600;
const REQUEST_MS = 1_500;
const PAUSE_MS = 100;
/** A poll stands behind none of the clients: each of them would make it about once as long again. */
const SLOWER = 20;

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

  const poll = async (): Promise<number> => {
    const asked = performance.now();
    const body = { incarnation: agent.incarnation, waitMs: 0, known: [] };
    expect((await under.call('POST', '/v1/agent/poll', { token: agent.token, body })).status).toBe(200);
    return performance.now() - asked;
  };

  const medianOf = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

  interface Dripped {
    /** How long the last connection was kept, ms. */
    readonly keptMs: number;
    /** The pauses between two pieces until then: on a busy machine there are fewer in the same time, as its clock goes on. */
    readonly pauses: number;
    /** How many times longer a poll took than before, in the middle of all. */
    readonly slower: number;
  }

  /** Sends a little again and again, and polls meanwhile. */
  const drip = async (open: () => readonly Socket[], piece: string): Promise<Dripped> => {
    const before: number[] = [];
    for (let turn = 0; turn < 11; turn++) before.push(await poll());
    const all = open();
    const start = performance.now();
    const polls: number[] = [];
    while (all.some(({ closed }) => !closed) && performance.now() - start < 15_000) {
      for (const socket of all) if (socket.writable) socket.write(piece);
      polls.push(await poll());
      await sleep(PAUSE_MS);
    }
    for (const socket of all) socket.destroy();
    return { keptMs: performance.now() - start, pauses: polls.length, slower: medianOf(polls) / medianOf(before) };
  };

  it('in their head are cut off in time, and hold up no lease', async () => {
    const { pauses, slower } = await drip(() => sockets('GET /v1/clusters HTTP/1.1\r\nHost: x\r\n'), 'X-More: more\r\n');
    // The head's time, and the time between two looks.
    expect(pauses * PAUSE_MS).toBeLessThan(HEAD_MS * 5);
    expect(slower).toBeLessThan(SLOWER);
  });

  it('in their body are cut off in time, hold up no lease, and leave nothing behind', async () => {
    const head = `PUT /v1/clusters/slow/cib HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN}\r\nContent-Type: application/xml\r\nContent-Length: 100000\r\n\r\n`;
    const { keptMs, pauses, slower } = await drip(() => sockets(head), ' ');
    expect(keptMs).toBeGreaterThan(REQUEST_MS * 0.9);
    expect(pauses * PAUSE_MS).toBeLessThan(REQUEST_MS * 4);
    expect(slower).toBeLessThan(SLOWER);
    const metrics = async (): Promise<string> => (await under.call('GET', '/metrics', { token: null })).text;
    await expect.poll(metrics).toMatch(/^systole_http_body_bytes 0$/m);
    await expect.poll(metrics).toMatch(/^systole_http_requests_open 1$/m);
  });
});
