import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

describe('limits', () => {
  let under: ApiUnderTest;
  let viewer: string;
  beforeAll(async () => {
    under = await apiUnderTest({
      leaseMs: 30_000,
      limits: {
        requests: { perSecond: 20, burst: 60 },
        wrongTokens: { perSecond: 0.2, burst: 5 },
        streams: { total: 4, each: 3 },
      },
    });
    await under.cluster('limited', CIB);
    viewer = await under.token('viewer', 'viewer');
  });
  afterAll(() => under.close());

  const stream = (token: string, signal: AbortSignal): Promise<Response> =>
    fetch(`${under.api.url}/v1/clusters/limited/events/stream`, { headers: { authorization: `Bearer ${token}` }, signal });

  it('bound the event streams of a token and of all, and give places back', async () => {
    const other = await under.token('viewer', 'other');
    const clients = Array.from({ length: 5 }, () => new AbortController());
    const [a, b, c, d, e] = clients.map(({ signal }) => signal);
    if (!a || !b || !c || !d || !e) throw new Error('five clients are needed');
    expect((await Promise.all([stream(viewer, a), stream(viewer, b), stream(viewer, c)])).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
    const own = await stream(viewer, d);
    expect([own.status, own.headers.get('retry-after'), await own.json()]).toMatchObject([429, '10', { title: 'Too many requests' }]);
    expect((await stream(other, d)).status).toBe(200);
    expect((await stream(other, e)).status).toBe(503);
    for (const client of clients) client.abort();
    const again = new AbortController();
    await expect.poll(async () => (await stream(viewer, again.signal)).status).toBe(200);
    again.abort();
  });

  it('keep no place for a client that left before its stream began', async () => {
    const early = await under.token('viewer', 'early');
    const metric = async (name: string): Promise<number> =>
      Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await under.call('GET', '/metrics', { token: null })).text)?.[1]);
    await expect.poll(() => metric('systole_event_streams')).toBe(0);
    const before = await metric('systole_http_requests_open');
    const client = await under.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('LOCK TABLE clusters IN ACCESS EXCLUSIVE MODE');
      const gone = new AbortController();
      const streams = Array.from({ length: 3 }, () => stream(early, gone.signal).catch(() => undefined));
      await expect.poll(() => metric('systole_http_requests_open')).toBe(before + 3);
      // Past the look-up of the token, and waiting for the cluster's.
      await sleep(200);
      gone.abort();
      await Promise.all(streams);
      await expect.poll(() => metric('systole_http_requests_open')).toBe(before);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    await sleep(300);
    expect(await metric('systole_event_streams')).toBe(0);
    const again = new AbortController();
    expect((await stream(early, again.signal)).status).toBe(200);
    again.abort();
  });

  it('bound how often a token asks, and leave the others alone', async () => {
    const busy = await under.token('viewer', 'busy');
    const answers = await Promise.all(Array.from({ length: 200 }, () => under.call('GET', '/v1/clusters', { token: busy })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(50);
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused[0]?.json).toMatchObject({ type: 'https://systole.dev/problems/too-many-requests' });
    expect((await under.call('GET', '/v1/clusters', { token: viewer })).status).toBe(200);
    const { text } = await under.call('GET', '/metrics', { token: null });
    expect(text).toContain(`systole_http_refused_total{reason="too-many-requests"} ${refused.length}`);
  });

  it('of an agent are apart from its lease: whatever else is asked with its token, polls and results are answered', async () => {
    const token = await under.agent('limited', 'n3');
    const say = (duty: string, body: object): Promise<Answer> => under.call('POST', `/v1/agent/${duty}`, { token, body });
    const joined = await say('join', { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' });
    const incarnation = joined.json['incarnation'];
    const asked = await Promise.all(Array.from({ length: 150 }, () => under.call('GET', '/v1/agent/cib', { token })));
    expect(asked.filter(({ status }) => status === 429).length).toBeGreaterThan(20);
    const duties = await Promise.all(
      Array.from({ length: 150 }, (_, turn) =>
        turn % 2 === 0 ? say('poll', { incarnation, waitMs: 0, known: [] }) : say('results', { incarnation, results: [] }),
      ),
    );
    expect([...new Set(duties.map(({ status }) => status))]).toEqual([200]);
    expect((await say('leave', { incarnation })).status).toBe(200);
  });

  it('bound the bytes that an agent sends, by kind, and refuse what is too much unread; the others are answered', async () => {
    const rate = { perSecond: 1_000, burst: 100_000 };
    const other = await apiUnderTest({ limits: { agentBytes: { polls: rate, others: rate } } });
    await other.cluster('bytes', CIB);
    const [token, peer] = [await other.agent('bytes', 'n1'), await other.agent('bytes', 'n2')];
    const say = (duty: string, body: object, as = token): Promise<Answer> => other.call('POST', `/v1/agent/${duty}`, { token: as, body });
    const join = async (as: string): Promise<unknown> =>
      (await say('join', { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' }, as)).json['incarnation'];
    const body = {
      incarnation: await join(token),
      waitMs: 0,
      known: Array.from({ length: 1_000 }, (_, index) => `${'k'.repeat(60)}${String(index)}`),
    };
    const polls = [await say('poll', body), await say('poll', body), await say('poll', body)];
    expect(polls.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(polls[2]?.json).toMatchObject({ type: 'https://systole.dev/problems/too-many-bytes' });
    // However much it sent: polls are refused for no longer than part of a lease.
    expect(Number(polls[2]?.headers.get('retry-after'))).toBeLessThanOrEqual(5);
    expect((await announced(other, token, 'poll', 1_000)).status).toBe(429);
    expect((await say('results', { incarnation: body.incarnation, results: [] })).status).toBe(200);
    expect((await say('poll', { ...body, incarnation: await join(peer) }, peer)).status).toBe(200);
    await other.close();
  });

  it('charge an agent nothing for a body that is too large, and for one that breaks off only what came: a wrong length costs no lease', async () => {
    const token = await under.agent('limited', 'n4');
    const say = (duty: string, body: object): Promise<Answer> => under.call('POST', `/v1/agent/${duty}`, { token, body });
    for (const duty of ['poll', 'results', 'join', 'shutdown', 'attributes']) {
      for (const length of [99_999_999_999_999, 400_000_000])
        expect([duty, await announced(under, token, duty, length)]).toEqual([duty, { status: 413, connection: 'close' }]);
    }
    expect((await announced(under, token, 'poll', 400_000_000, { 'content-encoding': 'gzip' })).status).toBe(413);
    const joined = await say('join', { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' });
    expect(joined.status).toBe(200);
    const incarnation = joined.json['incarnation'];
    // Together more than all that an agent may send at once.
    await Promise.all(Array.from({ length: 60 }, () => brokenOff(under, token, 'poll', 1_000_000)));
    expect((await say('poll', { incarnation, waitMs: 0, known: [] })).status).toBe(200);
    expect((await say('results', { incarnation, results: [] })).status).toBe(200);
    expect((await say('attributes', { incarnation, changes: [] })).status).toBe(200);
    expect((await say('leave', { incarnation })).status).toBe(200);
  });

  it('make wrong tokens of an address wait longer and longer, and let right ones from there in', async () => {
    const tries: Answer[] = [];
    for (let attempt = 0; attempt < 30; attempt++)
      tries.push(await under.call('GET', '/v1/clusters', { token: `systole_wrong-${attempt}` }));
    expect(tries.map(({ status }) => status)).toEqual([...Array<number>(5).fill(401), ...Array<number>(25).fill(429)]);
    const waits = tries.slice(5).map(({ headers }) => Number(headers.get('retry-after')));
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits.at(-1)).toBeGreaterThan(100);
    expect((await under.call('GET', '/v1/clusters', { token: viewer })).status).toBe(200);
  });

  it('bound what is asked without a token, by the address; whether the server lives, and whoever has a token, is answered all the same', async () => {
    const other = await apiUnderTest({ limits: { wrongTokens: { perSecond: 0.1, burst: 10 }, requests: { perSecond: 0.1, burst: 20 } } });
    const tries: Answer[] = [];
    for (let attempt = 0; attempt < 15; attempt++) {
      const token = attempt % 2 === 0 ? null : 'not a token';
      tries.push(await other.call('POST', '/v1/agent/poll', { token, body: {} }));
    }
    expect(tries.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), ...Array<number>(5).fill(429)]);
    const refused = tries.at(-1);
    expect([refused?.headers.get('connection'), refused?.headers.get('retry-after')]).toEqual(['close', '10']);
    expect(refused?.json).toMatchObject({ type: 'https://systole.dev/problems/too-many-requests', instance: '/v1/agent/poll' });
    expect((await other.call('GET', '/health/live', { token: null })).status).toBe(200);
    expect((await other.call('GET', '/v1/clusters')).status).toBe(200);
    const pages: number[] = [];
    for (let attempt = 0; attempt < 21; attempt++) pages.push((await other.call('GET', '/metrics', { token: null })).status);
    expect(pages).toEqual([...Array<number>(20).fill(200), 429]);
    await other.close();
  });

  it('cost the agents nothing: two thousand wrong tokens at once hold up no poll', async () => {
    const token = await under.agent('limited', 'n1');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    let refused = 0;
    /** @returns how many wrong tokens were answered while it waited */
    const poll = async (): Promise<number> => {
      const before = refused;
      const body = { incarnation: joined.json['incarnation'], waitMs: 0, known: [] };
      const answer = await under.call('POST', '/v1/agent/poll', { token, body });
      expect(answer.status).toBe(200);
      return refused - before;
    };
    await poll();
    let flooding = true;
    const clients = 20;
    const flood = Array.from({ length: clients }, async (_, client) => {
      for (let attempt = 0; flooding && attempt < 100; attempt++) {
        await under.call('GET', '/v1/clusters', { token: `systole_${client}-${attempt}` });
        refused += 1;
      }
    });
    await expect.poll(() => refused).toBeGreaterThan(0);
    const overtaken: number[] = [];
    for (let round = 0; round < 20; round++) overtaken.push(await poll());
    flooding = false;
    await Promise.all(flood);
    // A poll asks the database several times, each time beside what is there of the flood: it has its turn, however slow the machine is. One that stood behind
    // the flood would see hundreds pass.
    expect(overtaken.sort((a, b) => a - b).at(-2)).toBeLessThan(clients * 5);
  });

  it('bound the connections of an address: half of what it may have are kept without a token, and the newest get in', async () => {
    const other = await apiUnderTest({ limits: { connections: { total: 100, each: 40 } } });
    const sockets = Array.from({ length: 60 }, () => connect(Number(new URL(other.api.url).port), '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    // The api's own look whether it lets anybody in may take one more place.
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(40);
    expect(sockets.filter(({ closed }) => closed).length).toBeLessThanOrEqual(41);
    expect((await other.call('GET', '/health/live', { token: null })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await other.close();
  });

  it('end what a revoked token holds open', async () => {
    const made = await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'leaving' } });
    const token = await under.agent('limited', 'n2');
    const joined = await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const following = await stream(String(made.json['secret']), new AbortController().signal);
    const polling = under
      .call('POST', '/v1/agent/poll', { token, body: { incarnation: joined.json['incarnation'], waitMs: 10_000, known: [] } })
      .then(
        ({ status }) => status,
        () => 'closed',
      );
    await sleep(100);
    const start = performance.now();
    await under.database.pool.query(`UPDATE tokens SET revoked_at = now() WHERE name IN ('leaving', 'agent-n2')`);
    await expect(following.text()).rejects.toThrow();
    expect(await polling).toBe('closed');
    expect(performance.now() - start).toBeLessThan(4_000);
    expect((await under.call('GET', '/v1/clusters', { token: String(made.json['secret']) })).status).toBe(401);
    expect((await under.call('GET', '/v1/clusters', { token: ADMIN })).status).toBe(200);
  });

  it('keep no agent from hearing that its token was revoked, or that its container has ended, however many wrong tokens its address sends', async () => {
    const other = await apiUnderTest({ limits: { wrongTokens: { perSecond: 0.01, burst: 3 }, duties: { perSecond: 0.01, burst: 3 } } });
    try {
      const cluster = await other.cluster('c', CIB);
      const [revoked, ended] = [await other.agent(cluster, 'n1'), await other.agent(cluster, 'n2')];
      await other.database.pool.query(`UPDATE tokens SET revoked_at = now() WHERE role = 'agent'`);
      await other.database.pool.query(`UPDATE tokens SET container = 'b-podman-0', container_host = 'n1' WHERE node = 'n2'`);
      const poll = async (token: string): Promise<readonly unknown[]> => {
        const { status, json } = await other.call('POST', '/v1/agent/poll', { token, body: { incarnation: 1, waitMs: 0, known: [] } });
        return [status, String(json['type']).split('/').at(-1)];
      };
      const wrong = async (): Promise<unknown> => (await poll('systole_wrong'))[0];
      const heard = [];
      for (let times = 0; times < 5; times++) heard.push(await poll(revoked), await poll(ended));
      // These were none of the wrong ones.
      expect([await wrong(), await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 401, 429]);
      expect(heard).toEqual(heard.map((_, turn) => [401, turn % 2 === 0 ? 'unauthenticated' : 'declared-down']));
      expect(await poll(revoked)).toEqual([401, 'unauthenticated']);
    } finally {
      await other.close();
    }
  });
});

/** Asks with a body of a length that never comes. @returns what is answered to its headers */
function announced(
  under: ApiUnderTest,
  token: string,
  duty: string,
  length: number,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number | undefined; readonly connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const asked = asking(under, token, duty, length, more).once('response', ({ statusCode: status, headers: { connection } }) => {
      resolve({ status, connection });
      asked.destroy();
    });
    asked.on('error', reject).flushHeaders();
  });
}

/** Begins to send a body, and is gone. */
async function brokenOff(under: ApiUnderTest, token: string, duty: string, length: number): Promise<void> {
  const asked = asking(under, token, duty, length, {}).on('error', () => undefined);
  const closed = new Promise((resolve) => asked.once('close', resolve));
  asked.write('{"known":[');
  await sleep(300);
  asked.destroy();
  await closed;
}

function asking(
  { api }: ApiUnderTest,
  token: string,
  duty: string,
  length: number,
  more: Readonly<Record<string, string>>,
): ReturnType<typeof request> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': String(length), ...more };
  return request(`${api.url}/v1/agent/${duty}`, { method: 'POST', headers });
}
