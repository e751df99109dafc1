import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

const SCHEMA = '/usr/share/pacemaker/api/api-result.rng';
const LINT = '/usr/bin/xmllint';
const XML = { headers: { accept: 'application/xml' } };

const primitive = (id: string, more = ''): string =>
  `<primitive id="${id}" class="ocf" provider="heartbeat" type="Dummy">${more}</primitive>`;
const CIB = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration>
  <crm_config><cluster_property_set id="o"><nvpair id="o1" name="fencing-enabled" value="false"/></cluster_property_set></crm_config>
  <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
  <resources>${primitive('web')}<group id="site">${primitive('ip')}${primitive('fs')}</group><clone id="c">${primitive('png')}</clone>
    <bundle id="b"><podman image="img:1" replicas="2"/><network ip-range-start="192.0.2.10"/>${primitive('app')}</bundle></resources>
  <constraints><rsc_location id="not2" rsc="web" node="n2" score="-INFINITY"/><rsc_ticket id="tk" rsc="web" ticket="T"/></constraints>
  <tags><tag id="t"><obj_ref id="fs"/><obj_ref id="2"/></tag><tag id="none"><obj_ref id="not2"/></tag></tags>
</configuration><status/></cib>`;

interface Shown {
  readonly nodes: readonly {
    readonly name: string;
    readonly standby: boolean;
    readonly wrong?: readonly string[];
    readonly lease?: object;
  }[];
  readonly resources: readonly { readonly id: string; readonly children: readonly { readonly id: string }[] }[];
}

describe('the status of a cluster, narrowed, of the past, and as XML', () => {
  let under: ApiUnderTest;
  let path: string;
  beforeAll(async () => {
    under = await apiUnderTest();
    const cluster = await under.cluster('forms', CIB);
    path = `/v1/clusters/${cluster}`;
    const token = await under.agent(cluster, 'n1');
    await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
  });
  afterAll(() => under.close());

  const get = (query = '', options = {}): Promise<Answer> => under.call('GET', `${path}/status${query}`, options);
  const shown = async (query: string): Promise<Shown> => (await get(query)).json as unknown as Shown;
  const ids = (resources: Shown['resources']): readonly string[] =>
    resources.flatMap(({ id, children }) => [id, ...children.map((child) => `${id}/${child.id}`)]);

  it('narrows to nodes, resources, tags and what is wrong, and counts the whole all the same', async () => {
    const whole = await get();
    expect(whole.json).toMatchObject({
      health: 'warn',
      counts: { nodes: { total: 2, online: 1, offline: 1 }, resources: { total: 13, failed: 0 } },
    });
    expect(whole.json).not.toHaveProperty('past');
    expect((await shown('?node=n2')).nodes).toMatchObject([{ name: 'n2', wrong: ['offline'] }]);
    const group = await get('?resource=fs&resource=c');
    expect(ids((group.json as unknown as Shown).resources)).toEqual(['site', 'site/fs', 'c', 'c/png:0', 'c/png:1']);
    expect(group.json['counts']).toEqual(whole.json['counts']);
    expect(ids((await shown('?resource=png')).resources)).toEqual(['c', 'c/png:0', 'c/png:1']);
    const tagged = await shown('?tag=t');
    expect(tagged.nodes.map(({ name }) => name)).toEqual(['n2']);
    const none = await shown('?tag=none');
    expect([none.nodes, none.resources]).toEqual([[], []]);
    expect((await shown('?wrong=true')).nodes.map(({ name }) => name)).toEqual(['n2']);
  });

  it.each([
    ['node', 'n3'],
    ['resource', 'wbe'],
    ['tag', 'u'],
  ])('refuses a %s that is not there', async (parameter, name) => {
    for (const options of [{}, XML]) {
      const refused = await get(`?${parameter}=${name}`, options);
      expect([refused.status, refused.json['errors']]).toEqual([404, [{ parameter, detail: `the cluster has no ${parameter} ${name}` }]]);
    }
  });

  it('shows bundles by replica', async () => {
    const [bundle] = (await shown('?resource=b')).resources;
    expect(bundle).toMatchObject({
      replicas: [
        { number: 0, activeOn: [], failed: false, ipAddress: '192.0.2.10', parts: { container: 'b-podman-0', connection: 'b-0' } },
        { number: 1, ipAddress: '192.0.2.11', parts: { container: 'b-podman-1', ip: 'b-ip-192.0.2.11' } },
      ],
    });
  });

  it('shows the past by version and by time, and says what is not known of it', async () => {
    const before = await get();
    const moment = new Date().toISOString();
    await sleep(20);
    await under.call('POST', `${path}/nodes/n1/commands/standby`, { body: { reason: 'later' } });
    const version = String(before.json['version']);
    for (const at of [version, moment]) {
      const past = await get(`?at=${at}`);
      expect(past.json).toMatchObject({
        version: Number(version),
        past: { unknown: expect.arrayContaining(['leases', 'workers']) as string[] },
      });
      const [node] = (past.json as unknown as Shown).nodes;
      expect(node).toMatchObject({ name: 'n1', standby: false });
      expect(node).not.toHaveProperty('lease');
      expect((await under.call('GET', `${path}/nodes/n1?at=${at}`)).json).toMatchObject({ standby: false });
      expect((await under.call('GET', `${path}/explanation?at=${at}`)).json).toMatchObject({ version: Number(version) });
      for (const part of ['nodes', 'nodes/n1/attributes', 'fail-counts', 'tickets', 'configuration'])
        expect((await under.call('GET', `${path}/${part}?at=${at}`)).status).toBe(200);
    }
    expect((await shown('')).nodes[0]).toMatchObject({ name: 'n1', standby: true });
    const both = await get(`?at=${version}&version=${version}`);
    expect([both.status, both.json['errors']]).toEqual([400, [{ parameter: 'at', detail: 'is not to be given together with version' }]]);
    expect((await get('?at=2001-01-01')).json).toMatchObject({ status: 404, detail: 'the cluster did not exist then' });
    expect((await get('?at=99999')).status).toBe(404);
    expect((await get('?at=yesterday')).status).toBe(400);
    expect((await get('?at=2999-01-01')).status).toBe(400);
    // By a clock that is a little ahead it is as it is now.
    const { past } = (await get(`?at=${new Date(Date.now() + 30_000).toISOString()}`)).json as unknown as {
      readonly past: { readonly at: string };
    };
    expect(Date.parse(past.at)).toBeLessThanOrEqual(Date.now());
  });

  it('is XML as crm_mon prints it, where that is asked for', async () => {
    await under.call('POST', `${path}/tickets/T/commands/grant`, { body: {} });
    const answer = await get('', XML);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
      200,
      'application/xml; charset=utf-8',
      expect.stringContaining('Accept') as string,
    ]);
    const [, version = 'none'] = /^"(\d+)_m[0-9a-f]+_gzip"$/.exec((await get()).headers.get('etag') ?? '') ?? [];
    expect(answer.headers.get('etag')).toMatch(new RegExp(`^"${version}_xml_m[0-9a-f]+_gzip"$`));
    expect(answer.text).toMatch(/^<pacemaker-result api-version="2.25" request="crm_mon --output-as=xml">\n/);
    for (const part of [
      '<ticket id="T" status="granted"',
      '<ban id="not2" resource="web" node="n2" weight="-1000000"',
      '<node name="n1" id="1" online="true" standby="true"',
      '<replica id="1">',
      '<last_change time="',
    ])
      expect(answer.text).toContain(part);
    if (existsSync(SCHEMA) && existsSync(LINT))
      execFileSync(LINT, ['--relaxng', SCHEMA, '--noout', '-'], { input: answer.text, stdio: 'pipe' });
    const narrowed = (await get('?resource=fs&node=n1', XML)).text;
    expect(narrowed).not.toContain('<resource id="web"');
    expect(narrowed).not.toContain('<node name="n2"');
    expect((await get('?at=1', XML)).text).toContain('<ticket id="T" status="revoked"');
    expect((await get('', { headers: { accept: 'text/html' } })).status).toBe(406);
  });
});
