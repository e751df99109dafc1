import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseXml } from '@systole/cib';
import { PROTOCOL } from '@systole/protocol';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

const DB = { element: 'primitive', id: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' };
const INSIST = { 'if-match': '*' };

describe('the configuration by element', () => {
  let under: ApiUnderTest;
  let id: string;
  let at: string;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest();
  });
  afterAll(() => under.close());
  beforeEach(async () => {
    count++;
    id = await under.cluster(`c${count}`, CIB);
    at = `/v1/clusters/${id}/configuration`;
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> => under.call('GET', `${at}${path}`, { headers });
  const write = (method: string, path: string, body?: unknown, headers: Record<string, string> = INSIST): Promise<Answer> =>
    under.call(method, `${at}${path}`, { headers, ...(body === undefined ? {} : { body }) });
  const patch = (path: string, body: unknown, headers: Record<string, string> = INSIST): Promise<Answer> =>
    under.call('PATCH', `${at}${path}`, { headers, raw: { type: 'application/merge-patch+json', body: JSON.stringify(body) } });
  const version = async (): Promise<unknown> => (await under.call('GET', `/v1/clusters/${id}`)).json['version'];
  const ids = async (path: string): Promise<unknown> =>
    ((await get(path)).json['items'] as { id: string; parent?: string }[]).map((one) =>
      one.parent === undefined ? one.id : `${one.parent}/${one.id}`,
    );
  interface Issue {
    readonly pointer?: string;
    readonly parameter?: string;
    readonly header?: string;
    readonly line?: number;
    readonly about?: object;
    readonly detail: string;
  }
  const errors = ({ json }: Answer): readonly Issue[] => json['errors'] as readonly Issue[];
  const changed = ({ json }: Answer): readonly string[] =>
    (json['changes'] as { kind: string; id: string; before?: string; after?: string }[]).map(
      ({ kind, id: which, before, after }) => `${before === undefined ? '+' : after === undefined ? '-' : '~'} ${kind} ${which}`,
    );

  it('is read, element by element, by pages and as it was', async () => {
    const web = await get('/resources/web');
    expect([web.status, web.headers.get('etag')]).toEqual([200, '"1"']);
    expect(web.json).toEqual({
      element: 'primitive',
      id: 'web',
      class: 'ocf',
      provider: 'systole',
      type: 'Dummy',
      operations: [{ id: 'web-monitor', name: 'monitor', interval: '10s', timeout: '5s' }],
    });
    expect((await get('/nodes/n1')).json).toEqual({ element: 'node', id: '1', uname: 'n1' });
    expect((await get('/properties')).json).toEqual({ element: 'crm_config', cluster_property_set: { 'dc-deadtime': '1s' } });
    expect((await get('/rsc-defaults')).json).toEqual({ element: 'rsc_defaults' });
    const first = await get('/resources?limit=1');
    expect([(first.json['items'] as { id: string }[]).map((one) => one.id), first.json['next']]).toEqual([['web'], expect.any(String)]);
    expect((await get(`/resources?limit=1&cursor=${String(first.json['next'])}`)).json).toMatchObject({ items: [{ id: 'fence' }] });
    expect((await get('/constraints?element=rsc_order,rsc_ticket')).json).toEqual({ items: [] });
    await patch('/resources/web', { description: 'x' });
    expect((await get('/resources/web?at=1')).json).toEqual(web.json);
    expect(parseXml((await get('/resources/web', { accept: 'application/xml' })).text).attributes['description']).toBe('x');
    expect((await get('/resources/web', { accept: 'image/png' })).status).toBe(406);
    for (const path of ['/resources/gone', '/wishes', '/wishes/web', '/resources/web?at=99'])
      expect((await get(path)).status, path).toBe(404);
    expect((await get('/constraints?element=wish')).status).toBe(400);
  });

  it('is read by pages of which none passes over anything, whatever comes and goes between them', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await write('POST', '/resources', { ...DB, id: name });
    const page = async (cursor: string | undefined, query = ''): Promise<Answer> =>
      get(`/resources?limit=2${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    const shown = ({ json }: Answer): unknown => (json['items'] as { id: string }[] | undefined)?.map((one) => one.id);
    const next = ({ json }: Answer): string => json['next'] as string;
    const first = await page(undefined);
    const second = await page(next(first));
    expect([shown(first), shown(second)]).toEqual([
      ['web', 'fence'],
      ['a', 'b'],
    ]);
    const after = next(second);
    expect(shown(await page(after))).toEqual(['c', 'd']);
    expect((await write('DELETE', '/resources/a')).status).toBe(200);
    expect(shown(await page(after))).toEqual(['c', 'd']);
    for (const name of ['x', 'y', 'z']) await write('POST', '/resources?before=fence', { ...DB, id: name });
    expect(shown(await page(after))).toEqual(['c', 'd']);
    expect((await write('DELETE', '/resources/b')).status).toBe(200);
    const gone = await page(after);
    expect([gone.status, gone.json['type'], errors(gone)[0]?.parameter, errors(gone)[0]?.detail]).toEqual([
      409,
      'https://systole.dev/problems/list-changed',
      'cursor',
      expect.stringContaining('begin again'),
    ]);
    // As of one version it stays.
    const early = await page(undefined, '&at=5');
    expect(shown(await page(next(early), '&at=5'))).toEqual(['a', 'b']);
    for (const cursor of ['2', '0.x', 'web', '-1']) expect((await page(cursor)).status, cursor).toBe(400);
  });

  it('is changed, element by element', async () => {
    const created = await write('POST', '/resources?reason=new&before=fence', {
      ...DB,
      operations: [{ name: 'monitor', interval: '20s' }],
    });
    expect([created.status, created.headers.get('location'), created.headers.get('etag')]).toEqual([
      201,
      `/v1/clusters/${id}/configuration/resources/db`,
      '"2"',
    ]);
    expect(await ids('/resources')).toEqual(['web', 'db', 'fence']);
    const events = await under.call('GET', `/v1/clusters/${id}/events?type=ConfigurationChanged`);
    expect(events.json).toMatchObject({
      items: [
        {
          data: {
            command: 'edit-configuration',
            reason: 'new',
            arguments: { edits: [{ edit: 'create', element: 'primitive', id: 'db' }] },
          },
        },
      ],
    });
    const stopped = await patch('/resources/db', { meta_attributes: { 'target-role': 'Stopped', priority: '5' } });
    expect(changed(stopped)).toEqual(['+ meta_attributes db-meta_attributes']);
    expect(changed(await patch('/resources/db', { meta_attributes: { 'target-role': 'Started' } }))).toEqual([
      '~ nvpair db-meta_attributes-target-role',
    ]);
    const shown = (await get('/resources/db')).json;
    expect(changed(await write('PUT', '/resources/db', { ...shown, meta_attributes: { priority: '5' } }))).toEqual([
      '- nvpair db-meta_attributes-target-role',
    ]);
    const location = await write('POST', '/constraints', { element: 'rsc_order', first: 'db', then: 'web', kind: 'Optional' });
    expect(location.headers.get('location')).toContain('/constraints/order-db-web-Optional');
    expect((await write('DELETE', '/constraints/order-db-web-Optional')).status).toBe(200);
    expect(changed(await patch('/op-defaults', { meta_attributes: { timeout: '30s' } }))).toEqual(['+ op_defaults ']);
    expect(changed(await write('PUT', '/properties', { cluster_property_set: { 'dc-deadtime': '2s' } }))).toEqual([
      '~ nvpair option-dc-deadtime',
    ]);
    expect((await under.call('GET', `/v1/clusters/${id}/cib`, { headers: { accept: 'application/xml' } })).text).toContain(
      '<!-- the service -->',
    );
  });

  it('is changed by the body that was read, and stays as it is', async () => {
    for (const path of ['/resources/web', '/nodes/1', '/constraints/web-on-n1', '/properties']) {
      const answer = await write('PUT', path, (await get(path)).json);
      expect([answer.status, answer.json['events']], path).toEqual([200, []]);
    }
  });

  it('has members move in and out', async () => {
    await write('POST', '/resources', { element: 'group', id: 'g', primitive: [{ ...without(DB, 'element') }] });
    expect((await write('POST', '/resources/web/move', { parent: 'g', before: 'db' })).status).toBe(200);
    expect(await ids('/resources')).toEqual(['fence', 'g', 'g/web', 'g/db']);
    await write('POST', '/resources', { ...DB, id: 'late', parent: 'g' });
    expect((await get('/resources/late')).json['parent']).toBe('g');
    expect((await write('POST', '/resources/db/move', { before: 'fence' })).status).toBe(200);
    expect(await ids('/resources')).toEqual(['db', 'fence', 'g', 'g/web', 'g/late']);
    expect(errors(await write('POST', '/resources/db/move', { parent: 'nobody' }))).toMatchObject([{ pointer: '/parent' }]);
  });

  it('needs If-Match, and loses no update', async () => {
    const bare = await write('POST', '/resources', DB, {});
    expect([bare.status, bare.json['type'], errors(bare)[0]?.header]).toEqual([
      428,
      'https://systole.dev/problems/precondition-required',
      'If-Match',
    ]);
    const tag = (await get('/resources/web')).headers.get('etag') ?? '';
    const both = await Promise.all(['a', 'b'].map((text) => patch('/resources/web', { description: text }, { 'if-match': tag })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(await version()).toBe(2);
  });

  it('is meant as it was read, whatever agents report meanwhile', async () => {
    const tag = (await get('/resources/web')).headers.get('etag') ?? '';
    const token = await under.agent(id, 'n1');
    expect(
      (await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } })).status,
    ).toBe(200);
    expect((await get('/resources/web')).headers.get('etag')).toBe(tag);
    expect((await patch('/resources/web', { description: 'x' }, { 'if-match': tag })).status).toBe(200);
    const refused = await write('DELETE', '/nodes/n1');
    expect([refused.status, refused.json['type'], errors(refused)[0]?.parameter]).toEqual([
      409,
      'https://systole.dev/problems/still-active',
      'id',
    ]);
  });

  it('is changed by a JSON Patch, whose tests hold or refuse it', async () => {
    const json = (path: string, body: unknown): Promise<Answer> =>
      under.call('PATCH', `${at}${path}`, { headers: INSIST, raw: { type: 'application/json-patch+json', body: JSON.stringify(body) } });
    const longer = [
      { op: 'test', path: '/operations/0/timeout', value: '5s' },
      { op: 'replace', path: '/operations/0/timeout', value: '60s' },
    ];
    expect(changed(await json('/resources/web', longer))).toEqual(['~ op web-monitor']);
    const again = await json('/resources/web', longer);
    expect([again.status, again.json['type'], errors(again)[0]?.pointer]).toEqual([
      409,
      'https://systole.dev/problems/patch-test-failed',
      '/0',
    ]);
    for (const path of ['/description', '/operations/7', '/meta_attributes/x'])
      expect([path, (await json('/resources/web', [{ op: 'test', path, value: 'x' }])).status]).toEqual([path, 409]);
    expect(changed(await json('/properties', [{ op: 'add', path: '/cluster_property_set/no-quorum-policy', value: 'stop' }]))).toEqual([
      '+ nvpair cib-bootstrap-options-no-quorum-policy',
    ]);
    for (const path of ['/__proto__/x', '/constructor/x', '/cluster_property_set/__proto__/x']) {
      const hostile = await json('/properties', [{ op: 'add', path, value: 'yes' }]);
      expect([hostile.status, errors(hostile)[0]?.detail], path).toEqual([422, expect.stringContaining('there is nothing at')]);
    }
    for (const body of [{}, 'x', null]) expect((await json('/resources/web', body)).status).toBe(422);
    expect((await patch('/resources/web', [])).status).toBe(422);
    const inBatch = { edits: [{ edit: 'patch', collection: 'resources', id: 'web', patch: [{ op: 'remove', path: '/operations' }] }] };
    expect(changed(await write('POST', '/batch', inBatch))).toEqual(['- operations ']);
  });

  it('is read, replaced and patched as a whole', async () => {
    const whole = await get('');
    expect([whole.status, whole.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"1(_gzip)?"$/)]);
    expect(whole.json).toMatchObject({
      properties: { cluster_property_set: { 'dc-deadtime': '1s' } },
      nodes: [{ id: '1' }, { id: '2' }],
      resources: [{ element: 'primitive', id: 'web' }, { id: 'fence' }],
      constraints: [{ element: 'rsc_location', id: 'web-on-n1' }],
    });
    expect((await write('PUT', '', whole.json)).json['changes']).toEqual([]);
    expect((await write('PUT', '', whole.json, {})).status).toBe(428);
    const [web, fence] = whole.json['resources'] as readonly { readonly id: string }[];
    const site = {
      element: 'group',
      id: 'site',
      primitive: [
        { ...DB, element: undefined },
        { ...web, element: undefined },
      ],
    };
    const grouped = await write('PUT', '?reason=one+group', { ...whole.json, resources: [fence, site] });
    expect([grouped.status, await ids('/resources')]).toEqual([200, ['fence', 'site', 'site/db', 'site/web']]);
    expect((await get('/resources/web')).json).toEqual({ ...web, parent: 'site' });
    const located = [{ op: 'add', path: '/constraints/-', value: { element: 'rsc_location', rsc: 'site', node: 'n2', score: '5' } }];
    const patched = await under.call('PATCH', at, {
      headers: INSIST,
      raw: { type: 'application/json-patch+json', body: JSON.stringify(located) },
    });
    expect(changed(patched)).toEqual(['+ rsc_location location-site-n2-5']);
    const emptied = await write('PUT', '', { ...whole.json, resources: [fence] });
    expect([emptied.status, emptied.json['type'], errors(emptied).map(({ detail }) => detail.split(':')[0])]).toEqual([
      409,
      'https://systole.dev/problems/element-in-use',
      ['<rsc_location> web-on-n1 refers to "web" (rsc)'],
    ]);
    const wrong = await write('PUT', '', { ...whole.json, wishes: [], resources: [fence, fence], nodes: ['n1'] });
    expect([wrong.status, errors(wrong).map(({ pointer }) => pointer)]).toEqual([422, ['/wishes', '/nodes/0', '/resources/1/id']]);
    const misspelt = await write('PUT', '', {
      ...whole.json,
      constraints: [{ element: 'rsc_location', id: 'l', rsc: 'web', node: 'n1', score: 'much' }],
    });
    expect([misspelt.status, errors(misspelt).map(({ pointer }) => pointer)]).toEqual([422, ['/constraints/0/score']]);
    const xml = await get('', { accept: 'application/xml' });
    expect(xml.text).toContain('<!-- the service -->');
    const renamed = await under.call('PUT', at, {
      headers: INSIST,
      raw: { type: 'application/xml', body: xml.text.replace('"dc-deadtime" value="1s"', '"dc-deadtime" value="9s"') },
    });
    expect(changed(renamed)).toEqual(['~ nvpair option-dc-deadtime']);
  });

  it('makes a group of what is there, with all that it has', async () => {
    await write('POST', '/resources', { ...DB, meta_attributes: { priority: '5' } });
    const group = await write('POST', '/resources', {
      element: 'group',
      id: 'site',
      members: ['web', 'db'],
      meta_attributes: { priority: '7' },
    });
    expect([group.status, await ids('/resources')]).toEqual([201, ['site', 'site/web', 'site/db', 'fence']]);
    expect((await get('/resources/db')).json).toEqual({ ...DB, parent: 'site', meta_attributes: { priority: '5' } });
    const clone = await write('POST', '/resources', { element: 'clone', id: 'site-clone', members: ['site'] });
    expect([clone.status, await ids('/resources')]).toEqual([201, ['site-clone', 'site-clone/site', 'site/web', 'site/db', 'fence']]);
    for (const members of [['gone'], ['web', 'web'], [], 'web', ['site', 'web']]) {
      const refused = await write('POST', '/resources', { element: 'group', id: 'g', members });
      expect([refused.status, errors(refused)[0]?.pointer], String(members)).toEqual([422, expect.stringMatching(/^\/members|^\/group/)]);
    }
  });

  it('lets nothing go that others refer to, unless they go along', async () => {
    await write('POST', '/tags', { element: 'tag', id: 't', obj_ref: [{ id: 'web' }, { id: 'fence' }] });
    const refused = await write('DELETE', '/resources/web');
    expect([refused.status, refused.json['type']]).toEqual([409, 'https://systole.dev/problems/element-in-use']);
    expect(errors(refused).map(({ parameter, detail }) => `${parameter ?? ''} ${detail.split(':')[0] ?? ''}`)).toEqual([
      'id <rsc_location> web-on-n1 refers to "web" (rsc)',
      'id <obj_ref> t refers to "web" (id)',
    ]);
    expect(errors(refused).map(({ about }) => about)).toEqual([
      { kind: 'rsc_location', id: 'web-on-n1', attribute: 'rsc', to: 'web' },
      { kind: 'obj_ref', id: 't', attribute: 'id', to: 'web' },
    ]);
    const dry = await write('DELETE', '/resources/web?cascade=true&dryRun=true');
    expect(changed(dry)).toEqual(['- primitive web', '- rsc_location web-on-n1', '- obj_ref web']);
    expect(dry.json['schedule']).toBeDefined();
    expect(await version()).toBe(2);
    expect(changed(await write('DELETE', '/resources/web?cascade=true'))).toEqual(changed(dry));
    expect((await write('DELETE', '/resources/web')).status).toBe(404);
  });

  it('takes many edits as one event, or none', async () => {
    const edits = [
      { edit: 'create', collection: 'resources', element: DB },
      {
        edit: 'create',
        collection: 'constraints',
        element: { element: 'rsc_colocation', rsc: 'db', 'with-rsc': 'web', score: 'INFINITY' },
      },
      { edit: 'patch', collection: 'properties', patch: { cluster_property_set: { 'no-quorum-policy': 'stop' } } },
      { edit: 'delete', collection: 'constraints', id: 'web-on-n1' },
    ];
    const wrong = await write('POST', '/batch', {
      edits: [
        ...edits,
        { edit: 'patch', collection: 'resources', id: 'db', patch: { operations: [{ name: 'monitor', interval: '1s', timeout: 5 }] } },
      ],
    });
    expect([wrong.status, errors(wrong).map(({ pointer }) => pointer)]).toEqual([422, ['/edits/4/patch/operations/0/timeout']]);
    const late = await write('POST', '/batch', {
      edits: [...edits, { edit: 'create', collection: 'tags', element: { element: 'tag', id: 't', obj_ref: [{ id: 'no' }] } }],
    });
    expect([late.status, errors(late).map(({ pointer }) => pointer)]).toEqual([422, ['/edits/4/element/obj_ref/0/id']]);
    expect(await version()).toBe(1);
    const dry = await write('POST', '/batch?dryRun=true', { edits });
    const made = await write('POST', '/batch?reason=all', { edits });
    expect(changed(dry)).toEqual(changed(made));
    expect([made.status, made.json['version'], (made.json['events'] as unknown[]).length]).toEqual([200, 2, 1]);
    for (const [body, pointer] of [
      [{}, '/edits'],
      [{ edits: [], x: 1 }, '/x'],
      [{ edits: [{ edit: 'wish' }] }, '/edits/0/edit'],
    ] as const) {
      const answer = await write('POST', '/batch', body);
      expect([answer.status, errors(answer)[0]?.pointer]).toEqual([422, pointer]);
    }
  });

  it('says where it is, of all that is made, also of the first of a section and without an id', async () => {
    const level = { element: 'fencing-level', target: 'n1', index: '1', devices: 'fence' };
    const json = (collection: string, body: object): Promise<Answer> => write('POST', `/${collection}`, body);
    const xml = (collection: string, body: string): Promise<Answer> =>
      under.call('POST', `${at}/${collection}`, { headers: INSIST, raw: { type: 'application/xml', body } });
    for (const [collection, made] of [
      ['fencing-levels', () => json('fencing-levels', level)],
      ['fencing-levels', () => json('fencing-levels', { ...level, index: '2' })],
      ['constraints', () => json('constraints', { element: 'rsc_order', first: 'fence', then: 'web' })],
      ['tags', () => xml('tags', '<tag id="t"><obj_ref id="web"/></tag>')],
      ['alerts', () => xml('alerts', '<alert id="a" path="/bin/true"/>')],
      ['acl-roles', () => xml('acl-roles', '<acl_role id="r"><acl_permission id="p" kind="read" xpath="/cib"/></acl_role>')],
    ] as const) {
      const answer = await made();
      const location = answer.headers.get('location') ?? '';
      expect([collection, answer.status, location]).toEqual([collection, 201, expect.stringContaining(`${at}/${collection}/`)]);
      expect((await under.call('GET', location)).status).toBe(200);
    }
  });

  it('is changed by XML, as it is sent', async () => {
    const xml = (method: string, path: string, body: string): Promise<Answer> =>
      under.call(method, `${at}${path}`, { headers: INSIST, raw: { type: 'application/xml', body } });
    const created = await xml('POST', '/resources', '<primitive id="x" class="lsb" type="y"><!-- mine --></primitive>');
    expect([created.status, created.headers.get('location')]).toEqual([201, `/v1/clusters/${id}/configuration/resources/x`]);
    expect((await get('/resources/x', { accept: 'application/xml' })).text).toContain('<!-- mine -->');
    expect(changed(await xml('PUT', '/resources/x', '<primitive id="x" class="lsb" type="z"/>'))).toEqual(['~ primitive x']);
    expect((await xml('PUT', '/properties', '<crm_config/>')).status).toBe(200);
    for (const body of [
      '<primitive',
      '<group id="x"/>',
      '<primitive id="y" class="lsb" type="z"/>',
      '<primitive id="x" class="lsb" wish="z"/>',
    ]) {
      const answer = await xml('PUT', '/resources/x', body);
      expect([answer.status, errors(answer)[0]?.pointer], body).toEqual([422, '']);
    }
    // Text between elements is kept nowhere: it is not taken as if it were.
    const stray = await xml(
      'PUT',
      '/resources/x',
      '<primitive id="x" class="lsb" type="z">\n<operations>every 10s</operations></primitive>',
    );
    expect([stray.status, errors(stray)]).toMatchObject([
      422,
      [{ pointer: '', line: 2, detail: expect.stringContaining('<operations> holds the text "every 10s"') as string }],
    ]);
    const whole = (await get('', { accept: 'application/xml' })).text.replace('<resources>', '<resources>\nstray');
    const refused = await xml('PUT', '', whole);
    expect([refused.status, errors(refused)[0]?.line]).toEqual([422, whole.split('\n').indexOf('stray') + 1]);
    expect(
      (await under.call('PATCH', `${at}/resources/x`, { headers: INSIST, raw: { type: 'application/xml', body: '<a/>' } })).status,
    ).toBe(415);
    expect((await xml('POST', '/resources/x/move', '<a/>')).status).toBe(415);
  });

  it('is validated elsewhere when it is large, and told the same of', async () => {
    const many = Array.from({ length: 1_100 }, (_, index) => `<primitive id="r${index}" class="lsb" type="x"/>`).join('');
    const large = await under.cluster(`large${count}`, CIB.replace('</resources>', `${many}</resources>`));
    const edit = (body: object): Promise<Answer> =>
      under.call('PATCH', `/v1/clusters/${large}/configuration/resources/r7`, { headers: INSIST, body });
    expect(changed(await edit({ description: 'x' }))).toEqual(['~ primitive r7']);
    const wrong = await edit({ operations: [{ name: 'monitor', interval: 'often' }] });
    expect([wrong.status, errors(wrong)[0]?.pointer]).toEqual([422, '/operations/0/interval']);
  });

  it('is changed once by a request that is sent again', async () => {
    const headers = { ...INSIST, 'idempotency-key': 'k1' };
    const first = await write('POST', '/resources', DB, headers);
    const again = await write('POST', '/resources', DB, headers);
    expect([again.status, again.json, again.headers.get('location')]).toEqual([201, first.json, first.headers.get('location')]);
    expect(await version()).toBe(2);
    expect((await write('POST', '/resources', DB)).status).toBe(422);
  });

  it.each<[unknown, string]>([
    [[], ''],
    ['x', ''],
    [null, ''],
    [{}, '/element'],
    [{ ...DB, element: 'constructor' }, '/element'],
    [{ ...DB, colour: 'red' }, '/colour'],
    [{ ...DB, id: 7 }, '/id'],
    [{ ...DB, id: 'a b' }, '/id'],
    [{ ...DB, id: 'web' }, '/id'],
    [{ ...DB, id: 'web-on-n1' }, '/id'],
    [{ ...DB, parent: 7 }, '/parent'],
    [{ ...DB, parent: 'nobody' }, '/parent'],
    [{ ...DB, description: '\u0000' }, '/description'],
    [{ ...DB, description: '\ud800' }, '/description'],
    [JSON.parse(`{"element":"primitive","id":"a","class":"lsb","type":"x","__proto__":{"a":"b"}}`), '/__proto__'],
    [{ ...DB, meta_attributes: { priority: 5 } }, '/meta_attributes/priority'],
    [{ ...DB, operations: [{ name: 'monitor', interval: 'often' }] }, '/operations/0/interval'],
  ])('refuses %j with the place, and changes nothing', async (body, pointer) => {
    const answer = await write('POST', '/resources', body);
    expect([answer.status, errors(answer).map((error) => error.pointer)]).toEqual([422, expect.arrayContaining([pointer]) as string[]]);
    expect(await version()).toBe(1);
  });

  it('refuses what is too deep, of other types, and of those who may not', async () => {
    const depth = 1_000;
    const deep = `{"element":"rsc_location","rsc":"web","rule":[${'{"rule":['.repeat(depth)}${']}'.repeat(depth)}]}`;
    const raw = { raw: { type: 'application/json', body: deep }, headers: INSIST };
    expect((await under.call('POST', `${at}/constraints`, raw)).status).toBe(422);
    expect((await under.call('PUT', `${at}/resources/web`, { raw: { type: 'text/plain', body: 'x' }, headers: INSIST })).status).toBe(415);
    expect(
      (await under.call('PATCH', `${at}/resources/web`, { raw: { type: 'application/jsonpath', body: '[]' }, headers: INSIST })).status,
    ).toBe(415);
    const token = await under.token('viewer', `viewer${count}`);
    expect((await under.call('DELETE', `${at}/resources/web`, { token, headers: INSIST })).status).toBe(403);
    expect((await under.call('PUT', `${at}/resources`, { headers: INSIST })).headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
    expect(await version()).toBe(1);
  });
});

function without(fields: Readonly<Record<string, string>>, name: string): object {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
}
