import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

describe('bodies in another charset than UTF-8', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest();
    await under.cluster('foreign', CIB);
  });
  afterAll(() => under.close());

  const node = '/v1/clusters/foreign/configuration/nodes/1';
  /** A text whose characters are the bytes. */
  const send = (method: string, path: string, type: string, latin1: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const bytes = Buffer.from(latin1, 'latin1');
    const body = headers['content-encoding'] === undefined ? bytes : gzipSync(bytes);
    return under.call(method, path, { headers: { 'if-match': '*', ...headers }, raw: { type, body } });
  };
  const version = async (): Promise<unknown> => (await under.call('GET', '/v1/clusters/foreign')).json['version'];

  it.each(['\xe9', '\xc0\xaf', '\xed\xa0\x80', '\xff\xfe'])(
    'are refused where they stop being UTF-8 (%j), and nothing is written',
    async (text) => {
      const patch = `{"instance_attributes":{"lat":"${text}"}}`;
      const place = `at byte ${patch.indexOf(text)},`;
      for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
        const answer = await send('PATCH', node, 'application/merge-patch+json', patch, headers);
        expect([answer.status, answer.json['detail']]).toEqual([400, expect.stringContaining(place)]);
      }
      const xml = `<node id="1" uname="n1" description="${text}"/>`;
      for (const [path, body] of [
        [node, xml],
        ['/v1/clusters/foreign/cib', CIB.replace('<node id="1" uname="n1"/>', xml)],
      ] as const) {
        const answer = await send('PUT', path, 'application/xml', body);
        expect([answer.status, answer.json['detail']]).toEqual([400, expect.stringContaining(`at byte ${body.indexOf(text)},`)]);
      }
      expect((await send('POST', '/v1/tokens', 'application/json', `{"role":"viewer","name":"${text}"}`)).status).toBe(400);
      expect(await version()).toBe(1);
    },
  );

  it('are refused when they say so themselves', async () => {
    for (const charset of ['iso-8859-1', 'utf-16', 'nonsense', '"iso-8859-1']) {
      const answer = await send('PATCH', node, `application/json; charset=${charset}`, '{"description":"x"}');
      expect([answer.status, answer.json['detail']]).toEqual([415, expect.stringContaining('send utf-8')]);
    }
    expect(await version()).toBe(1);
    const answer = await send('PATCH', node, 'application/json; charset="UTF-8"', '{"description":"\xc3\xa9"}');
    const read = await under.call('GET', node);
    expect([answer.status, read.status, read.json]).toMatchObject([200, 200, { description: 'é' }]);
  });

  it('are refused when they say it twice, however', async () => {
    for (const [type, says] of [
      ['application/json; charset=utf-8; charset=utf-16', '"charset" twice'],
      ['application/json; charset=utf-8;Charset="utf-8"', '"charset" twice'],
      ['application/json; profile=a; charset=utf-8; profile=b', '"profile" twice'],
    ] as const) {
      const answer = await send('PATCH', node, type, '{"description":"x"}');
      expect([answer.status, answer.json['detail']], type).toEqual([415, expect.stringContaining(says)]);
    }
    expect((await send('PATCH', node, 'application/json; profile="; charset=utf-16"; charset=utf-8', '{}')).status).toBe(200);
  });

  it('are refused with two byte order marks: the second one is a character before the document', async () => {
    const xml = '<?xml version="1.0"?><node id="1" uname="n1"/>';
    for (const [path, type, body] of [
      [node, 'application/xml', xml],
      ['/v1/clusters/foreign/cib', 'application/xml', CIB],
    ] as const) {
      const answer = await send('PUT', path, type, `\xef\xbb\xbf\xef\xbb\xbf${body}`);
      expect([answer.status, answer.json['detail']], path).toEqual([400, expect.stringContaining('two byte order marks')]);
    }
    expect((await send('PUT', node, 'application/xml', `\xef\xbb\xbf${xml}`)).status).toBe(200);
  });

  it('are refused as XML that declares another encoding, where not all of it is ASCII', async () => {
    const xml = (text: string, encoding = 'ISO-8859-1'): string =>
      `<?xml version="1.0" encoding="${encoding}"?><node id="1" uname="n1" description="${text}"/>`;
    const before = await version();
    for (const type of ['application/xml', 'text/xml']) {
      const answer = await send('PUT', node, type, xml('\xc3\xa9'));
      expect([answer.status, answer.json['detail']]).toEqual([415, expect.stringContaining('declared as ISO-8859-1')]);
    }
    expect(await version()).toBe(before);
    expect((await send('PUT', node, 'application/xml', xml('ASCII'))).status).toBe(200);
    for (const ascii of ['US-ASCII', 'ascii', 'ANSI_X3.4-1968', 'cp367'])
      expect((await send('PUT', node, 'application/xml', xml('\xc3\xa9 declared', ascii))).status, ascii).toBe(415);
    expect((await send('PUT', node, 'application/xml', xml('ASCII declared', 'US-ASCII'))).status).toBe(200);
    expect((await send('PUT', node, 'application/xml; charset=utf-8', xml('\xc3\xa9'))).status).toBe(200);
    expect((await under.call('GET', node)).json).toMatchObject({ description: 'é' });
  });

  it('are refused of agents, too', async () => {
    const token = await under.agent('foreign', 'n1');
    for (const path of ['poll', 'join', 'attributes']) {
      const raw = { type: 'application/json', body: Buffer.from('{"x":"\xe9"}', 'latin1') };
      expect((await under.call('POST', `/v1/agent/${path}`, { token, raw })).status, path).toBe(400);
    }
  });
});
