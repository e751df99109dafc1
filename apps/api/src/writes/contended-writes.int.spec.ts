import { setTimeout as sleep } from 'node:timers/promises';
import { PROTOCOL } from '@systole/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, type Answer, type ApiUnderTest } from '../testing/api-under-test.js';

const PRIMITIVES = 3_000;
const NODES = ['n1', 'n2'];
/** Requests of each node at a time, and the pause after each, ms: as many as its token may send for good. */
const AT_ONCE = 3;
const EACH_MS = 40;

/** With primitives that all have other names in each. */
function cib(prefix: string): string {
  const nodes = NODES.map((node, index) => `<node id="${String(index + 1)}" uname="${node}"/>`).join('');
  const primitives = Array.from(
    { length: PRIMITIVES },
    (_, index) => `<primitive id="${prefix}${String(index)}" class="ocf" provider="systole" type="Dummy"/>`,
  );
  return `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config>
    <cluster_property_set id="o"><nvpair id="o-m" name="maintenance-mode" value="true"/></cluster_property_set>
    </crm_config><nodes>${nodes}</nodes><resources>${primitives.join('')}</resources><constraints/></configuration><status/></cib>`;
}

describe('large configurations that are put', () => {
  let under: ApiUnderTest;
  let id: string;
  let agents: readonly { readonly token: string; readonly incarnation: number }[];

  beforeAll(async () => {
    under = await apiUnderTest({ operatorsApart: true });
    id = await under.cluster('contended');
    agents = await Promise.all(
      NODES.map(async (node) => {
        const token = await under.agent(id, node);
        const body = { protocol: PROTOCOL, agentVersion: '1', bootId: node };
        const joined = await under.call('POST', '/v1/agent/join', { token, body });
        return { token, incarnation: Number(joined.json['incarnation']) };
      }),
    );
  }, 60_000);
  afterAll(() => under.close());

  const put = (prefix: string): Promise<Answer> =>
    under.call('PUT', `/v1/clusters/${id}/cib`, { headers: { 'if-match': '*' }, raw: { type: 'application/xml', body: cib(prefix) } });

  it('take place though nodes set attributes as fast as their budgets let them, and what those report is acknowledged', async () => {
    expect((await put('a')).status).toBe(200);
    const noise = new AbortController();
    const statuses = new Map<number, number>();
    const tookMs: number[] = [];
    const flooding = Array.from({ length: AT_ONCE }, () => agents).flat();
    const floods = flooding.map(async ({ token, incarnation }, flood) => {
      for (let count = 0; !noise.signal.aborted; count++) {
        const begun = performance.now();
        const changes = [{ name: `unread-${String(flood)}`, value: String(count), lifetime: 'reboot' }];
        const { status } = await under.call('POST', '/v1/agent/attributes', { token, body: { incarnation, changes } });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        tookMs.push(performance.now() - begun);
        await sleep(EACH_MS);
      }
    });
    const puts: string[] = [];
    const quiet = Promise.all(floods);
    try {
      for (const prefix of ['b', 'c', 'd']) {
        const begun = performance.now();
        const { status, text } = await put(prefix);
        puts.push(status === 200 ? 'in time' : text);
        expect(performance.now() - begun).toBeLessThan(8_000);
      }
    } finally {
      noise.abort();
      await quiet;
    }
    expect(puts).toEqual(['in time', 'in time', 'in time']);
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(statuses.get(200)).toBeGreaterThan(20);
    const sorted = tookMs.sort((a, b) => a - b);
    expect(sorted[Math.floor(0.99 * sorted.length)]).toBeLessThan(8_000);
    const { text } = await under.call('GET', `/v1/clusters/${id}/cib`, { headers: { accept: 'application/xml' } });
    expect(text).toContain(`id="d${String(PRIMITIVES - 1)}"`);
  }, 90_000);
});
