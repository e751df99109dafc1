import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient, unwrap, unwrapJson } from '@systole/api-client';
import { startEmbedded } from '@systole/embedded';
import { createScratchDatabase } from '@systole/event-store/testing';
import { DemoNode } from '@systole/examples';
import { ended, type Side } from './pacemaker-side.js';

const ADMIN_TOKEN = 'an-admin-token-for-the-comparison';
const PATIENCE_MS = 60_000;
/** All that tools on a node may be granted: as root of a node of Pacemaker's. */
const ALL_WRITES = 'own options placement tickets configuration fencing nodes';

/** Systole with three agents, node1 to node3; commands run with the tools that resource agents of node1 find. @param more variables of their environment */
export async function systoleSide(
  cib: string,
  more: Readonly<Record<string, string>>,
): Promise<Side & { readonly url: string; readonly token: string; readonly directory: string }> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    const directory = await mkdtemp(join(tmpdir(), 'systole-compare-'));
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    const database = await createScratchDatabase();
    cleanups.push(() => database.drop());
    const server = await startEmbedded({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: ADMIN_TOKEN });
    cleanups.push(() => server.stop());
    const client = createSystoleClient({ baseUrl: server.url, token: ADMIN_TOKEN });
    const granted = cib.replace(
      '</cluster_property_set>',
      `<nvpair id="cib-bootstrap-options-systole-agent-writes" name="systole-agent-writes" value="${ALL_WRITES}"/></cluster_property_set>`,
    );
    const made = unwrap(await client.POST('/v1/clusters', { body: { name: 'lab', cib: granted } }));
    if ('dryRun' in made) throw new Error('the cluster was only previewed');
    const nodes: DemoNode[] = [];
    for (const name of ['node1', 'node2', 'node3']) {
      const issued = unwrap(
        await client.POST('/v1/tokens', { body: { role: 'agent', cluster: made.id, node: name, name: `agent-${name}` } }),
      );
      const token = 'secret' in issued ? issued.secret : undefined;
      if (token === undefined) throw new Error(`no token for ${name}`);
      const of = join(directory, name);
      await mkdir(of, { recursive: true });
      const node = new DemoNode({ name, serverUrl: server.url, token, directory: of, pidDirectory: join(directory, 'pids') });
      cleanups.push(async () => {
        node.kill();
        await node.whenDown();
      });
      nodes.push(node);
      await node.start();
    }
    const settled = async (): Promise<boolean> => {
      const status = unwrapJson(await client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster: made.id } } }));
      return status.settled && status.nodes.every(({ online }) => online);
    };
    const until = Date.now() + PATIENCE_MS;
    while (!(await settled())) {
      if (Date.now() > until) throw new Error('the cluster did not come to rest');
      await sleep(100);
    }
    const run = join(directory, 'node1/run/systole-agent');
    const env = {
      ...{
        PATH: `${join(run, 'bin')}:/usr/bin:/bin`,
        SYSTOLE_AGENT_SOCKET: join(run, 'tools.sock'),
        LC_ALL: 'C',
        TZ: 'UTC',
        USER: 'root',
        LOGNAME: 'root',
        ...more,
      },
    };
    return { run: async (command) => ended('/bin/sh', ['-c', command], env), stop, url: server.url, token: ADMIN_TOKEN, directory };
  } catch (error) {
    await stop();
    throw error;
  }
}
