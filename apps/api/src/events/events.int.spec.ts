import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';
import { EventSourceByHand, type Message } from '../testing/event-source.js';

const versionOf = ({ id }: Message): string | undefined => id?.split('.')[0];

describe('events', () => {
  let under: ApiUnderTest;
  let cluster: string;
  let path: string;
  const score = (value: number): Promise<Answer> =>
    under.call('PUT', `/v1/clusters/${cluster}/cib`, {
      headers: { 'if-match': '*' },
      raw: { type: 'application/xml', body: CIB.replace('score="50"', `score="${value}"`) },
    });
  beforeAll(async () => {
    under = await apiUnderTest({ heartbeatMs: 200 });
    cluster = await under.cluster('events', CIB);
    path = `/v1/clusters/${cluster}/events`;
    await under.call('POST', `/v1/clusters/${cluster}/nodes/n1/commands/standby`, { token: await under.token('operator', 'alice') });
    for (const value of [1, 2, 3]) await score(value);
  });
  afterAll(() => under.close());

  const versions = async (query: string): Promise<unknown> =>
    ((await under.call('GET', `${path}${query}`)).json['items'] as { version: number }[]).map(({ version }) => version);

  it('are listed with who, what and why', async () => {
    const answer = await under.call('GET', path);
    expect((answer.json['items'] as object[])[1]).toEqual({
      version: 2,
      globalPosition: expect.any(Number) as number,
      type: 'NodeAttributeSet',
      data: { node: 'n1', name: 'standby', value: 'on', lifetime: 'forever' },
      subjects: ['n1', 'standby'],
      actor: 'user:alice',
      command: 'set-standby',
      correlationId: expect.any(String) as string,
      causationId: expect.any(String) as string,
      occurredAt: expect.any(String) as string,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it('are filtered by type, subject, actor and time', async () => {
    expect(await versions('?type=ConfigurationChanged')).toEqual([3, 4, 5]);
    expect(await versions('?type=ClusterCreated,NodeAttributeSet')).toEqual([1, 2]);
    expect(await versions('?type=ClusterCreated&type=NodeAttributeSet')).toEqual([1, 2]);
    expect(await versions('?actor=user:alice')).toEqual([2]);
    expect(await versions('?subject=n1')).toEqual([1, 2, 3, 4, 5]);
    // The third replaces a configuration that has it.
    expect(await versions('?subject=standby')).toEqual([2, 3]);
    const { occurredAt: at } = (await under.call('GET', `${path}/3`)).json as { occurredAt: string };
    expect(await versions(`?to=${at}`)).not.toContain(3);
    expect(await versions(`?from=${at}`)).toContain(3);
    expect(await versions('?from=2100-01-01T00:00:00Z')).toEqual([]);
  });

  it('are filtered by subjects of a kind, by words of a reason and by age', async () => {
    const id = await under.cluster(
      'subjects',
      CIB.replace(
        '</resources>',
        '<group id="grp"><primitive id="in-grp" class="ocf" provider="heartbeat" type="Dummy"/></group></resources>',
      ),
    );
    const of = async (query: string): Promise<unknown> =>
      ((await under.call('GET', `/v1/clusters/${id}/events${query}`)).json['items'] as { version: number }[]).map(({ version }) => version);
    await under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/standby`, { body: { reason: 'Replace the second DISK' } });
    await under.call('POST', `/v1/clusters/${id}/resources/grp/commands/disable`);
    await under.call('POST', `/v1/clusters/${id}/resources/in-grp/commands/unmanage`);
    expect(await of('?subject=node:n1')).toEqual([1, 2]);
    expect(await of('?subject=resource:n1')).toEqual([1]);
    expect(await of('?subject=attribute:standby')).toEqual([2]);
    expect(await of('?subject=resource:in-grp')).toEqual([1, 3, 4]);
    expect(await of('?subject=resource:grp')).toEqual([1, 3, 4]);
    expect(await of('?subject=in-grp')).toEqual([1, 3, 4]);
    expect(await of('?subject=grp')).toEqual([1, 3, 4]);
    expect(await of('?subject=n1&subject=standby')).toEqual([2]);
    expect(await of('?subject=resource:grp&subject=node:n1&order=desc')).toEqual([1]);
    expect(await of('?text=disk%20replace')).toEqual([2]);
    expect(await of('?text=tape')).toEqual([]);
    expect(await of('?since=1h&type=NodeAttributeSet')).toEqual([2]);
    expect(await of('?until=1h')).toEqual([]);
    expect(await of('?since=2026-01-01')).toEqual([1, 2, 3, 4]);
    expect(await of('?command=set-standby')).toEqual([2]);
    const { correlationId } = (await under.call('GET', `/v1/clusters/${id}/events/2`)).json as { correlationId: string };
    expect(await of(`?correlation=${correlationId}`)).toEqual([2]);
  });

  it('are found by the name of a node whose entry was changed, by its attribute, and by what stands in what was made', async () => {
    const id = await under.cluster('entries', CIB);
    const of = async (query: string): Promise<unknown> =>
      ((await under.call('GET', `/v1/clusters/${id}/events${query}`)).json['items'] as { version: number }[]).map(({ version }) => version);
    const changed = await under.call('PATCH', `/v1/clusters/${id}/configuration/nodes/n1`, {
      headers: { 'if-match': '*' },
      body: { instance_attributes: { 'site-x': 'east' } },
    });
    expect([changed.status, changed.json['detail']]).toEqual([200, undefined]);
    for (const subject of ['node:n1', 'n1']) expect(await of(`?subject=${subject}`)).toEqual([1, 2]);
    for (const subject of ['attribute:site-x', 'site-x']) expect(await of(`?subject=${subject}`)).toEqual([2]);
    expect(await of('?subject=node:n2')).toEqual([1]);
    // Recorded before attributes were named.
    const client = await under.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('ALTER TABLE events DISABLE TRIGGER ALL');
      await client.query(`UPDATE events SET subjects = array_remove(subjects, 'site-x') WHERE stream_id = $1 AND version = 2`, [id]);
      await client.query('ALTER TABLE events ENABLE TRIGGER ALL');
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    expect(await of('?subject=attribute:site-x')).toEqual([2]);
    const made = `<primitive id="d1" class="ocf" provider="systole" type="Dummy"><operations><op id="d1-m" name="monitor" interval="10s"/></operations></primitive></resources>`;
    const imported = await under.call('PUT', `/v1/clusters/${id}/cib`, {
      headers: { 'if-match': '*' },
      raw: { type: 'application/xml', body: CIB.replace('</resources>', made) },
    });
    expect([imported.status, imported.json['detail']]).toEqual([200, undefined]);
    expect(await of('?subject=d1-m')).toEqual([3]);
  });

  it.each(['', '/export'])('are not asked of the database with what is no moment: %s', async (asked) => {
    const get = (query: string): Promise<Answer> => under.call('GET', `${path}${asked}?${query}`);
    const none = [
      '3260',
      '2026-01',
      '2026-W05-1',
      '2026-031',
      '20260131',
      '0000-06-01',
      '2026-02-31T25:00:00Z',
      '2026-01-31T12:00:60Z',
      '%00',
      '+010000-01-01',
    ];
    for (const value of none) {
      for (const parameter of ['from', 'to']) {
        const { status, json } = await get(`${parameter}=${encodeURIComponent(value)}`);
        expect([parameter, value, status, json['errors']]).toMatchObject([parameter, value, 400, [{ parameter }]]);
      }
    }
    for (const value of ['2026-01-31', '2026-01-31T12:00Z', '2026-01-31T12:00:00+23:00', '9999-12-31T23:59:59Z'])
      for (const parameter of ['from', 'to', 'since', 'until']) {
        const { status, json } = await get(`${parameter}=${encodeURIComponent(value)}`);
        expect([parameter, value, status, json['errors']]).toEqual([parameter, value, 200, undefined]);
      }
    for (const parameter of ['since', 'until']) expect((await get(`${parameter}=0000-06-01`)).status).toBeLessThan(500);
    for (const parameter of ['from', 'to', 'since', 'until']) {
      for (const value of ['2026-02-29T00:00:00Z', '2026-11-31T12:00:00Z', '2026-04-31', '2026-03-15T23:59:60Z']) {
        const { status, json } = await get(`${parameter}=${value}`);
        expect([parameter, value, status, json['errors']]).toMatchObject([parameter, value, 400, [{ parameter }]]);
      }
      expect((await get(`${parameter}=2016-12-31T23:59:60Z`)).status).toBe(200);
    }
  });

  it('are exported as NDJSON and as CSV, filtered, and not beyond the end that there was', async () => {
    const get = (query: string, accept?: string): Promise<Response> =>
      fetch(`${under.api.url}${path}/export${query}`, {
        headers: { authorization: `Bearer ${ADMIN}`, ...(accept === undefined ? {} : { accept }) },
      });
    const lines = (await (await get('')).text()).trimEnd().split('\n');
    const listed = (await under.call('GET', `${path}?limit=1000`)).json['items'];
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(listed);
    const answer = await get('?type=ConfigurationChanged&order=desc', 'text/csv');
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="events-events.csv"');
    const rows = (await answer.text()).trimEnd().split('\r\n');
    expect(rows[0]).toMatch(/^version,occurredAt,type,actor/);
    expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(['5', '4', '3']);
    expect((await get('?format=csv', 'application/json')).headers.get('content-type')).toMatch(/^text\/csv/);
    expect((await get('', 'image/png')).status).toBe(406);
    expect((await get('?since=soon')).status).toBe(400);
  });

  it('are paged, in both directions', async () => {
    const first = await under.call('GET', `${path}?limit=2`);
    expect(await versions('?limit=2')).toEqual([1, 2]);
    expect(await versions(`?limit=2&cursor=${String(first.json['next'])}`)).toEqual([3, 4]);
    expect(await versions('?order=desc&limit=2')).toEqual([5, 4]);
    const back = (await under.call('GET', `${path}?order=desc&limit=2`)).json['next'];
    expect(await versions(`?order=desc&limit=2&cursor=${String(back)}`)).toEqual([3, 2]);
    expect((await under.call('GET', `${path}?limit=5`)).json['next']).toBeUndefined();
  });

  it('are not paged by a cursor of another list, or of a log that went back', async () => {
    const id = await under.cluster('paged', CIB);
    const other = `/v1/clusters/${id}/events`;
    await under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/standby`);
    await under.call('POST', `/v1/clusters/${id}/nodes/n1/commands/unstandby`);
    const next = async (asked: string): Promise<string> => String((await under.call('GET', asked)).json['next']);
    const cursor = await next(`${other}?limit=2`);
    expect(cursor).toMatch(/^2\.[0-9a-f]{16}\.[0-9a-f]{8}$/);
    for (const asked of [
      `${other}?order=desc&cursor=${cursor}`,
      `${other}?type=NodeAttributeSet&cursor=${cursor}`,
      `${other}?cursor=${await next(`${path}?limit=2`)}`,
      `${other}?cursor=2`,
      `/v1/audit?cursor=${cursor}`,
      `/v1/clusters/${id}/resources/web/history?cursor=${cursor}`,
    ]) {
      const { status, json } = await under.call('GET', asked);
      expect([asked, status, json['errors']]).toMatchObject([asked, 400, [{ parameter: 'cursor' }]]);
    }
    expect((await under.call('GET', `${other}?limit=1&order=asc&cursor=${cursor}`)).json['items']).toMatchObject([{ version: 3 }]);
    const everything = `/v1/audit?everything=true&cluster=${id}&type=NodeAttributeSet,NodeAttributeCleared`;
    const ofAudit = encodeURIComponent(await next(`${everything}&limit=1`));
    expect((await under.call('GET', `${everything}&cursor=${ofAudit}`)).json['items']).toMatchObject([{ version: 3 }]);
    expect((await under.call('GET', `${everything}&order=desc&cursor=${ofAudit}`)).status).toBe(400);
    const client = await under.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('ALTER TABLE events DISABLE TRIGGER ALL');
      await client.query(`UPDATE events SET hash = sha256('another') WHERE stream_id = $1 AND version = 2`, [id]);
      await client.query('ALTER TABLE events ENABLE TRIGGER ALL');
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    for (const asked of [`${other}?cursor=${cursor}`, `${everything}&cursor=${ofAudit}`]) {
      const { status, json } = await under.call('GET', asked);
      expect([status, json]).toMatchObject([410, { type: 'https://systole.dev/problems/event-gone', currentVersion: 3 }]);
    }
  });

  it('refuses parameters that are none, by name', async () => {
    for (const [query, parameter] of [
      ['?limit=0', 'limit'],
      ['?limit=many', 'limit'],
      ['?from=yesterday', 'from'],
      ['?order=up', 'order'],
      ['?cursor=x', 'cursor'],
      ['?colour=red', 'colour'],
      ['?type=Nope', 'type'],
      ['?since=soon', 'since'],
      ['?until=2026-13-41', 'until'],
      ['?subject=', 'subject'],
      ['?type=ClusterCreated,Nope', 'type'],
    ]) {
      const answer = await under.call('GET', `${path}${query}`);
      expect({ status: answer.status, errors: answer.json['errors'] }).toMatchObject({ status: 400, errors: [{ parameter }] });
    }
    const unknown = await under.call('GET', `${path}?type=Nope`);
    expect(unknown.json['detail']).toMatch(/^type must be one of ClusterCreated, .*TransitionCompleted$/);
    expect((await under.call('GET', `${path}/99`)).status).toBe(404);
  });

  it('are streamed from a version on, live, and resumed with Last-Event-ID', async () => {
    const url = `${under.api.url}${path}/stream`;
    const source = new EventSourceByHand();
    const response = await source.open(`${url}?after=2`);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    await source.until(() => source.events.length === 3);
    expect(source.events.map((message) => [versionOf(message), message.event])).toEqual([
      ['3', 'ConfigurationChanged'],
      ['4', 'ConfigurationChanged'],
      ['5', 'ConfigurationChanged'],
    ]);
    expect(JSON.parse(source.events[0]?.data ?? '')).toEqual((await under.call('GET', `${path}/3`)).json);
    await score(4);
    await source.until(() => source.events.length === 4);
    source.close();
    await score(5);

    const again = new EventSourceByHand();
    await again.open(url, { 'last-event-id': source.events.at(-1)?.id ?? '' });
    await again.until(() => again.events.length === 1);
    expect(again.events.map(versionOf)).toEqual(['7']);
    again.close();
  });

  it('are streamed from now on without a version, with signs of life in between', async () => {
    const source = new EventSourceByHand();
    await source.open(`${under.api.url}${path}/stream`);
    await source.until(() => source.comments >= 2);
    expect(source.events).toEqual([]);
    await score(6);
    await source.until(() => source.events.length === 1);
    source.close();
  });

  it('refuses a stream that cannot be resumed', async () => {
    expect((await under.call('GET', `${path}/stream`, { headers: { 'last-event-id': 'x' } })).status).toBe(400);
    expect((await under.call('GET', `${path}/stream`, { token: null })).status).toBe(401);
  });

  it('refuses to go on after an event that was never recorded, and says where to begin', async () => {
    const { version } = (await under.call('GET', `/v1/clusters/${cluster}`)).json as { version: number };
    const gone = { status: 410, json: { type: 'https://systole.dev/problems/event-gone', currentVersion: version } };
    expect(await under.call('GET', `${path}/stream`, { headers: { 'last-event-id': String(version + 1) } })).toMatchObject(gone);
    expect(await under.call('GET', `${path}/stream?after=${version + 1}`)).toMatchObject(gone);
    const source = new EventSourceByHand();
    await source.open(`${under.api.url}${path}/stream`, { 'last-event-id': String(version) });
    await source.until(() => source.comments >= 1);
    source.close();
  });

  it('refuses to go on after an event of a log that was restored and has grown past it; an id from before is a version', async () => {
    const grown = await under.cluster('grown-again', CIB);
    const stream = `/v1/clusters/${grown}/events/stream`;
    const standby = (): Promise<Answer> => under.call('POST', `/v1/clusters/${grown}/nodes/n1/commands/standby`);
    await standby();
    const source = new EventSourceByHand();
    await source.open(`${under.api.url}${stream}?after=0`);
    await source.until(() => source.events.length === 2);
    source.close();
    const id = source.events.at(-1)?.id ?? '';
    expect(id).toMatch(/^2\.[0-9a-f]{16}$/);
    await under.call('POST', `/v1/clusters/${grown}/nodes/n1/commands/unstandby`);
    const other = `2.${'0'.repeat(16)}`;
    const refused = await under.call('GET', stream, { headers: { 'last-event-id': other } });
    expect([refused.status, refused.json]).toMatchObject([410, { type: 'https://systole.dev/problems/event-gone', currentVersion: 3 }]);
    for (const known of [id, '2']) {
      const again = new EventSourceByHand();
      await again.open(`${under.api.url}${stream}`, { 'last-event-id': known });
      await again.until(() => again.events.length === 1);
      expect(again.events[0]?.event).toBe('NodeAttributeCleared');
      again.close();
    }
  });

  it.each([
    ['another', `UPDATE events SET hash = sha256('another') WHERE stream_id = $1 AND version = 2`],
    ['lost', 'DELETE FROM events WHERE stream_id = $1 AND version = 2'],
  ])('end when a restored database has the last one no longer (%s), and say what to do', async (what, restore) => {
    const restored = await under.cluster(`restored-${what}`, CIB);
    await under.call('POST', `/v1/clusters/${restored}/nodes/n1/commands/standby`);
    const source = new EventSourceByHand();
    await source.open(`${under.api.url}/v1/clusters/${restored}/events/stream?after=0`);
    await source.until(() => source.events.length === 2);
    const client = await under.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('ALTER TABLE events DISABLE TRIGGER ALL');
      await client.query(restore, [restored]);
      await client.query('ALTER TABLE events ENABLE TRIGGER ALL');
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    await source.until(() => source.closed);
    const last = source.messages.at(-1);
    // An id without a value: a browser comes back without Last-Event-ID.
    expect([last?.event, last?.id, Object.keys(last ?? {})]).toEqual(['gone', undefined, ['id:', 'event', 'data']]);
    expect(JSON.parse(last?.data ?? '')).toMatchObject({
      type: 'https://systole.dev/problems/event-gone',
      status: 410,
      detail: expect.stringContaining('read its state again') as string,
      currentVersion: what === 'lost' ? 1 : 2,
    });
  });

  it('are not streamed any longer to a token that was revoked', async () => {
    const made = await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'eve' } });
    const { id, secret } = made.json as { id: string; secret: string };
    const source = new EventSourceByHand();
    await source.open(`${under.api.url}${path}/stream`, { authorization: `Bearer ${secret}` });
    await under.call('DELETE', `/v1/tokens/${id}`);
    await source.until(() => source.closed);
  });

  it('end with the cluster, and streams end with the server', async () => {
    const gone = await under.cluster('gone');
    const source = new EventSourceByHand();
    await source.open(`${under.api.url}/v1/clusters/${gone}/events/stream?after=0`);
    await under.call('DELETE', `/v1/clusters/${gone}`);
    await source.until(() => source.closed);
    expect(source.events.map(({ event }) => event)).toEqual(['ClusterCreated', 'ClusterDeleted']);

    const other = await apiUnderTest();
    const second = new EventSourceByHand();
    await second.open(`${other.api.url}/v1/clusters/${await other.cluster('short')}/events/stream?after=0`);
    await second.until(() => second.events.length === 1);
    const start = performance.now();
    await other.close();
    expect(performance.now() - start).toBeLessThan(5_000);
    await second.until(() => second.closed);
  });
});
