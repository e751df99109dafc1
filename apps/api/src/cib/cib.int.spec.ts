import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseXml } from '@systole/cib';
import { PROTOCOL } from '@systole/protocol';
import { WorkerByHand } from '../testing/worker-by-hand.js';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

const XML = 'application/xml';
const INSIST = { 'if-match': '*' };
const changed = (score: number): string => CIB.replace('score="50"', `score="${score}"`);

describe('the CIB of a cluster', () => {
  let under: ApiUnderTest;
  let cluster: string;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest();
  });
  afterAll(() => under.close());
  beforeEach(async () => {
    count++;
    cluster = `/v1/clusters/${await under.cluster(`c${count}`, CIB)}`;
  });

  const put = (body: string, headers: Record<string, string> = {}, query = ''): Promise<Answer> =>
    under.call('PUT', `${cluster}/cib${query}`, { raw: { type: XML, body }, headers: { ...INSIST, ...headers } });
  const version = async (): Promise<unknown> => (await under.call('GET', cluster)).json['version'];
  const configuration = async (): Promise<string> =>
    /<configuration>.*<\/configuration>/s.exec((await under.call('GET', `${cluster}/cib`, { headers: { accept: XML } })).text)?.[0] ?? '';

  it('is given back as XML without loss, comments included', async () => {
    const answer = await under.call('GET', `${cluster}/cib`, { headers: { accept: XML } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain(XML);
    expect(answer.headers.get('etag')).toBe('"1_xml"');
    expect(await configuration()).toBe(/<configuration>.*<\/configuration>/s.exec(CIB)?.[0]);
  });

  it('says who changed it last, as its status does, and keeps nothing of that when it is given back', async () => {
    await put(changed(60));
    const read = (path: string): Promise<Answer> => under.call('GET', path, { headers: { accept: XML } });
    const { text } = await read(`${cluster}/cib`);
    const { attributes } = parseXml(text);
    expect(attributes).toMatchObject({ 'update-origin': 'systole', 'update-client': 'replace-configuration', 'update-user': 'user:admin' });
    const [, time] = /<last_change time="([^"]+)"/.exec((await read(`${cluster}/status`)).text) ?? [];
    expect(attributes['cib-last-written']).toBe(time);
    expect((await read(`${cluster}/cib?version=1`)).text).toContain('update-client="ClusterCreated"');
    expect((await put(text)).json).toMatchObject({ version: 2, changes: [] });
    expect((await read(`${cluster}/cib`)).text).toBe(text);
  });

  it('is given as JSON, and taken as JSON', async () => {
    const json = await under.call('GET', `${cluster}/cib`, { headers: { accept: 'application/json' } });
    expect(json.json).toMatchObject({ element: 'cib', children: [{ element: 'configuration' }, { element: 'status' }] });
    expect(json.text).toContain('{"comment":" the service "}');
    const edited = JSON.parse(json.text.replace('"score":"50"', '"score":"70"')) as unknown;
    const answer = await under.call('PUT', `${cluster}/cib`, { headers: INSIST, body: edited });
    expect(answer.status).toBe(200);
    expect(await configuration()).toBe(/<configuration>.*<\/configuration>/s.exec(changed(70))?.[0]);
  });

  it('is replaced; the change is recorded with who and why', async () => {
    const answer = await put(changed(60), { 'if-match': '"1"' }, '?reason=prefer%20n1%20more');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(answer.json).toMatchObject({ dryRun: false, version: 2, events: [{ type: 'ConfigurationChanged' }] });
    expect((answer.json['changes'] as unknown[]).length).toBeGreaterThan(0);
    const events = await under.call('GET', `${cluster}/events?type=ConfigurationChanged`);
    expect(events.json).toMatchObject({
      items: [{ version: 2, actor: 'user:admin', correlationId: answer.headers.get('x-request-id'), data: { reason: 'prefer n1 more' } }],
    });
  });

  it('may be of the Heartbeat 2 generation, large or not; what is changed in it is told, by a dry run, too', async () => {
    const old = (comment: string): string => `<cib have_quorum="true" epoch="1"><!-- ${comment} --><configuration><crm_config/><nodes/>
      <resources><primitive id="a" class="lsb" type="x"/><primitive id="b" class="lsb" type="x"/></resources><constraints><rsc_order id="o" from="a" to="b"/></constraints></configuration></cib>`;
    const upgrade = {
      count: expect.any(Number) as number,
      items: expect.arrayContaining([
        expect.objectContaining({ kind: 'check', path: '/cib/configuration/crm_config' }),
        expect.objectContaining({ kind: 'rewritten', element: 'rsc_order', id: 'o', message: 'from="a" to="b" is first="b" then="a" now' }),
      ]) as unknown,
    };
    expect((await put(old('small'), {}, '?dryRun=true')).json).toMatchObject({ dryRun: true, upgrade });
    expect((await put(old('small'))).json).toMatchObject({ dryRun: false, upgrade });
    expect(await configuration()).toContain('<rsc_order id="o" first="b" then="a"/>');
    expect((await put(old('large '.repeat(5_000)), {}, '?dryRun=true')).json).toMatchObject({ events: [], upgrade });
    const refused = await put(old('small').replace('from="a"', 'from="a" first="b"').replace('class="lsb"', 'class="none"'));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('given beside first');
    expect(refused.text).toContain('\\"none\\" is not known');
    const made = await under.call('POST', '/v1/clusters', { body: { name: `old-${count}`, cib: old('small') } });
    expect(made.json).toMatchObject({ upgrade });
    expect((await put(CIB)).json).not.toHaveProperty('upgrade');
  });

  it('that is put again with the same Idempotency-Key does not come back over a newer one', async () => {
    const [older, newer] = [{ 'idempotency-key': 'k4' }, { 'idempotency-key': 'k5' }];
    const first = await put(changed(60), older);
    await put(changed(70), newer);
    const again = await put(changed(60), older);
    expect([again.status, again.json, again.headers.get('etag')]).toEqual([200, first.json, '"2"']);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([await version(), await configuration()]).toEqual([3, /<configuration>.*<\/configuration>/s.exec(changed(70))?.[0]]);
    expect((await put(changed(80), older)).json['type']).toBe('https://systole.dev/problems/idempotency-key-reused');
  });

  it('that a process put which died before its answer is found by the same request, whatever its size and If-Match', async () => {
    const headers = { 'idempotency-key': 'died-in-between', 'if-match': '"1"' };
    const large = changed(60).replace('the service', 'the service '.repeat(2_000));
    const first = await put(large, headers);
    expect(first.status).toBe(200);
    await under.database.pool.query(
      `UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL, locked_at = now() - interval '1 minute' WHERE key = 'died-in-between'`,
    );
    const again = await put(large, headers);
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(await version()).toBe(2);
  });

  it('stays as it is when the same is put again', async () => {
    const answer = await put(CIB);
    expect(answer.json).toMatchObject({ version: 1, events: [], changes: [] });
  });

  it('ignores the status section that is put', async () => {
    await put(changed(61).replace('<status/>', '<status><node_state id="9" uname="n9"/></status>'));
    expect((await under.call('GET', `${cluster}/cib`, { headers: { accept: XML } })).text).not.toContain('n9');
  });

  it('refuses a stale If-Match with 412 and the current version', async () => {
    await put(changed(60));
    const answer = await put(changed(80), { 'if-match': '"1"' });
    expect(answer.status).toBe(412);
    expect(answer.json).toMatchObject({ type: 'https://systole.dev/problems/version-mismatch', currentVersion: 2 });
    expect(answer.headers.get('etag')).toBe('"2"');
    expect((await put(changed(80), { 'if-match': 'W/"2"' })).status).toBe(412);
    expect((await put(changed(80), { 'if-match': '2' })).status).toBe(400);
    expect(await version()).toBe(2);
    expect((await put(changed(80), { 'if-match': '*' })).status).toBe(200);
  });

  it('takes a configuration for the one that was read, whatever agents report and workers decide meanwhile', async () => {
    const id = cluster.split('/').at(-1) ?? '';
    const made = (await under.call('GET', cluster)).headers.get('etag') ?? '';
    const token = await under.agent(id, 'n1');
    await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
    const quorum = { type: 'change-quorum', quorate: false, votes: 1, expectedVotes: 2 } as const;
    const worker = new WorkerByHand(under);
    await worker.commands.execute(id, quorum, { actor: 'worker', correlationId: 'test' });
    await worker.close();
    const tag = (await under.call('GET', `${cluster}/cib`)).headers.get('etag') ?? '';
    expect(tag).not.toBe(made);
    expect((await put(changed(60), { 'if-match': made }, '?dryRun=true')).status).toBe(200);
    expect((await put(changed(60), { 'if-match': made })).status).toBe(200);
    const late = await put(changed(80), { 'if-match': tag });
    expect([late.status, late.json['detail']]).toEqual([412, expect.stringContaining('the configuration was changed at version')]);
    expect((await put(changed(80), { 'if-match': '"99"' })).status).toBe(412);
  });

  it('takes no version of before a restore for one of now, though it has the number of one', async () => {
    const id = cluster.split('/').at(-1) ?? '';
    const worker = new WorkerByHand(under);
    const by = { actor: 'worker', correlationId: 'test' };
    const epoch = '3f2a8b1c-0000-4000-8000-000000000000';
    await worker.commands.execute(id, { type: 'begin-epoch', clusterId: id, epoch, reason: 'restored', by: 'a person' }, by);
    // What has not changed since before is written with the tag that reading it gives.
    const tag = (await under.call('GET', `${cluster}/configuration`)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"2-3f2a8b1c(_gzip)?"$/);
    const first = await put(changed(60), { 'if-match': tag });
    expect(first.headers.get('etag')).toBe('"3-3f2a8b1c"');
    expect(first.json).toMatchObject({ version: 3, epoch: '3f2a8b1c' });
    for (const votes of [1, 2]) {
      await worker.commands.execute(id, { type: 'change-quorum', quorate: false, votes, expectedVotes: 2 }, by);
    }
    await worker.close();
    for (const path of ['', '/cib', '/status', '/explanation']) {
      expect((await under.call('GET', `${cluster}${path}`)).headers.get('etag'), path).toMatch(/^"5-3f2a8b1c(_m[0-9a-f]+)?(_gzip)?"$/);
    }
    for (const tag of ['"4"', '"4-00000000"', 'W/"5-3f2a8b1c"', '"2-3f2a8b1c"']) {
      const late = await put(changed(80), { 'if-match': tag });
      expect([late.status, late.headers.get('etag')], tag).toEqual([412, tag.startsWith('W/') ? null : '"5-3f2a8b1c"']);
    }
    expect(await configuration()).toContain('score="60"');
    expect((await put(changed(80), { 'if-match': '"4", "4-3f2a8b1c"' })).status).toBe(200);
  });

  it('is replaced by nobody who does not say which one he means', async () => {
    const answer = await under.call('PUT', `${cluster}/cib`, { raw: { type: XML, body: changed(60) } });
    expect([answer.status, answer.json['type']]).toEqual([428, 'https://systole.dev/problems/precondition-required']);
    expect(answer.json).toMatchObject({ errors: [{ header: 'If-Match' }] });
    expect(await version()).toBe(1);
  });

  it('lets exactly one of several writers with the same If-Match win', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => put(changed(100 + index), { 'if-match': '"1"' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
    expect(await version()).toBe(2);
  });

  it('applies all of several writers without If-Match, one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => put(changed(100 + index))));
    expect(answers.map(({ json }) => json['version']).sort((a, b) => Number(a) - Number(b))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it.each([
    ['malformed XML', CIB.replace('</nodes>', ''), { line: expect.any(Number) as number }],
    ['an entity', `<!DOCTYPE cib [<!ENTITY a "b">]>${CIB}`, { line: 1 }],
    ['another document', '<html/>', {}],
    ['an unknown element', CIB.replace('<constraints>', '<constraints><rsc_wish id="w"/>'), { line: 21, element: 'rsc_wish' }],
    [
      'an interval that nobody can read',
      CIB.replace('interval="10s"', 'interval="3 parsecs"'),
      { line: 16, path: "/cib/configuration/resources/primitive[@id='web']/operations/op[@id='web-monitor']" },
    ],
    ['a dangling reference', CIB.replace('rsc="web"', 'rsc="nothing"'), { line: 22, element: 'rsc_location' }],
    ['a duplicate id', CIB.replace('<primitive id="fence"', '<primitive id="web"'), {}],
  ])('refuses %s with the place, and changes nothing', async (_, body, place) => {
    const before = await configuration();
    const answer = await put(body);
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.json['type']).toBe('https://systole.dev/problems/invalid-configuration');
    expect((answer.json['errors'] as object[])[0]).toMatchObject(place);
    expect(await version()).toBe(1);
    expect(await configuration()).toBe(before);
  });

  it('refuses JSON that is no XML tree, with a pointer', async () => {
    const cases: readonly [unknown, string][] = [
      [{ element: 'cib', children: [{ element: 'a b' }] }, '/children/0/element'],
      [{ element: 'cib', attributes: { x: 1 } }, '/attributes/x'],
      [{ element: 'cib', colour: 'red' }, ''],
      [{ element: 'cib', children: [{ comment: 1 }] }, '/children/0/comment'],
      [{ element: 'cib', children: [{ comment: 'a--b' }] }, '/children/0/comment'],
      [[], ''],
      ['text', ''],
    ];
    for (const [body, pointer] of cases) {
      const answer = await under.call('PUT', `${cluster}/cib`, { headers: INSIST, body });
      expect({ status: answer.status, pointer: (answer.json['errors'] as { pointer?: string }[])[0]?.pointer }).toEqual({
        status: 422,
        pointer,
      });
    }
    expect(await version()).toBe(1);
  });

  it('refuses JSON that is nested without end', async () => {
    const depth = 100_000;
    const body = `${'{"element":"a","children":['.repeat(depth)}${']}'.repeat(depth)}`;
    const answer = await under.call('PUT', `${cluster}/cib`, { headers: INSIST, raw: { type: 'application/json', body } });
    expect(answer.status).toBe(422);
  });

  it('takes large documents, and refuses those above 64 MiB', async () => {
    const padded = (bytes: number): string => CIB.replace('<!-- the service -->', `<!--${'x'.repeat(bytes)}-->`);
    expect((await put(padded(2 * 1024 * 1024))).status).toBe(200);
    const answer = await put(padded(64 * 1024 * 1024));
    expect(answer.status).toBe(413);
    expect(answer.json['type']).toBe('https://systole.dev/problems/content-too-large');
    expect(await version()).toBe(2);
  });

  it('refuses bodies of other types, and none', async () => {
    expect((await under.call('PUT', `${cluster}/cib`, { raw: { type: 'text/plain', body: CIB } })).status).toBe(415);
    expect((await under.call('PUT', `${cluster}/cib`, { headers: INSIST })).status).toBe(415);
    expect((await under.call('GET', `${cluster}/cib`, { headers: { accept: 'image/png' } })).status).toBe(406);
  });

  it('warns in a dry run of what is taken in and has not the effect that it says', async () => {
    const id = await under.cluster('warned', CIB);
    const document = CIB.replace('node="n1"', 'node="nn1"').replace(
      '<operations>',
      '<meta_attributes id="web-meta"><nvpair id="web-priority" name="priority" value="high"/></meta_attributes><operations>',
    );
    const headers = { ...INSIST, 'content-type': 'application/xml' };
    const answer = await under.call('PUT', `/v1/clusters/${id}/cib?dryRun=true&force=true`, {
      raw: { type: 'application/xml', body: document },
      headers,
    });
    expect(answer.json).toMatchObject({
      findings: {
        items: [
          { subject: 'web', message: expect.stringContaining('priority: "high" can\'t be read') as string },
          { kind: 'unknown-node', subject: 'web', message: expect.stringContaining('nn1') as string },
        ],
      },
      schedule: {
        messages: expect.arrayContaining([{ level: 'error', text: expect.stringContaining('there is no node "nn1"') as string }]) as object,
      },
    });
  });

  it('shows in a dry run what would change and what would follow, and changes nothing', async () => {
    const answer = await put(changed(60), {}, '?dryRun=true');
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ dryRun: true, version: 1, events: [{ type: 'ConfigurationChanged' }] });
    expect(answer.json['schedule']).toMatchObject({
      nodes: [{ name: 'n1' }, { name: 'n2' }],
      resources: [{ id: 'web' }, { id: 'fence' }],
      actions: expect.any(Array) as unknown[],
    });
    expect(await version()).toBe(1);
  });

  it('can be read as it was', async () => {
    await put(changed(60));
    await put(changed(70));
    const old = await under.call('GET', `${cluster}/cib?version=2`, { headers: { accept: XML } });
    expect(old.text).toContain('score="60"');
    expect(old.headers.get('etag')).toBe('"2_xml"');
    expect(parseXml(old.text).name).toBe('cib');
    expect((await under.call('GET', `${cluster}/cib?version=9`)).status).toBe(404);
    expect((await under.call('GET', `${cluster}/cib?version=x`)).json).toMatchObject({ status: 400, errors: [{ parameter: 'version' }] });
  });
});
