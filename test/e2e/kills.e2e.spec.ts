import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSystoleClient } from '@systole/api-client';
import { createScratchDatabase } from '@systole/event-store/testing';
import { DemoCluster } from '@systole/examples';
import { startOwnRedis, type OwnServer } from '@systole/queue/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { executedActions } from './executed-actions.js';
import { ServerProcesses } from './server-processes.js';

const ocfRoot = fileURLToPath(new URL('agents/ocf', import.meta.url));
const RESOURCES = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'];

/** Six resources, each started after the one before, one second each: a transition with a middle. */
function chainCib(record: string): string {
  const primitive = (id: string): string => `<primitive id="${id}" class="ocf" provider="test" type="Recorded">
    <instance_attributes id="${id}-p"><nvpair id="${id}-p-record" name="record" value="${record}"/></instance_attributes>
    <operations><op id="${id}-monitor" name="monitor" interval="30s"/></operations>
  </primitive>`;
  const order = RESOURCES.slice(1).map((then, index) => `<rsc_order id="o-${then}" first="${RESOURCES[index] ?? ''}" then="${then}"/>`);
  return `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration>
    <crm_config><cluster_property_set id="cps">
      <nvpair id="cps-f" name="stonith-enabled" value="false"/><nvpair id="cps-s" name="startup-fencing" value="false"/>
    </cluster_property_set></crm_config>
    <nodes><node id="1" uname="alpha"/><node id="2" uname="bravo"/><node id="3" uname="charlie"/></nodes>
    <resources>${RESOURCES.map(primitive).join('')}</resources>
    <constraints>${order.join('')}</constraints>
  </configuration></cib>`;
}

interface Lab {
  readonly servers: ServerProcesses;
  readonly redis: OwnServer;
  readonly cluster: DemoCluster;
  readonly record: string;
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function lab(): Promise<Lab> {
  const directory = await mkdtemp(join(tmpdir(), 'systole-kills-'));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  const database = await createScratchDatabase();
  cleanups.push(() => database.drop());
  const redis = await startOwnRedis();
  cleanups.push(() => redis.dispose());
  const servers = await ServerProcesses.start({ databaseUrl: database.url, redisUrl: redis.url, leaseMs: 30_000 });
  cleanups.push(() => servers.stop());
  const record = join(directory, 'record');
  const client = createSystoleClient({ baseUrl: servers.url, token: servers.adminToken });
  const cluster = await DemoCluster.create({ client, serverUrl: servers.url, directory, cib: chainCib(record), ocfRoots: [ocfRoot] });
  cleanups.push(() => cluster.stop());
  return { servers, redis, cluster, record };
}

const recorded = async (record: string): Promise<string[]> =>
  (await readFile(record, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

async function untilStarted({ record }: Lab, resource: string): Promise<void> {
  while (!(await recorded(record)).includes(`start ${resource}`)) await sleep(50);
}

async function untilSettled({ cluster, servers }: Lab): Promise<Readonly<Record<string, readonly string[]>>> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const view = await cluster.view().catch(() => undefined);
    if (view?.settled === true && view.resources.every(({ activeOn }) => activeOn.length === 1)) {
      return Object.fromEntries(view.resources.map(({ id, activeOn }) => [id, activeOn]));
    }
    if (Date.now() > deadline) throw new Error(`not settled: ${JSON.stringify(view)}\n${servers.log}`);
    await sleep(200);
  }
}

async function check(the: Lab): Promise<Readonly<Record<string, readonly string[]>>> {
  const placement = await untilSettled(the);
  expect(await recorded(the.record), 'what the resource agent itself saw: each start once, in order').toEqual(
    RESOURCES.map((id) => `start ${id}`),
  );

  const events = await the.cluster.operationsAfter(0);
  const reported = events.flatMap(({ actionId, operation, node }) => (actionId === undefined ? [] : [`${node} ${operation} ${actionId}`]));
  expect(new Set(reported).size, 'no action has two results').toBe(reported.length);
  const journaled = (await Promise.all(the.cluster.nodes.map(async (node) => executedActions(node.name, node.stateDirectory)))).flat();
  expect(journaled.toSorted(), 'the journals and the events tell of the same actions').toEqual(reported.toSorted());
  return placement;
}

describe('kill -9 in the middle of a transition', () => {
  it('of the worker, the api and Redis: it ends as it would have, and nothing ran twice', { timeout: 180_000 }, async () => {
    const undisturbed = await lab();
    const expected = await check(undisturbed);
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();

    const the = await lab();
    await untilStarted(the, 'r1');
    await the.servers.kill('worker');
    await sleep(1_500);
    the.servers.startWorker();

    await untilStarted(the, 'r3');
    await the.servers.kill('api');
    await sleep(1_500);
    await the.servers.startApi();

    await untilStarted(the, 'r5');
    await the.redis.kill();
    await sleep(1_500);
    await the.redis.start();

    expect(await check(the)).toEqual(expected);
  });
});
