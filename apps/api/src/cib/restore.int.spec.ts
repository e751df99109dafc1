import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

describe('restoring a configuration', () => {
  let under: ApiUnderTest;
  let path: string;
  const restore = (body: object, query = '', headers: Record<string, string> = {}): Promise<Answer> =>
    under.call('POST', `${path}/restore${query}`, { body, headers: { 'if-match': '*', ...headers } });
  const put = (score: number): Promise<Answer> =>
    under.call('PUT', `${path}/cib`, {
      headers: { 'if-match': '*' },
      raw: { type: 'application/xml', body: CIB.replace('score="50"', `score="${score}"`) },
    });
  const document = async (): Promise<string> => (await under.call('GET', `${path}/cib`, { headers: { accept: 'application/xml' } })).text;

  beforeAll(async () => {
    under = await apiUnderTest();
    path = `/v1/clusters/${await under.cluster('restored', CIB)}`;
    await put(1);
    await put(2);
  });
  afterAll(() => under.close());

  it('is shown first, and then is one event that says what came back, and why', async () => {
    const dry = await restore({ version: 1 }, '?dryRun=true');
    expect([dry.status, dry.json]).toMatchObject([200, { dryRun: true, changes: [{ kind: 'rsc_location' }] }]);
    expect(await document()).toContain('score="2"');
    const done = await restore({ version: 1, reason: 'the change was wrong' }, '', { 'idempotency-key': 'restore-1' });
    expect([done.status, done.json]).toMatchObject([200, { version: 4 }]);
    expect(await document()).toContain('score="50"');
    expect((await under.call('GET', `${path}/events/4`)).json).toMatchObject({
      type: 'ConfigurationChanged',
      data: { command: 'restore-configuration', arguments: { version: 1 }, reason: 'the change was wrong' },
    });
    expect((await restore({ version: 1, reason: 'the change was wrong' }, '', { 'idempotency-key': 'restore-1' })).json).toMatchObject({
      version: 4,
    });
  });

  it('is of a time, too', async () => {
    const { occurredAt } = (await under.call('GET', `${path}/events/2`)).json as { occurredAt: string };
    expect((await restore({ at: occurredAt })).status).toBe(200);
    expect(await document()).toContain('score="1"');
  });

  it('can be compared before that, by version and by time', async () => {
    const diff = async (query: string): Promise<Answer> => under.call('GET', `${path}/diff?${query}`);
    const changes = [
      {
        kind: 'rsc_location',
        before: expect.stringContaining('score="50"') as string,
        after: expect.stringContaining('score="2"') as string,
      },
    ];
    expect((await diff('from=1&to=3')).json).toMatchObject({ from: 1, to: 3, changes });
    expect((await diff('from=3&to=1')).json).toMatchObject({ from: 3, to: 1, changes: [{ kind: 'rsc_location' }] });
    expect((await diff('from=1&to=1')).json).toMatchObject({ changes: [] });
    const { occurredAt } = (await under.call('GET', `${path}/events/2`)).json as { occurredAt: string };
    expect((await diff(`from=${occurredAt}&to=0s`)).json).toMatchObject({ from: 2 });
    expect((await diff('from=1h')).status).toBe(404);
    expect((await diff('from=99')).status).toBe(404);
    expect((await diff('from=then')).status).toBe(400);
    const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString();
    // Clocks differ a little.
    expect((await diff(`from=1&to=${ahead(30_000)}`)).status).toBe(200);
    for (const [query, parameter] of [
      [`from=${ahead(120_000)}`, 'from'],
      [`from=1&to=${ahead(120_000)}`, 'to'],
      ['from=1&to=2026-11-31', 'to'],
    ] as const) {
      const { status, json } = await diff(query);
      expect([query, status, json['errors']]).toMatchObject([query, 400, [{ parameter }]]);
    }
    for (const part of ['cib', 'status', 'configuration', 'configuration/resources/web', 'explanation', 'tickets', 'nodes']) {
      expect([part, (await under.call('GET', `${path}/${part}?at=${ahead(30_000)}`)).status]).toEqual([part, 200]);
      for (const at of [ahead(120_000), '2999-01-01', '2026-02-29']) {
        const { status, json } = await under.call('GET', `${path}/${part}?at=${at}`);
        expect([part, at, status, json['errors']]).toMatchObject([part, at, 400, [{ parameter: 'at' }]]);
      }
    }
    expect((await diff('to=1')).status).toBe(400);
    const at = (await under.call('GET', `${path}/cib?at=${occurredAt}`, { headers: { accept: 'application/xml' } })).text;
    expect(at).toContain('score="1"');
    expect((await under.call('GET', `${path}/cib?at=1&version=1`)).status).toBe(400);
  });

  it('is refused for what never was, and where somebody else was faster', async () => {
    expect((await restore({ version: 99 })).status).toBe(404);
    expect((await restore({ at: '1h' })).status).toBe(404);
    const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const future = await restore({ at: ahead(120_000) });
    expect([future.status, future.json['errors']]).toEqual([
      400,
      [{ pointer: '/at', detail: expect.stringContaining('time to come') as string }],
    ]);
    expect((await restore({ at: '2026-02-30' })).json['errors']).toMatchObject([{ pointer: '/at' }]);
    expect((await restore({})).status).toBe(422);
    expect((await restore({ version: 1, at: '1h' })).status).toBe(422);
    expect((await restore({ at: 'then' })).status).toBe(422);
    expect((await restore({ version: 1 }, '', { 'if-match': '"1"' })).status).toBe(412);
    // Whoever goes back gives up what others wrote since, and says up to where.
    expect((await under.call('POST', `${path}/restore`, { body: { version: 1 } })).status).toBe(428);
  });

  it('of a time to come is possible where the log dates it so, by a clock of the database that was ahead', async () => {
    const id = await under.cluster('ahead', CIB);
    await under.database.pool.query('ALTER TABLE events DISABLE TRIGGER USER');
    await under.database.pool.query(`UPDATE events SET occurred_at = clock_timestamp() + interval '1 hour' WHERE stream_id = $1`, [id]);
    const cib = async (minutes: number): Promise<number> =>
      (await under.call('GET', `/v1/clusters/${id}/cib?at=${new Date(Date.now() + minutes * 60_000).toISOString()}`)).status;
    expect([await cib(60.5), await cib(65)]).toEqual([200, 400]);
  });
});

