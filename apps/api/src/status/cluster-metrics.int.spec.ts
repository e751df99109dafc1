import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, type ApiUnderTest } from '../testing/api-under-test.js';

const primitive = (id: string, more = ''): string =>
  `<primitive id="${id}" class="ocf" provider="heartbeat" type="Dummy">${more}</primitive>`;
const CIB = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration>
  <crm_config><cluster_property_set id="o"><nvpair id="o1" name="fencing-enabled" value="false"/></cluster_property_set></crm_config>
  <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
  <resources>${primitive('web')}<clone id="c">${primitive('png')}</clone>${primitive('left', '<meta_attributes id="m"><nvpair id="m1" name="is-managed" value="false"/></meta_attributes>')}</resources>
  <constraints><rsc_ticket id="tk" rsc="left" ticket="T"/></constraints>
</configuration><status/></cib>`;

describe('the metrics of one cluster', () => {
  let under: ApiUnderTest;
  let path: string;
  beforeAll(async () => {
    under = await apiUnderTest();
    const cluster = await under.cluster('shown', CIB);
    path = `/v1/clusters/${cluster}`;
    const token = await under.agent(cluster, 'n1');
    await under.call('POST', '/v1/agent/join', { token, body: { protocol: PROTOCOL, agentVersion: '1', bootId: 'b' } });
  });
  afterAll(() => under.close());

  /** What Prometheus reads, without the label of the cluster. */
  async function series(query = ''): Promise<ReadonlyMap<string, number>> {
    const answer = await under.call('GET', `${path}/metrics${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const lines = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of lines) expect(line).toContain('cluster="shown"');
    return new Map(
      lines.map((line) => {
        const [, name = '', labels = '', value = ''] = /^(\w+)\{cluster="shown",?(.*)\} (\S+)$/.exec(line) ?? [];
        return [labels === '' ? name : `${name}{${labels}}`, Number(value)];
      }),
    );
  }

  it('say what the status says', async () => {
    const status = (await under.call('GET', `${path}/status`)).json;
    const shown = await series();
    const codes = (status['troubles'] as readonly { readonly code: string; readonly level: string }[]).map(
      ({ code, level }) => `systole_cluster_troubles{code="${code}",level="${level}"}`,
    );
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect([code, shown.get(code)]).toEqual([code, 1]);
    expect(Object.fromEntries(shown)).toMatchObject({
      [`systole_cluster_health{health="${String(status['health'])}"}`]: 1,
      'systole_cluster_health{health="good"}': 0,
      systole_cluster_version: status['version'],
      systole_cluster_settled: 0,
      'systole_cluster_nodes{state="online"}': 1,
      'systole_cluster_nodes{state="offline"}': 1,
      'systole_cluster_nodes{state="unclean"}': 0,
      'systole_cluster_resources{role="Stopped",managed="true"}': 0,
      'systole_cluster_resources{role="Unknown",managed="true"}': 3,
      'systole_cluster_resources{role="Unknown",managed="false"}': 1,
      'systole_cluster_resources{role="Promoted",managed="true"}': 0,
      systole_cluster_fencing_pending: 0,
      systole_cluster_transition_running: 0,
      systole_cluster_plan_due: 1,
      'systole_cluster_ticket_granted{ticket="T"}': 0,
      'systole_cluster_series_left_off{metric="systole_cluster_fail_count"}': 0,
    });
    expect([...shown.keys()].filter((name) => /_(node|resource)_state/.test(name))).toEqual([]);
  });

  it('name nodes and resources for who asks for that', async () => {
    const shown = await series('?named=true');
    expect(Object.fromEntries(shown)).toMatchObject({
      'systole_cluster_node_state{node="n1",kind="cluster",state="online"}': 1,
      'systole_cluster_node_state{node="n2",kind="cluster",state="offline"}': 1,
      'systole_cluster_resource_state{resource="left",node="",role="Unknown",managed="false",state="unknown"}': 1,
    });
  });

  it('are for who may see the cluster', async () => {
    expect((await under.call('GET', `${path}/metrics`, { token: null })).status).toBe(401);
    expect((await under.call('GET', '/v1/clusters/other/metrics')).status).toBe(404);
    expect((await under.call('GET', `${path}/metrics?named=perhaps`)).status).toBe(400);
  });
});
