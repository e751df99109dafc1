import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

interface Finding {
  readonly kind: string;
  readonly level: string;
  readonly subject: string;
  readonly path: string;
  readonly suggestion?: string;
  readonly isNew?: boolean;
}

const XML = 'application/xml';
const INSIST = { 'if-match': '*' };
const pairs = (...all: readonly (readonly [name: string, value: string])[]): string =>
  all.map(([name, value], index) => `<nvpair id="f${String(index)}" name="${name}" value="${value}"/>`).join('');
const withOptions = (...all: readonly (readonly [name: string, value: string])[]): string =>
  CIB.replace(
    /<crm_config>.*<\/crm_config>/s,
    `<crm_config><cluster_property_set id="cib-bootstrap-options">${pairs(...all)}</cluster_property_set></crm_config>`,
  );
const MISSPELT = withOptions(['stonith-enabld', 'false'], ['no-quorum-policy', 'freze'], ['enable-acl', 'true']);

describe('what is surely not meant in a configuration', () => {
  let under: ApiUnderTest;
  let cluster: string;
  let count = 0;
  beforeAll(async () => {
    under = await apiUnderTest();
  });
  afterAll(() => under.close());
  beforeEach(async () => {
    count++;
    cluster = `/v1/clusters/${await under.cluster(`f${count}`, CIB)}`;
  });

  const put = (body: string, query = ''): Promise<Answer> =>
    under.call('PUT', `${cluster}/cib${query}`, { headers: INSIST, raw: { type: XML, body } });
  const patch = (body: unknown, query = ''): Promise<Answer> =>
    under.call('PATCH', `${cluster}/configuration/resources/web${query}`, {
      headers: INSIST,
      raw: { type: 'application/merge-patch+json', body: JSON.stringify(body) },
    });
  const version = async (): Promise<unknown> => (await under.call('GET', cluster)).json['version'];
  const told = ({ json }: Answer): readonly string[] =>
    (json['errors'] as readonly { finding?: string; detail: string; standing?: boolean }[]).map(
      ({ finding = '', detail, standing }) => `${finding}${standing === true ? ' (standing)' : ''} ${detail}`,
    );
  const findings = (json: Readonly<Record<string, unknown>>): readonly Finding[] => (json['findings'] as { items: Finding[] }).items;
  const status = async (): Promise<Readonly<Record<string, unknown>>> => (await under.call('GET', `${cluster}/status`)).json;

  it('is refused, all of it at once, with place and advice, also in a dry run; nothing is recorded', async () => {
    for (const query of ['', '?dryRun=true']) {
      const answer = await put(MISSPELT, query);
      expect([answer.status, answer.json['type']]).toEqual([422, 'https://systole.dev/problems/doubtful-configuration']);
      expect(answer.json['detail']).toContain('force=true');
      expect(answer.json['errors']).toEqual([
        {
          line: expect.any(Number) as number,
          path: "/cib/configuration/crm_config/cluster_property_set[@id='cib-bootstrap-options']/nvpair[@id='f0']",
          element: 'nvpair',
          finding: 'unknown-name',
          suggestion: 'stonith-enabled',
          detail: 'stonith-enabld is not known: did you mean stonith-enabled?; meanwhile it has no effect',
        },
        expect.objectContaining({ finding: 'unreadable-value', suggestion: 'freeze' }),
        expect.objectContaining({
          finding: 'not-done',
          detail: expect.stringMatching(/^enable-acl: .*tokens and their roles: leave it out/) as string,
        }),
      ]);
    }
    expect(await version()).toBe(1);
  });

  it('is a name that looks like another one, and a fencing level that is there already', async () => {
    const node = await under.call('POST', `${cluster}/configuration/nodes`, {
      headers: INSIST,
      body: { element: 'node', id: '3', uname: 'n1\u200b' },
    });
    expect([node.status, told(node)[0]]).toEqual([422, expect.stringMatching(/^unseen-character uname: "n1\\u\{200b\}" holds U\+200B/)]);
    const level = { element: 'fencing-level', target: 'n1', index: '1', devices: 'fence' };
    const add = (query = ''): Promise<Answer> =>
      under.call('POST', `${cluster}/configuration/fencing-levels${query}`, { headers: INSIST, body: level });
    expect((await add()).status).toBe(201);
    const again = await add();
    expect([again.status, told(again)[0]]).toEqual([422, expect.stringContaining('is there already')]);
    expect((await add('?force=true')).status).toBe(201);
  });

  it('is taken when it is forced; who forced what is recorded, and the status goes on telling', async () => {
    const answer = await put(MISSPELT, '?force=true&reason=later');
    expect(answer.status).toBe(200);
    expect(findings(answer.json).map(({ kind, level, isNew }) => [kind, level, isNew])).toEqual([
      ['unknown-name', 'error', true],
      ['unreadable-value', 'error', true],
      ['not-done', 'error', true],
    ]);
    const events = await under.call('GET', `${cluster}/events?type=ConfigurationChanged`);
    expect(events.json).toMatchObject({
      items: [
        {
          actor: 'user:admin',
          data: {
            reason: 'later',
            forced: { count: 3, findings: [{ message: expect.stringContaining('stonith-enabld') as string }, {}, {}] },
          },
        },
      ],
    });
    const after = await status();
    expect(after).toMatchObject({ findings: { count: 3 } });
    expect(findings(after).map(({ kind, suggestion }) => [kind, suggestion])).toEqual([
      ['unknown-name', 'stonith-enabled'],
      ['unreadable-value', 'freeze'],
      ['not-done', undefined],
    ]);
    expect(JSON.stringify(after['messages'])).not.toContain('stonith-enabld');
    expect((await under.call('GET', `${cluster}/status?version=1`)).json).toMatchObject({ findings: { count: 0, items: [] } });
  });

  it('that is there already keeps nobody from another change, but is told with what is new', async () => {
    await put(MISSPELT, '?force=true');
    const other = await patch({ description: 'x' });
    expect(other.status).toBe(200);
    expect(other.json['findings']).toMatchObject({ count: 3 });
    expect(findings(other.json).some(({ isNew }) => isNew)).toBe(false);
    expect(JSON.stringify(other.json['events'])).not.toContain('forced');
    const refused = await patch({ meta_attributes: { 'target-role': 'Startd' } });
    expect(refused.status).toBe(422);
    expect(told(refused)).toEqual([
      expect.stringMatching(/^unreadable-value target-role: "Startd"/),
      expect.stringMatching(/^unknown-name \(standing\) stonith-enabld/),
      expect.stringMatching(/^unreadable-value \(standing\) no-quorum-policy/),
      expect.stringMatching(/^not-done \(standing\) enable-acl/),
    ]);
    expect(refused.json['errors']).toMatchObject([{ pointer: '/meta_attributes/target-role' }, {}, {}, {}]);
  });

  it('is refused by element, in batches and at the creation of a cluster, unless it is forced', async () => {
    const element = {
      element: 'primitive',
      id: 'db',
      class: 'ocf',
      provider: 'systole',
      type: 'Dummy',
      operations: [{ name: 'moniter', interval: '10s' }],
    };
    const create = (query: string): Promise<Answer> =>
      under.call('POST', `${cluster}/configuration/resources${query}`, { headers: INSIST, body: element });
    const batch = (query: string): Promise<Answer> =>
      under.call('POST', `${cluster}/configuration/batch${query}`, {
        headers: INSIST,
        body: { edits: [{ edit: 'patch', collection: 'rsc-defaults', patch: { meta_attributes: { 'resource-stickines': '1' } } }] },
      });
    const make = (query: string): Promise<Answer> =>
      under.call('POST', `/v1/clusters${query}`, { body: { name: `made${count}`, cib: MISSPELT } });
    for (const [write, done] of [
      [create, 201],
      [batch, 200],
      [make, 201],
    ] as const) {
      const refused = await write('');
      expect([refused.status, refused.json['type']]).toEqual([422, 'https://systole.dev/problems/doubtful-configuration']);
      const dry = await write('?dryRun=true&force=true');
      expect([dry.status, findings(dry.json)[0]?.isNew]).toEqual([200, true]);
      const forced = await write('?force=true');
      expect([forced.status, findings(forced.json).length > 0]).toEqual([done, true]);
    }
    const { json } = await under.call('GET', `/v1/clusters/made${count}/events`);
    expect(json).toMatchObject({ items: [{ type: 'ClusterCreated', actor: 'user:admin', data: { forced: { count: 3 } } }] });
  });

  it('is told together with what is not valid, which force does not take', async () => {
    const answer = await put(MISSPELT.replace('interval="10s"', 'interval="often"'), '?force=true');
    expect([answer.status, answer.json['type']]).toEqual([422, 'https://systole.dev/problems/invalid-configuration']);
    expect(told(answer)).toEqual([
      expect.stringContaining('often'),
      expect.stringContaining('stonith-enabld'),
      expect.stringContaining('freze'),
      expect.stringContaining('enable-acl'),
    ]);
  });

  it('is named by fifties, however much there is', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ['stonith-enabld', String(index)] as const);
    await put(withOptions(...many), '?force=true');
    const { findings: shown } = (await status()) as { findings: { count: number; items: readonly unknown[] } };
    expect([shown.count, shown.items.length]).toEqual([300, 50]);
  });
});