describe('the history of a resource', () => {
  let under: ApiUnderTest;
  let path: string;
  const entries = async (query = '', resource = 'web'): Promise<readonly unknown[]> =>
    (
      (await under.call('GET', `${path}/resources/${resource}/history${query}`)).json['items'] as {
        kind: string;
        event: { version: number };
      }[]
    ).map(({ kind, event }) => [kind, event.version]);

  beforeAll(async () => {
    under = await apiUnderTest();
    path = `/v1/clusters/${await under.cluster('history', CIB)}`;
    await under.call('POST', `${path}/resources/web/commands/disable`, { body: { reason: 'moving house' } });
    await under.call('POST', `${path}/nodes/n1/commands/standby`);
    await under.call('POST', `${path}/resources/web/commands/enable`);
  });
  afterAll(() => under.close());

  it('holds what concerns it, a page at a time, in both directions', async () => {
    expect(await entries()).toEqual([
      ['configuration', 1],
      ['configuration', 2],
      ['configuration', 4],
    ]);
    expect(await entries('?order=desc&limit=2')).toEqual([
      ['configuration', 4],
      ['configuration', 2],
    ]);
    const { next } = (await under.call('GET', `${path}/resources/web/history?order=desc&limit=2`)).json;
    expect(await entries(`?order=desc&limit=2&cursor=${String(next)}`)).toEqual([['configuration', 1]]);
    expect(await entries('?until=1h')).toEqual([]);
    const { items } = (await under.call('GET', `${path}/resources/web/history?limit=2`)).json as { items: { text: string }[] };
    expect(items[1]?.text).toContain('moving house');
  });

  it('is refused of what never was', async () => {
    expect((await under.call('GET', `${path}/resources/nope/history`)).status).toBe(404);
  });
});
