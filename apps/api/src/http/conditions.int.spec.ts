import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

describe('conditions of requests', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest();
    await under.cluster('conditions', CIB);
  });
  afterAll(() => under.close());

  const cluster = '/v1/clusters/conditions';
  const version = async (): Promise<unknown> => (await under.call('GET', cluster)).json['version'];
  const tagOf = async (path: string): Promise<string> => (await under.call('GET', `${cluster}${path}`)).headers.get('etag') ?? '';
  const write = (method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer> =>
    under.call(method, `${cluster}${path}`, { headers, ...(body === undefined ? {} : { body }) });
  /** The status and the problem's code, where it is one. */
  const outcome = ({ status, json }: Answer): unknown => [status, typeof json['type'] === 'string' ? json['type'].replace(/.*\//, '') : ''];
  const FAILED = [412, 'version-mismatch'];
  const ANY = { 'if-none-match': '*' };

  it('make an attribute that is not there, once', async () => {
    for (const [path, first, other] of [
      ['/nodes/n1/attributes/lock', 'a', 'b'],
      ['/nodes/n1/utilization/cpu', '4', '8'],
    ] as const) {
      for (const value of [first, other]) expect((await write('PUT', `${path}?dryRun=true`, ANY, { value })).status).toBe(200);
      const both = await Promise.all([first, other].map((value) => write('PUT', path, ANY, { value })));
      expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
      const before = await version();
      for (const value of [first, other]) {
        for (const query of ['', '?dryRun=true']) expect(outcome(await write('PUT', `${path}${query}`, ANY, { value }))).toEqual(FAILED);
      }
      expect(outcome(await write('DELETE', path, ANY))).toEqual(FAILED);
      expect(await version()).toBe(before);
      expect((await write('DELETE', path, {})).status).toBe(200);
      expect((await write('DELETE', path, ANY)).status).toBe(200);
    }
  });

  it('keep writes from what is there, and from what is as it was', async () => {
    const insist = { 'if-match': '*' };
    const before = await version();
    const tag = await tagOf('/configuration/resources/web');
    const whole = (await under.call('GET', `${cluster}/configuration`)).json;
    const writes = [
      ['PATCH', '/configuration/resources/web', { description: 'x' }],
      ['PUT', '/configuration/resources/web', (await under.call('GET', `${cluster}/configuration/resources/web`)).json],
      ['DELETE', '/configuration/constraints/web-on-n1', undefined],
      ['PATCH', '/configuration/properties', { cluster_property_set: { 'no-quorum-policy': 'stop' } }],
      ['PUT', '/configuration', whole],
      ['PUT', '/cib', (await under.call('GET', `${cluster}/cib`)).json],
      ['DELETE', '', undefined],
      ['DELETE', '/nodes/n2', undefined],
      ['DELETE', '/fail-counts', undefined],
    ] as const;
    for (const [method, path, body] of writes) {
      for (const unwanted of ['*', `"999", , W/${await tagOf('')}`]) {
        const answer = await write(method, path, { ...insist, 'if-none-match': unwanted }, body);
        expect([method, path, unwanted, outcome(answer)]).toEqual([method, path, unwanted, FAILED]);
        expect(answer.headers.get('etag')).toBe(`"${String(before)}"`);
      }
      expect((await write(method, path, { ...insist, 'if-none-match': '17' }, body)).status).toBe(400);
    }
    expect(await version()).toBe(before);
    // If-Match goes first, and what is not there is told of as such.
    expect((await write('PATCH', '/configuration/resources/web', { 'if-match': '"999"', ...ANY }, {})).status).toBe(412);
    expect((await write('PATCH', '/configuration/resources/none', { ...insist, ...ANY }, {})).status).toBe(404);
    const other = await write('PATCH', '/configuration/resources/web', { 'if-match': tag, 'if-none-match': '"999"' }, { description: 'x' });
    expect(other.status, other.text).toBe(200);
    expect(
      outcome(await write('PATCH', '/configuration/resources/web', { ...insist, 'if-none-match': tag }, { description: 'y' })),
    ).toEqual([200, '']);
  });

  it('count for what has no ETag, too', async () => {
    const hook = await under.call('POST', '/v1/webhooks', { body: { name: 'h', url: 'https://hooks.example/' } });
    expect(hook.status, hook.text).toBe(201);
    const token = await under.call('POST', '/v1/tokens', { body: { role: 'viewer', name: 'v' } });
    const of = `/v1/webhooks/${String(hook.json['id'])}`;
    for (const [method, path, body] of [
      ['PATCH', of, { enabled: false }],
      ['DELETE', of, undefined],
      ['DELETE', `/v1/tokens/${String(token.json['id'])}`, undefined],
    ] as const) {
      for (const query of ['?dryRun=true', ''])
        expect(outcome(await under.call(method, `${path}${query}`, { headers: ANY, body }))).toEqual(FAILED);
      expect((await under.call(method, path, { headers: { 'if-none-match': '"1"' }, body })).status).toBeLessThan(300);
    }
    expect((await under.call('DELETE', of, { headers: ANY })).status).toBe(404);
  });

  it('that nothing can be compared with are refused', async () => {
    const before = await version();
    for (const [path, body] of [
      [`${cluster}/nodes/n1/commands/standby`, {}],
      [`${cluster}/configuration/resources`, { element: 'primitive', id: 'db', class: 'lsb', type: 'x' }],
      ['/v1/clusters', { name: 'never' }],
    ] as const) {
      const answer = await under.call('POST', path, { headers: { 'if-match': '*', ...ANY }, body });
      expect([outcome(answer), answer.json['errors']]).toMatchObject([[400, 'malformed-header'], [{ header: 'If-None-Match' }]]);
    }
    expect(await version()).toBe(before);
  });

  it('may have empty elements in their lists', async () => {
    const tag = await tagOf('/configuration');
    const answer = await write('PATCH', '/configuration/resources/web', { 'if-match': `, ,${tag}, ` }, { description: 'z' });
    expect(answer.status, answer.text).toBe(200);
  });

  it('of a version keep reads from giving another one', async () => {
    for (const path of [
      ...['', '/cib', '/configuration', '/configuration/resources', '/configuration/resources/web', '/configuration/properties'],
      ...['/status', '/status?resource=web', '/status?at=1', '/nodes/n1/attributes', '/nodes/n1/utilization', '/fail-counts', '/tickets'],
      ...['/explanation', '/explanation?resource=web'],
    ]) {
      const read = (method: string, ifMatch: string, more: Record<string, string> = {}): Promise<Answer> =>
        under.call(method, `${cluster}${path}`, { headers: { 'if-match': ifMatch, ...more } });
      const tag = await tagOf(path);
      expect([path, tag]).toEqual([path, expect.stringMatching(/^"\d+(_m[0-9a-f]+)?(_gzip|_br)?"$/)]);
      expect([path, (await read('GET', tag)).status, (await read('GET', `"zzz", ${tag}`)).status]).toEqual([path, 200, 200]);
      expect([path, (await read('HEAD', '*')).status, (await read('HEAD', '"zzz"')).status]).toEqual([path, 200, 412]);
      for (const other of ['"zzz"', '"999"', `W/${tag}`])
        expect([path, other, outcome(await read('GET', other))]).toEqual([path, other, FAILED]);
      // Before it is asked whether who asks has it already.
      expect((await read('GET', '"999"', { 'if-none-match': tag })).status).toBe(412);
      expect((await read('GET', 'zzz')).status).toBe(400);
    }
    expect((await under.call('GET', `${cluster}/configuration/resources/none`, { headers: { 'if-match': '"zzz"' } })).status).toBe(404);
  });

  it('rest on other tags for JSON, XML and what is compressed, each of which will do for a write', async () => {
    const long = 'so that it is worth compressing '.repeat(100);
    await under.cluster('forms', CIB.replace('<primitive id="web"', `<primitive description="${long}" id="web"`));
    const path = '/v1/clusters/forms';
    const read = (part: string, accept: string, encoding: string, known?: string): Promise<Answer> =>
      under.call('GET', `${path}${part}`, {
        headers: { accept, 'accept-encoding': encoding, ...(known === undefined ? {} : { 'if-none-match': known }) },
      });
    const forms = [
      ['application/json', 'identity', /^"\d+"$/],
      ['application/json', 'gzip', /^"\d+_gzip"$/],
      ['application/xml', 'identity', /^"\d+_xml"$/],
      ['application/xml', 'gzip', /^"\d+_xml_gzip"$/],
      ['application/xml', 'br', /^"\d+_xml_br"$/],
    ] as const;
    for (const part of ['/cib', '/configuration', '/status']) {
      const tags: string[] = [];
      for (const [accept, encoding, form] of forms) {
        const { headers } = await read(part, accept, encoding);
        const tag = (headers.get('etag') ?? '').replace(part === '/status' ? /_m[0-9a-f]+/ : '', '');
        const isCompressed = headers.has('content-encoding');
        expect([part, accept, encoding, tag]).toEqual([
          part,
          accept,
          encoding,
          expect.stringMatching(isCompressed || encoding === 'identity' ? form : /^"\d+(_xml)?"$/),
        ]);
        tags.push(tag);
        if (part === '/status') continue;
        expect(isCompressed).toBe(encoding !== 'identity');
        // What it was given for is not sent again; another form of the same version is.
        const again = await read(part, accept, encoding, tag);
        expect([again.status, again.headers.get('etag')]).toEqual([304, tag]);
        const other = accept === 'application/json' ? 'application/xml' : 'application/json';
        expect((await read(part, other, encoding, tag)).status).toBe(200);
        if (encoding !== 'identity') expect((await read(part, accept, 'identity', tag)).status).toBe(200);
      }
      if (part === '/status') continue;
      expect(new Set(tags).size).toBe(forms.length);
      for (const tag of tags) {
        const written = await under.call('PATCH', `${path}/configuration/resources/web?dryRun=true`, {
          headers: { 'if-match': tag },
          body: { description: 'x' },
        });
        expect([tag, written.status]).toEqual([tag, 200]);
      }
      const stale = await under.call('PATCH', `${path}/configuration/resources/web`, {
        headers: { 'if-match': '"999_xml_gzip"' },
        body: {},
      });
      expect(stale.status).toBe(412);
    }
  });

  it('are told with the same Vary, whatever the answer', async () => {
    for (const path of ['/cib', '/configuration', '/configuration/resources/web']) {
      const { headers } = await under.call('GET', `${cluster}${path}`);
      const known = await under.call('GET', `${cluster}${path}`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      expect([path, known.status, known.headers.get('vary')]).toEqual([path, 304, headers.get('vary')]);
      expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
    }
  });
});
