import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSystoleClient, unwrap } from '@systole/api-client';
import { createScratchDatabase } from '@systole/event-store/testing';
import { checkout } from '@systole/examples';
import { PROTOCOL } from '@systole/protocol';
import { freePort } from '@systole/queue/testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ServerProcesses } from './server-processes.js';

const FOLDER = join(checkout, 'deploy/monitoring');
const CIB =
  '<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes><resources/><constraints/></configuration><status/></cib>';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}

const read = (file: string): Promise<string> => readFile(join(FOLDER, file), 'utf8');

/** Names of metrics in expressions. */
function metricsIn(expressions: readonly string[]): ReadonlySet<string> {
  return new Set(expressions.flatMap((expression) => expression.match(/\bsystole_\w+/g) ?? []));
}

/** What may be asked for of what an answer declares. */
function declaredIn(text: string): readonly string[] {
  return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  );
}

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Has an agent of n1 join. */
async function joinNode(client: ReturnType<typeof createSystoleClient>, url: string): Promise<void> {
  const issued = unwrap(await client.POST('/v1/tokens', { body: { role: 'agent', cluster: 'prod', node: 'n1', name: 'n1' } }));
  if (!('secret' in issued)) throw new Error('no secret came with the token');
  const joined = await fetch(`${url}/v1/agent/join`, {
    method: 'POST',
    headers: { authorization: `Bearer ${issued.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ protocol: PROTOCOL, agentVersion: '1.0', bootId: 'one' }),
  });
  expect(joined.status).toBe(200);
}

describe('the alert rules and the dashboard', () => {
  it('name only metrics that an api, a worker and a cluster really show', async () => {
    const rules = parse(await read('alerts.yml')) as Rules;
    const dashboard = JSON.parse(await read('dashboard.json')) as Dashboard;
    const ofRules = metricsIn(rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)));
    const ofDashboard = metricsIn([
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...dashboard.templating.list.map(({ query }) => query),
    ]);
    expect(Math.min(ofRules.size, ofDashboard.size)).toBeGreaterThan(15);

    const database = await createScratchDatabase();
    const healthPort = await freePort();
    const servers = await ServerProcesses.start({ databaseUrl: database.url, settings: { HEALTH_PORT: String(healthPort) } });
    try {
      const client = createSystoleClient({ baseUrl: servers.url, token: servers.adminToken });
      const made = await client.POST('/v1/clusters', { body: { name: 'prod', cib: CIB } });
      expect([made.response.status, made.error]).toEqual([201, undefined]);
      const text = async (url: string): Promise<string> => {
        const answer = await fetch(url, { headers: { authorization: `Bearer ${servers.adminToken}` } });
        return answer.text();
      };
      await expect.poll(() => text(`http://127.0.0.1:${String(healthPort)}/metrics`).catch(() => ''), { timeout: 30_000 }).not.toBe('');
      await joinNode(client, servers.url);
      const ofCluster = `${servers.url}/v1/clusters/prod/metrics?named=true`;
      // Votes are counted when a node has joined.
      await expect.poll(() => text(ofCluster), { timeout: 30_000 }).toContain('systole_cluster_quorate');
      const answers = [
        await text(`${servers.url}/metrics`),
        await text(`http://127.0.0.1:${String(healthPort)}/metrics`),
        await text(ofCluster),
      ];
      const shown = new Set(answers.flatMap(declaredIn));
      expect([...ofRules, ...ofDashboard].filter((name) => !shown.has(name))).toEqual([]);
    } finally {
      await servers.stop();
      await database.drop();
    }
  });

  it.skipIf(!hasPromtool())('are taken by Prometheus, and fire when they should (promtool of the Debian package prometheus)', () => {
    const promtool = (...args: readonly string[]): string => execFileSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
    expect(promtool('check', 'rules', 'alerts.yml')).toMatch(/SUCCESS: \d+ rules found/);
    expect(promtool('check', 'config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS');
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });
});
