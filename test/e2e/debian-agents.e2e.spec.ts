import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient } from '@systole/api-client';
import { startEmbedded } from '@systole/embedded';
import { createScratchDatabase } from '@systole/event-store/testing';
import { DemoCluster, hasMountNamespaces } from '@systole/examples';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '@systole/queue/testing';

const installed = ['/usr/lib/ocf/resource.d/heartbeat/Dummy', '/usr/lib/ocf/resource.d/heartbeat/nginx', '/usr/sbin/nginx'].every((file) =>
  existsSync(file),
);

function cib(configFile: string): string {
  return `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
    <crm_config><cluster_property_set id="cps">
      <nvpair id="cps-f" name="stonith-enabled" value="false"/><nvpair id="cps-s" name="startup-fencing" value="false"/>
    </cluster_property_set></crm_config>
    <nodes><node id="1" uname="alpha"/><node id="2" uname="bravo"/><node id="3" uname="charlie"/></nodes>
    <resources>
      <primitive id="dummy" class="ocf" provider="heartbeat" type="Dummy">
        <operations><op id="dummy-monitor" name="monitor" interval="2s" timeout="20s"/></operations>
      </primitive>
      <primitive id="web" class="ocf" provider="heartbeat" type="nginx">
        <instance_attributes id="web-p">
          <nvpair id="web-p-httpd" name="httpd" value="/usr/sbin/nginx"/>
          <nvpair id="web-p-configfile" name="configfile" value="${configFile}"/>
        </instance_attributes>
        <operations>
          <op id="web-start" name="start" interval="0s" timeout="20s"/>
          <op id="web-monitor" name="monitor" interval="1s" timeout="20s"/>
        </operations>
      </primitive>
    </resources>
    <constraints><rsc_location id="web-on-bravo" rsc="web" node="bravo" score="100"/></constraints>
  </configuration></cib>`;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function until<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 40_000;
  for (;;) {
    const value = await attempt();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`${what}: not within 40 s`);
    await sleep(200);
  }
}

/** kill -9 of the master and its workers, which would go on to hold the port. */
async function killNginx(master: number | undefined): Promise<void> {
  if (master === undefined) return;
  const children = await readFile(`/proc/${master}/task/${master}/children`, 'utf8').catch(() => undefined);
  if (children === undefined) return;
  for (const pid of [
    master,
    ...children
      .trim()
      .split(' ')
      .filter((text) => text !== '')
      .map(Number),
  ])
    process.kill(pid, 'SIGKILL');
}

describe.skipIf(!installed || !hasMountNamespaces())("Debian's resource agents (resource-agents, nginx; needs mount namespaces)", () => {
  it('ocf:heartbeat:Dummy and ocf:heartbeat:nginx are started, monitored, recovered and moved', { timeout: 120_000 }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'systole-debian-'));
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    const httpPort = await freePort();
    const configFile = join(directory, 'nginx.conf');
    // /run is private to each node, so each node's pid file is its own.
    await writeFile(
      configFile,
      `pid /run/systole-test-nginx.pid;\nerror_log ${directory}/error.log;\nevents {}\nhttp {\n  access_log off;\n  server {\n    listen 127.0.0.1:${httpPort};\n    location / { return 200 "served\\n"; }\n  }\n}\n`,
    );
    const database = await createScratchDatabase();
    cleanups.push(() => database.drop());
    const systole = await startEmbedded({
      databaseUrl: database.url,
      port: 0,
      logLevel: 'silent',
      adminToken: 'an-admin-token-for-this-very-test',
    });
    cleanups.push(() => systole.stop());
    const client = createSystoleClient({ baseUrl: systole.url, token: 'an-admin-token-for-this-very-test' });
    const cluster = await DemoCluster.create({ client, serverUrl: systole.url, directory, cib: cib(configFile) });
    cleanups.push(() => cluster.stop());

    const place = (id: string, expected?: string) =>
      until(`${id} runs${expected === undefined ? '' : ` on ${expected}`}`, async () => {
        const view = await cluster.view();
        const nodes = view.resources.find((resource) => resource.id === id)?.activeOn ?? [];
        return nodes.length === 1 && view.settled && (expected === undefined || nodes[0] === expected) ? nodes[0] : undefined;
      });
    const serves = async (): Promise<boolean> => {
      const answer = await fetch(`http://127.0.0.1:${httpPort}/`).catch(() => undefined);
      return (await answer?.text()) === 'served\n';
    };
    const masterPid = async (node: string): Promise<number> =>
      Number(await readFile(join(directory, node, 'run', 'systole-test-nginx.pid'), 'utf8'));

    await place('dummy');
    await place('web', 'bravo');
    expect(await serves()).toBe(true);

    cleanups.push(async () => {
      for (const node of ['alpha', 'bravo', 'charlie']) await killNginx(await masterPid(node).catch(() => undefined));
    });
    const first = await masterPid('bravo');
    await killNginx(first);
    await until('the monitor notices and nginx is restarted', async () => {
      const view = await cluster.view();
      return view.resources.find(({ id }) => id === 'web')?.failCounts['bravo'] === '1' ? true : undefined;
    });
    await place('web', 'bravo');
    expect(await masterPid('bravo')).not.toBe(first);
    expect(await serves()).toBe(true);

    const second = await masterPid('bravo');
    await cluster.setStandby('bravo', true);
    const refuge = await until('web leaves bravo', async () => {
      const node = await place('web');
      return node === 'bravo' ? undefined : node;
    });
    expect(refuge).not.toBe('bravo');
    expect(existsSync(`/proc/${second}`), 'the stop operation really ended the first nginx').toBe(false);
    expect(await serves()).toBe(true);
  });
});
