import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROTOCOL } from '@systole/protocol';
import { freePort } from '@systole/queue/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '../create-api.js';
import { ADMIN, apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';

describe('an api that serves operators in a thread of its own', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest({ operatorsApart: true, limits: { wrongTokens: { perSecond: 0.1, burst: 3 } } });
    await under.cluster('apart', CIB);
  }, 30_000);
  afterAll(() => under.close());

  const metrics = async (): Promise<string> => (await under.call('GET', '/metrics', { token: null })).text;

  it('is one api: what the one part records, the other knows', async () => {
    const token = await under.agent('apart', 'n1');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    expect(joined.status).toBe(200);
    const nodes = await under.call('GET', '/v1/clusters/apart/nodes');
    expect(nodes.json['items']).toContainEqual(expect.objectContaining({ name: 'n1', incarnation: joined.json['incarnation'] }));
    const poll = { incarnation: joined.json['incarnation'], waitMs: 0, known: [] };
    expect((await under.call('POST', '/v1/agent/poll', { token, body: poll })).status).toBe(200);
    expect((await under.call('GET', '/v1/agent/cib', { token })).text).toContain('<cib');
    expect((await under.call('GET', '/v1/clusters/apart', { token })).status).toBe(403);
    expect((await under.call('POST', '/v1/agent/poll', { body: poll })).status).toBe(403);
    expect((await under.call('DELETE', '/v1/clusters')).headers.get('allow')).toContain('POST');
  });

  describe("serves agents' duties and reports in the front alone", () => {
    const ROUTES = ['join', 'poll', 'results', 'attributes', 'shutdown', 'leave'];
    let token: string;
    beforeAll(async () => {
      token = await under.agent('apart', 'n2');
    });

    it('under one spelling', async () => {
      for (const route of ROUTES) {
        const other = [
          `/v1/agent/${route}/`,
          `/V1/agent/${route}`,
          `/v1/Agent/${route}`,
          `/v1/agent/${route.toUpperCase()}`,
          `/v1/agent//${route}`,
        ];
        for (const path of [...other, `/v1/%61gent/${route}`, `/v1/agent/${route}/x`, `/v1/agent/${route};`]) {
          const { status, json } = await under.call('POST', path, { token, body: {} });
          expect([path, status, json['type']]).toEqual([path, 404, 'https://systole.dev/problems/no-such-route']);
        }
        expect([422, 426]).toContain((await under.call('POST', `/v1/agent/${route}`, { token, body: {} })).status);
      }
    });

    it('even for one who reaches the other part past the front', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'behind-'));
      const socketPath = join(directory, 'api.sock');
      const behind = await createApi({ databaseUrl: under.database.url, logLevel: 'silent', frontedAt: socketPath });
      const ask = (method: string, path: string): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          const asked = request({ socketPath, method, path, headers }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          });
          asked.on('error', reject).end(method === 'POST' ? '{}' : undefined);
        });
      try {
        for (const route of ROUTES) expect([route, await ask('POST', `/v1/agent/${route}`)]).toEqual([route, 404]);
        expect(await ask('GET', '/v1/agent/cib')).toBe(200);
        expect(await ask('GET', '/v1/agent/cib/')).toBe(404);
      } finally {
        await behind.close();
        await rm(directory, { recursive: true });
      }
    });
  });

  it('shows the metrics of both parts, each once', async () => {
    await under.call('GET', '/v1/clusters');
    const text = await metrics();
    expect(text).toMatch(/systole_http_request_duration_seconds_count\{method="GET",route="\/v1\/clusters",status="200"\} \d/);
    expect(text).toMatch(/systole_http_request_duration_seconds_count\{method="POST",route="\/v1\/agent\/poll",status="200"\} \d/);
    expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
    expect(text.match(/^systole_computations_status /gm)).toHaveLength(1);
  });

  it('shows for how long either of them came to nothing else', async () => {
    const longestPause = async (loop: string): Promise<number> => {
      const [, shown] = new RegExp(`^systole_event_loop_longest_pause_seconds\\{loop="${loop}"\\} (.+)$`, 'm').exec(await metrics()) ?? [];
      return Number(shown);
    };
    await metrics();
    for (const until = performance.now() + 300; performance.now() < until;);
    expect(await longestPause('main')).toBeGreaterThan(0.25);
    // Whoever asked before hides it from nobody.
    expect(await longestPause('main')).toBeGreaterThan(0.25);
    expect(await metrics()).toMatch(/^systole_event_loop_pauses_seconds_bucket\{le="\+Inf",loop="main"\} [1-9]/m);
    expect(await longestPause('operators')).toBeGreaterThanOrEqual(0);
  });

  it('ends a connection with requests without number, and begins none of them for one that is gone', async () => {
    const token = await under.agent('apart', 'n3');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const body = JSON.stringify({ incarnation: joined.json['incarnation'], waitMs: 0, known: [] });
    const polled = async (): Promise<number> =>
      Number(
        /^systole_http_request_duration_seconds_count\{method="POST",route="\/v1\/agent\/poll".* (\d+)$/m.exec(await metrics())?.[1] ?? 0,
      );
    const before = await polled();
    const client = connect(Number(new URL(under.api.url).port), '127.0.0.1');
    client.on('error', () => undefined).resume();
    client.write(
      `POST /v1/agent/poll HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`.repeat(
        2_000,
      ),
    );
    await expect.poll(() => client.closed, { timeout: 5_000 }).toBe(true);
    await expect.poll(metrics).toMatch(/^systole_http_requests_open 1$/m);
    expect(await metrics()).toMatch(/^systole_http_refused_total\{reason="pipelining"\} 1$/m);
    expect((await polled()) - before).toBeLessThan(4);
  });

  it('says whether both parts are there', async () => {
    const ready = await under.call('GET', '/health/ready', { token: null });
    expect(ready.json).toMatchObject({ details: { operators: { status: 'up' } } });
    expect((await under.call('GET', '/health/ready/operators', { token: null })).status).toBe(200);
  });

  it('is ready for agents, and serves them, before it is ready for operators', { timeout: 30_000 }, async () => {
    const token = await under.agent('apart', 'n4');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const body = JSON.stringify({ incarnation: joined.json['incarnation'], waitMs: 0, known: [] });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const port = await freePort();
    const url = `http://127.0.0.1:${String(port)}`;
    const starting = createApi({ databaseUrl: under.database.url, port, logLevel: 'silent', operatorsApart: true });
    try {
      const listens = () =>
        fetch(`${url}/health/live`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(listens, { timeout: 20_000, interval: 5 }).toBe(true);
      const [forOperators, ready, poll] = await Promise.all([
        fetch(`${url}/health/ready/operators`),
        fetch(`${url}/health/ready`),
        fetch(`${url}/v1/agent/poll`, { method: 'POST', headers, body }),
      ]);
      expect([forOperators.status, forOperators.headers.get('retry-after'), ready.status, poll.status]).toEqual([503, '2', 200, 200]);
      expect(await forOperators.json()).toMatchObject({ type: 'https://systole.dev/problems/operators-thread-away' });
      expect(await ready.json()).toMatchObject({ status: 'degraded', details: { operators: { status: 'down' } } });
      await starting;
      const after = await fetch(`${url}/health/ready/operators`);
      expect([after.status, await after.json()]).toMatchObject([200, { details: { operators: { status: 'up' } } }]);
    } finally {
      await (await starting).close();
    }
  });

  it('counts wrong tokens by the address of the client, not by what it says of itself', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      const headers = { 'x-forwarded-for': `10.0.0.${attempt}` };
      statuses.push((await under.call('GET', '/v1/clusters', { token: `systole_wrong-${attempt}`, headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
  });

  it('ends event streams with their client, and when it closes', async () => {
    const client = new AbortController();
    const follow = (signal?: AbortSignal): Promise<Response> =>
      fetch(`${under.api.url}/v1/clusters/apart/events/stream`, {
        headers: { authorization: `Bearer ${ADMIN}` },
        ...(signal === undefined ? {} : { signal }),
      });
    expect((await follow(client.signal)).headers.get('content-type')).toContain('text/event-stream');
    await expect.poll(metrics).toMatch(/^systole_event_streams 1$/m);
    client.abort();
    await expect.poll(metrics).toMatch(/^systole_event_streams 0$/m);
    const stream = await follow();
    const start = performance.now();
    const closing = under.api.close();
    await stream.text();
    expect(performance.now() - start).toBeLessThan(4_000);
    await closing;
  });
});
