import { request as open } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

describe('requests', () => {
  let under: ApiUnderTest;
  let viewer: string;
  beforeAll(async () => {
    under = await apiUnderTest();
    await under.cluster('requests', CIB);
    viewer = await under.token('viewer', 'viewer');
  });
  afterAll(() => under.close());

  /** The status that is answered to a request whose body never comes. */
  const withoutItsBody = (method: string, path: string, token: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '1000' };
      const request = open(`${under.api.url}${path}`, { method, headers, timeout: 2_000 });
      request.on('response', ({ statusCode }) => {
        resolve(statusCode);
        request.destroy();
      });
      request.on('timeout', () => {
        resolve(undefined);
        request.destroy();
      });
      request.on('error', reject);
      request.flushHeaders();
    });

  const putCompressed = async (path: string, content: string): Promise<{ readonly status: number; readonly sent: number }> => {
    const body = gzipSync(content);
    const { status } = await fetch(`${under.api.url}${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/xml', 'content-encoding': 'gzip', 'if-match': '*' },
      body,
    });
    return { status, sent: body.length };
  };

  it('of those who may not are refused before their bodies are read', async () => {
    const agent = await under.agent('requests', 'n1');
    expect(await withoutItsBody('PUT', '/v1/clusters/requests/cib', viewer)).toBe(403);
    expect(await withoutItsBody('POST', '/v1/clusters', viewer)).toBe(403);
    expect(await withoutItsBody('POST', '/v1/agent/results', ADMIN)).toBe(403);
    expect(await withoutItsBody('POST', '/v1/simulate', agent)).toBe(403);
    expect(await withoutItsBody('POST', '/v1/tokens', 'unknown')).toBe(401);
    expect(await withoutItsBody('POST', '/v1/nothing', ADMIN)).toBe(404);
    expect(await withoutItsBody('POST', '/v1/tokens?dryRn=true', ADMIN)).toBe(400);
    // Who may is waited for.
    expect(await withoutItsBody('PUT', '/v1/clusters/requests/cib', ADMIN)).toBeUndefined();
  });

  it('are inflated up to a bound that follows from what was sent', async () => {
    const path = '/v1/clusters/requests/cib';
    const bomb = await putCompressed(path, CIB.replace('<status/>', `<status/>${' '.repeat(20 * 1024 * 1024)}`));
    expect(bomb.sent).toBeLessThan(64 * 1024);
    expect(bomb.status).toBe(413);
    // What any body may have is taken, however well it was compressed.
    expect(await putCompressed(path, CIB.replace('<status/>', `<status/>${' '.repeat(900 * 1024)}`))).toMatchObject({ status: 200 });
  });

  it('with another method than a path knows are told which it knows; HEAD is GET without the body', async () => {
    const wrong = await under.call('DELETE', '/v1/clusters');
    expect({ status: wrong.status, json: wrong.json }).toMatchObject({ status: 405, json: { title: 'Method not allowed' } });
    expect(wrong.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
    expect((await under.call('PATCH', '/v1/clusters/requests/cib')).headers.get('allow')).toBe('GET, PUT, HEAD, OPTIONS');
    const properties = await under.call('DELETE', '/v1/clusters/requests/configuration/properties');
    expect([properties.status, properties.headers.get('allow')]).toEqual([405, 'GET, PUT, PATCH, HEAD, OPTIONS']);
    const configuration = '/v1/clusters/requests/configuration';
    for (const [method, path, allow] of [
      ...(['GET', 'HEAD', 'PUT', 'DELETE'] as const).map((of) => [of, '/batch', 'POST, OPTIONS'] as const),
      ...['/properties', '/rsc-defaults', '/op-defaults'].map((path) => ['POST', path, 'GET, PUT, PATCH, HEAD, OPTIONS'] as const),
    ] as const) {
      const answer = await under.call(method, `${configuration}${path}`, { headers: { 'if-match': '*' } });
      expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([method, path, 405, allow]);
      const named = await under.call('OPTIONS', `${configuration}${path}`);
      expect([path, named.headers.get('allow')]).toEqual([path, allow]);
    }
    expect((await under.call('GET', `${configuration}/wishes`)).status).toBe(404);
    expect((await under.call('GET', `${configuration}/resources/batch`)).status).toBe(404);
    const options = await under.call('OPTIONS', '/v1/clusters/requests');
    expect([options.status, options.headers.get('allow'), options.text]).toEqual([204, 'GET, DELETE, HEAD, OPTIONS', '']);
    expect((await under.call('DELETE', '/v1/nothing')).status).toBe(404);
    expect((await under.call('HEAD', '/v1/simulate')).status).toBe(405);
    for (const path of ['/v1/clusters/requests', '/v1/clusters/requests/cib', '/v1/clusters/requests/events/stream']) {
      const head = await under.call('HEAD', path, { signal: AbortSignal.timeout(2_000) });
      expect([path, head.status, head.text]).toEqual([path, 200, '']);
    }
  });

  it('that patch are told what a patch may be', async () => {
    const both = 'application/merge-patch+json, application/json-patch+json, application/json';
    const hook = await under.call('POST', '/v1/webhooks', { body: { name: 'patched', url: 'https://hooks.example/' } });
    const token = await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'located' } });
    expect([hook, token].map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [201, `/v1/webhooks/${hook.json['id'] as string}`],
      [201, `/v1/tokens/${token.json['id'] as string}`],
    ]);
    for (const [path, types] of [
      ['/v1/clusters/requests/configuration', both],
      ['/v1/clusters/requests/configuration/properties', both],
      ['/v1/clusters/requests/configuration/resources/web', both],
      [hook.headers.get('location') ?? '', 'application/merge-patch+json, application/json'],
    ] as const) {
      expect([path, (await under.call('OPTIONS', path)).headers.get('accept-patch')]).toEqual([path, types]);
      const refused = await under.call('PATCH', path, { headers: { 'if-match': '*' }, raw: { type: 'text/plain', body: 'x' } });
      expect([path, refused.status, refused.headers.get('accept-patch')]).toEqual([path, 415, types]);
    }
    expect((await under.call('OPTIONS', '/v1/clusters')).headers.get('accept-patch')).toBeNull();
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('that name a field %s are told that there is none', async (name) => {
    const body = JSON.parse(`{"name":"odd","role":"viewer","${name}":{"role":"admin"}}`) as object;
    const { status, json } = await under.call('POST', '/v1/tokens', { body });
    expect({ status, json }).toMatchObject({
      status: 422,
      json: { errors: expect.arrayContaining([{ pointer: `/${name}`, detail: 'is not known here' }]) as unknown },
    });
  });

  it('that bring a constructor of their own are told that there is none, however deep', async () => {
    const body = { reason: 'x', other: { constructor: { prototype: { x: 1 } } } };
    const { status, json } = await under.call('POST', '/v1/clusters/requests/nodes/n1/commands/unstandby', { body });
    expect({ status, json }).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/other/constructor', detail: 'is not known here' }] },
    });
  });

  it('to read that carry a body all the same are answered; nothing is done with it', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${viewer}`, 'content-type': 'application/json', 'content-length': '8' };
      open(`${under.api.url}/v1/clusters`, { method: 'GET', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end('{"broken');
    });
    expect(answer).toBe(200);
  });

  describe('with parameters that nobody knows', () => {
    const operations = async (): Promise<readonly (readonly [method: string, path: string])[]> => {
      const { paths } = (await under.call('GET', '/openapi.json')).json as { paths: Record<string, Record<string, unknown>> };
      return Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map(
          (method) => [method.toUpperCase(), path.replace(/\{cluster\}/, 'requests').replace(/\{\w+\}/g, '1')] as const,
        ),
      );
    };
    const agentsOnly = /^\/v1\/agent\//;
    const bodies: Readonly<Record<string, object>> = {
      'POST /v1/clusters': { name: 'never-made' },
      'POST /v1/tokens': { role: 'viewer', name: 'never-made' },
    };

    it('are refused by every operation, by name, and change nothing', async () => {
      const token = await under.agent('requests', 'n2');
      const before = (await under.call('GET', '/v1/clusters/requests')).json['version'];
      const wrong: unknown[] = [];
      const all = await operations();
      for (const [method, path] of all) {
        const body = bodies[`${method} ${path}`];
        const answer: Answer = await under.call(method, `${path}?nosuch=1`, {
          ...(agentsOnly.test(path) ? { token } : {}),
          ...(body === undefined ? {} : { body }),
        });
        const named = (answer.json['errors'] as { parameter: string }[] | undefined)?.map(({ parameter }) => parameter);
        if (answer.status !== 400 || named?.[0] !== 'nosuch') wrong.push([method, path, answer.status, answer.text.slice(0, 200)]);
      }
      expect(all.length).toBeGreaterThan(30);
      expect(wrong).toEqual([]);
      expect((await under.call('GET', '/v1/clusters/requests')).json['version']).toBe(before);
      expect((await under.call('GET', '/v1/clusters/never-made')).status).toBe(404);
    });

    it('are refused before the body is read, beside such as are known too', async () => {
      const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/xml', 'content-length': '1000' };
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const client = open(`${under.api.url}/v1/clusters/requests/cib?dryRun=true&nosuch=1`, { method: 'PUT', headers });
        client.on('error', reject).setTimeout(3_000, () => client.destroy(new Error('nothing was answered before the body')));
        client.once('response', (answer) => {
          resolve(answer.statusCode);
          client.destroy();
        });
        client.flushHeaders();
      });
      expect(status).toBe(400);
    });

    it('never do what was to be previewed: a write honours dryRun or refuses it', async () => {
      const token = await under.agent('requests', 'n2');
      const eventsAndTokens = async (): Promise<unknown> =>
        (
          await under.database.pool.query(
            "SELECT (SELECT count(*) FROM events WHERE stream_id NOT LIKE '%/%') AS events, (SELECT count(*) FROM tokens) AS tokens, (SELECT count(*) FROM tokens WHERE revoked_at IS NULL) AS valid",
          )
        ).rows;
      const made = await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'kept' } });
      const before = await eventsAndTokens();
      for (const [method, path] of await operations()) {
        if (method === 'GET') continue;
        const body = bodies[`${method} ${path}`];
        const target = path.startsWith('/v1/tokens/') ? `/v1/tokens/${String(made.json['id'])}` : path.replace('/nodes/1/', '/nodes/n1/');
        await under.call(method, `${target}?dryRun=true`, {
          ...(agentsOnly.test(path) ? { token } : {}),
          ...(path.endsWith('/cib') ? { raw: { type: 'application/xml', body: CIB.replace('"50"', '"51"') } } : {}),
          ...(body === undefined ? {} : { body }),
        });
      }
      expect(await eventsAndTokens()).toEqual(before);
    });
  });

  it('to make a cluster can be previewed', async () => {
    const body = { name: 'preview', cib: CIB };
    const answer = await under.call('POST', '/v1/clusters?dryRun=true', { body });
    expect({ status: answer.status, json: answer.json }).toMatchObject({
      status: 200,
      json: { dryRun: true, events: [{ type: 'ClusterCreated' }], schedule: {} },
    });
    expect((await under.call('GET', '/v1/clusters/preview')).status).toBe(404);
    expect((await under.call('POST', '/v1/clusters', { body })).status).toBe(201);
    const taken = await under.call('POST', '/v1/clusters?dryRun=true', { body });
    expect({ status: taken.status, json: taken.json }).toMatchObject({ status: 409, json: { errors: [{ pointer: '/name' }] } });
  });

  it('that write take an Idempotency-Key, all of them', async () => {
    interface Operation {
      readonly parameters?: readonly { readonly name: string }[];
    }
    const { paths } = (await under.call('GET', '/openapi.json')).json as { paths: Record<string, Record<string, Operation>> };
    const without = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method, { parameters }]) => method !== 'get' && parameters?.some(({ name }) => name === 'Idempotency-Key') !== true)
        .map(([method]) => `${method} ${path}`),
    );
    // Agents repeat what they send by ids of its own; what is only tried changes nothing.
    expect(
      without
        .filter((operation) => !operation.startsWith('post /v1/agent/'))
        .toSorted()
        .toReversed(),
    ).toEqual(['post /v1/simulate', 'post /v1/clusters/{cluster}/simulate', 'post /v1/clusters/{cluster}/resilience']);
  });

  describe('whose body nobody asked for', () => {
    const state = async (): Promise<unknown> =>
      (await under.database.pool.query("SELECT count(*) FROM events WHERE stream_id NOT LIKE '%/%'")).rows;

    it('are refused by every write, by the name of the field, and change nothing', async () => {
      const before = await state();
      const { paths } = (await under.call('GET', '/openapi.json')).json as { paths: Record<string, Record<string, unknown>> };
      const writes = Object.entries(paths).flatMap(([path, methods]) =>
        path.startsWith('/v1/agent/')
          ? []
          : Object.keys(methods)
              .filter((method) => method !== 'get')
              .map(
                (method) =>
                  [
                    method.toUpperCase(),
                    path
                      .replace('{cluster}', 'requests')
                      .replace('{node}', 'n1')
                      .replace('{collection}/{id}', 'resources/web')
                      .replace('{collection}', 'resources')
                      .replace(/\{\w+\}/g, 'x'),
                  ] as const,
              ),
      );
      const wrong: unknown[] = [];
      for (const [method, path] of writes) {
        // Which fields an element has, only its name says; and a configuration is not written without If-Match.
        const name = path.endsWith('/configuration/resources') ? { element: 'primitive' } : {};
        const answer = await under.call(method, path, { body: { ...name, dryRun: true }, headers: { 'if-match': '*' } });
        const isCib = path.endsWith('/cib') || path === '/v1/simulate';
        const named = (answer.json['errors'] as { pointer?: string }[] | undefined)?.some(({ pointer }) => pointer === '/dryRun');
        if (answer.status !== 422 || (!isCib && named !== true)) wrong.push([method, path, answer.status, answer.text.slice(0, 200)]);
      }
      expect(writes.length).toBeGreaterThan(10);
      expect(wrong).toEqual([]);
      expect(await state()).toEqual(before);
    });

    it('may be empty, and is refused when it is no object', async () => {
      const standby = '/v1/clusters/requests/nodes/n1/commands/standby?dryRun=true';
      for (const body of [[], null, 'x', 1, [{}]]) {
        const { status, json } = await under.call('POST', standby, { raw: { type: 'application/json', body: JSON.stringify(body) } });
        expect([status, json['errors']]).toEqual([422, [{ pointer: '', detail: 'must be an object' }]]);
      }
      expect((await under.call('POST', standby, { raw: { type: 'text/plain', body: 'x' } })).status).toBe(415);
      expect((await under.call('POST', standby, { body: {} })).status).toBe(200);
      expect((await under.call('POST', standby)).status).toBe(200);
    });
  });

  it('say true or false where that is asked: no value is neither', async () => {
    const before = (await under.call('GET', '/v1/clusters/requests')).json['version'];
    for (const query of ['dryRun=', 'dryRun', 'dryRun=1', 'dryRun=TRUE', 'dryRun=true&dryRun=true', 'stop=', 'stop', 'stop=yes']) {
      const [parameter] = query.split('=');
      const { status, json } = await under.call('DELETE', `/v1/clusters/requests?${query}`);
      expect([query, status, json['errors']]).toEqual([query, 400, [{ parameter, detail: 'must be true or false' }]]);
    }
    expect((await under.call('DELETE', '/v1/clusters/requests?dryRun=true&stop=false')).status).toBe(200);
    expect((await under.call('GET', '/v1/clusters/requests')).json['version']).toBe(before);
  });

  it('reach a route by its exact path only', async () => {
    for (const path of ['/v1/clusters/', '/V1/clusters', '/v1/Clusters', '/v1/clusters/requests/', '/v1//clusters', '/v1/%63lusters']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, json } = await under.call(method, path, method === 'POST' ? { body: { name: 'never' } } : {});
        expect([method, path, status, json['type']]).toEqual([method, path, 404, 'https://systole.dev/problems/no-such-route']);
      }
    }
    expect((await under.call('GET', '/docs')).status).toBe(200);
    expect((await under.call('GET', '/openapi.json')).status).toBe(200);
  });

  it('are refused when their bytes (%XX) are none, or no UTF-8: nothing is put in their place', async () => {
    const events = (await under.call('GET', '/v1/clusters/requests')).json['version'];
    for (const [text, shown] of [
      ['a%zz', '%zz'],
      ['100%', '% '],
      ['%ff', '%ff'],
      ['%C3x', '%C3'],
      ['%ED%A0%80', '%ED%A0%80'],
    ] as const) {
      for (const [method, path] of [
        ['GET', `/v1/clusters/requests/events?actor=${text}`],
        ['POST', `/v1/clusters/requests/nodes/n1/commands/standby?actor=${text}`],
        ['GET', `/v1/audit?actor=${text}`],
      ] as const) {
        const { status, json } = await under.call(method, path);
        const detail = expect.stringContaining(shown) as string;
        expect([path, status, json['errors']]).toEqual([path, 400, [{ parameter: 'actor', detail }]]);
      }
      const name = await under.call('GET', `/v1/clusters/requests/events?${text}=1`);
      expect([name.status, name.json['errors']]).toMatchObject([400, [{ parameter: text }]]);
      for (const path of [`/v1/clusters/${text}`, `/v1/clusters/requests/nodes/${text}/attributes`, `/v1/clusters/requests/${text}/x`]) {
        const { status, json } = await under.call('GET', path);
        expect([path, status, json['type'], String(json['detail'])]).toEqual([
          path,
          400,
          'https://systole.dev/problems/malformed-request',
          expect.stringContaining(shown.trim()),
        ]);
      }
    }
    const many = await under.call('GET', `/v1/clusters?${'limit=1&'.repeat(1_000)}never=1`);
    expect([many.status, many.json['type']]).toEqual([400, 'https://systole.dev/problems/malformed-request']);
    expect((await under.call('GET', '/v1/clusters/requests/events?actor=100%25+%C3%A4')).status).toBe(200);
    expect((await under.call('GET', '/v1/clusters/requests')).json['version']).toBe(events);
  });

  it('to make or revoke a token can be previewed', async () => {
    const body = { role: 'viewer', name: 'seen' };
    const shown = await under.call('POST', '/v1/tokens?dryRun=true', { body });
    expect({ status: shown.status, json: shown.json }).toEqual({
      status: 200,
      json: { dryRun: true, role: 'viewer', name: 'seen', seesSecrets: false },
    });
    const refused = await under.call('POST', '/v1/tokens?dryRun=true', { body: { ...body, role: 'agent' } });
    expect(refused.status).toBe(422);
    const made = await under.call('POST', '/v1/tokens', { body });
    const path = `/v1/tokens/${String(made.json['id'])}`;
    const read = await under.call('GET', path);
    expect([read.status, read.json]).toMatchObject([200, { id: made.json['id'], role: 'viewer', name: 'seen', createdBy: 'user:admin' }]);
    expect(read.json).not.toHaveProperty('secret');
    const kept = await under.call('DELETE', `${path}?dryRun=true`);
    expect({ status: kept.status, json: kept.json }).toEqual({
      status: 200,
      json: { dryRun: true, role: 'viewer', name: 'seen', seesSecrets: false },
    });
    expect((await under.call('DELETE', path)).status).toBe(204);
    expect((await under.call('GET', path)).status).toBe(404);
    expect((await under.call('DELETE', `${path}?dryRun=true`)).status).toBe(404);
  });
});
