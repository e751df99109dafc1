import { connect, type Socket } from 'node:net';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';

const CONNECTIONS = 30;
/** Whoever opens connections comes from as many addresses as it needs, each of which has few. */
const ATTACKERS = 2 * CONNECTIONS;

describe.each([
  ['in one thread', false],
  ['with operators apart', true],
])('a table of connections full of heads that never end, %s', (_, operatorsApart) => {
  let under: ApiUnderTest;
  let agent: { readonly token: string; readonly incarnation: unknown };
  let halves: Socket[] = [];
  beforeAll(async () => {
    under = await apiUnderTest({ operatorsApart, limits: { connections: { total: CONNECTIONS, each: CONNECTIONS } } });
    await under.cluster('full', CIB);
    const token = await under.agent('full', 'n1');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    agent = { token, incarnation: joined.json['incarnation'] };
  });
  afterEach(() => {
    for (const half of halves) half.destroy();
    halves = [];
  });
  afterAll(() => under.close());

  const port = (): number => Number(new URL(under.api.url).port);

  const halfHead = (index: number): Promise<void> =>
    new Promise((resolve) => {
      const half = connect({ port: port(), host: '127.0.0.1', localAddress: `127.0.1.${String(1 + (index % ATTACKERS))}` });
      halves.push(half);
      half.on('error', () => undefined).resume();
      half.write('GET /v1/clusters HTTP/1.1\r\nHost: x\r\n', () => {
        resolve();
      });
    });

  const attack = (): Promise<unknown> => Promise.all(Array.from({ length: ATTACKERS }, (__, index) => halfHead(index)));

  /** On a connection of its own, which says what came and whether it is open still. */
  const ask = (head: string, body = ''): { readonly socket: Socket; readonly text: () => string } => {
    const socket = connect(port(), '127.0.0.1');
    let text = '';
    socket.on('error', () => undefined).on('data', (piece: Buffer) => (text += piece.toString()));
    socket.write(`${head}\r\nHost: x\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`);
    return { socket, text: () => text };
  };

  const poll = (waitMs: number): ReturnType<typeof ask> =>
    ask(
      `POST /v1/agent/poll HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${agent.token}`,
      JSON.stringify({ incarnation: agent.incarnation, waitMs, known: [] }),
    );

  it('lets an agent in that connects anew, each time', async () => {
    for (let turn = 0; turn < 5; turn++) {
      await attack();
      const { socket, text } = poll(0);
      await expect.poll(text).toMatch(/^HTTP\/1.1 200 /);
      socket.destroy();
    }
  });

  it('closes no connection on which a valid token came, be it an agent that waits or an operator between two requests', async () => {
    const waiting = poll(3_000);
    const operator = ask(`GET /v1/clusters HTTP/1.1\r\nAuthorization: Bearer ${ADMIN}`);
    await expect.poll(operator.text).toMatch(/^HTTP\/1.1 200 /);
    await attack();
    await attack();
    await expect.poll(waiting.text, { timeout: 10_000 }).toMatch(/^HTTP\/1.1 200 /);
    operator.socket.write(`GET /v1/clusters HTTP/1.1\r\nAuthorization: Bearer ${ADMIN}\r\nHost: x\r\n\r\n`);
    await expect.poll(() => operator.text().match(/HTTP\/1.1 200 /g)?.length).toBe(2);
    for (const { socket } of [waiting, operator]) socket.destroy();
  });

  it('closes one on which a wrong token came as any other', async () => {
    const stranger = ask('GET /v1/clusters HTTP/1.1\r\nAuthorization: Bearer wrong');
    await expect.poll(stranger.text).toMatch(/^HTTP\/1.1 401 /);
    await attack();
    await expect.poll(() => stranger.socket.closed).toBe(true);
  });

  it('lets a load balancer see that the server lives, and counts what was closed', async () => {
    await attack();
    const health = ask('GET /health/live HTTP/1.1');
    await expect.poll(health.text).toMatch(/^HTTP\/1.1 200 /);
    health.socket.destroy();
    const metrics = ask('GET /metrics HTTP/1.1');
    await expect.poll(metrics.text).toMatch(/systole_http_refused_total\{reason="connections(-without-token)?"\} \d+/);
    metrics.socket.destroy();
  });
});
