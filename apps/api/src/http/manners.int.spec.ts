import { request as open } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';

interface Raw {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A cluster whose documents are worth compressing. */
const LARGE = CIB.replace(
  '</resources>',
  `${Array.from({ length: 50 }, (_, index) => `<primitive id="r${String(index)}" class="ocf" provider="systole" type="Dummy"/>`).join('')}</resources>`,
);

describe.each([false, true])('the manners of the API (operators apart: %s)', (operatorsApart) => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest({ operatorsApart, corsOrigins: ['https://ops.example'] });
    await under.cluster('polite', LARGE);
  });
  afterAll(() => under.close());

  /** As it is sent: `fetch` inflates by itself. */
  const raw = (method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<Raw> =>
    new Promise((resolve, reject) => {
      open(`${under.api.url}${path}`, { method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) });
        });
      })
        .on('error', reject)
        .end(body);
    });
  const authorization = `Bearer ${ADMIN}`;

  it('refuses a transfer coding that it does not undo (RFC 9112 §6.1), and takes chunks', async () => {
    const headers = { authorization, 'content-type': 'application/json' };
    const statusOf = async (coding: string): Promise<number | undefined> =>
      (await raw('POST', '/v1/clusters/polite/nodes/n1/commands/standby?dryRun=true', { ...headers, 'transfer-encoding': coding }, '{}'))
        .status;
    expect(await statusOf('chunked')).toBe(200);
    expect(await statusOf('Chunked')).toBe(200);
    for (const coding of ['gzip, chunked', 'gzip,chunked', 'identity, chunked', 'x, chunked'])
      expect(await statusOf(coding), coding).toBe(501);
    const { paths } = (await under.call('GET', '/openapi.json')).json as { paths: Record<string, { post?: object }> };
    expect(paths['/v1/clusters/{cluster}/nodes/{node}/commands/standby']?.post).toHaveProperty(['responses', '501']);
  });

  const cib = '/v1/clusters/polite/cib';

  it('are JSON for whoever accepts anything', async () => {
    for (const path of [cib, '/v1/clusters/polite/configuration', '/v1/clusters/polite/configuration/resources/web']) {
      for (const accept of ['*/*', 'text/html, */*;q=0.1', 'application/*']) {
        const { status, headers } = await under.call('GET', path, { headers: { accept } });
        expect([path, accept, status, headers.get('content-type')]).toEqual([path, accept, 200, 'application/json; charset=utf-8']);
      }
    }
    expect((await under.call('GET', cib, { headers: { accept: 'application/xml' } })).headers.get('content-type')).toContain('xml');
  });

  it('tell who has what is asked for already, with nothing else in the answer, whatever caches on the way were told', async () => {
    const element = '/v1/clusters/polite/configuration/resources/r7';
    for (const path of [cib, '/v1/clusters/polite/configuration', '/v1/clusters/polite/configuration/resources', element]) {
      const { headers } = await raw('GET', path, { authorization });
      const tag = String(headers['etag']);
      const known = { authorization, 'if-none-match': `"0", W/${tag}` };
      for (const asked of [known, { ...known, 'cache-control': 'no-cache' }]) {
        const answer = await raw('GET', path, asked);
        expect([path, answer.status, answer.headers['etag'], answer.body.length]).toEqual([path, 304, tag, 0]);
      }
      expect((await raw('HEAD', path, known)).status).toBe(304);
      expect((await raw('GET', path, { authorization, 'if-none-match': '"0"' })).status).toBe(200);
    }
    // By what generated clients use.
    const tag = (await under.call('GET', element)).headers.get('etag') ?? '';
    expect((await under.call('GET', element, { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await raw('GET', '/v1/clusters/polite/configuration/resources/none', { authorization, 'if-none-match': tag })).status).toBe(
      404,
    );
    const changed = await under.call('PATCH', element, {
      headers: { 'if-match': tag, 'content-type': 'application/merge-patch+json' },
      body: { description: 'changed' },
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await raw('GET', element, { authorization, 'if-none-match': tag })).status).toBe(200);
  });

  it('give a status whole, which goes by the time, too', async () => {
    for (const path of ['/v1/clusters/polite/status', '/v1/clusters/polite/status?resource=web', '/v1/clusters/polite']) {
      const { headers, status } = await raw('GET', path, { authorization });
      expect([path, status]).toEqual([path, 200]);
      const again = await raw('GET', path, { authorization, 'if-none-match': String(headers['etag']) });
      expect([path, again.status, again.body.length > 2]).toEqual([path, 200, true]);
    }
  });

  it('compress documents for whoever takes that, and what is small or streamed not', async () => {
    const plain = await raw('GET', cib, { authorization });
    const packed = await raw('GET', cib, { authorization, 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.headers['vary']).toContain('Accept-Encoding');
    expect(packed.body.length).toBeLessThan(plain.body.length / 3);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    expect(packed.headers['etag']).toBe(String(plain.headers['etag']).replace(/"$/, '_gzip"'));
    const small = await raw('GET', '/v1/clusters/polite', { authorization, 'accept-encoding': 'gzip' });
    expect(small.headers['content-encoding']).toBeUndefined();
    const lines = await raw('GET', '/v1/clusters/polite/events/export', { authorization, 'accept-encoding': 'gzip' });
    expect(lines.headers['content-encoding']).toBeUndefined();
  });

  it('let pages of the configured origins in, and others not', async () => {
    const asked = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization,if-match' };
    const preflight = await raw('OPTIONS', cib, { origin: 'https://ops.example', ...asked });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('https://ops.example');
    expect(preflight.headers['access-control-allow-headers']).toContain('If-Match');
    const answer = await raw('GET', '/v1/clusters/polite', { origin: 'https://ops.example', authorization });
    expect(answer.headers['access-control-allow-origin']).toBe('https://ops.example');
    expect(answer.headers['access-control-expose-headers']).toContain('ETag');
    const other = await raw('GET', '/v1/clusters/polite', { origin: 'https://evil.example', authorization });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('ask for no token before a page may ask, however often', async () => {
    const headers = { origin: 'https://ops.example', 'access-control-request-method': 'GET' };
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await raw('OPTIONS', cib, headers)).status));
    expect(new Set(statuses)).toEqual(new Set([204]));
  });
});

describe('an API that was told of no origins', () => {
  it('lets no page of another origin in', async () => {
    const under = await apiUnderTest();
    try {
      const { headers } = await under.call('GET', '/v1/clusters', { headers: { origin: 'https://ops.example' } });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    } finally {
      await under.close();
    }
  });
});
