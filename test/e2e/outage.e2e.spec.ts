import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient } from '@systole/api-client';
import { createScratchDatabase } from '@systole/event-store/testing';
import { DemoCluster } from '@systole/examples';
import { afterEach, describe, expect, it } from 'vitest';
import { executedActions } from './executed-actions.js';
import { ServerProcesses } from './server-processes.js';

const LEASE_MS = 3_000;

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Lab {
  readonly servers: ServerProcesses;
  readonly cluster: DemoCluster;
}

/** The demonstration's cluster: three agents, a fence device that works. */
async function lab(): Promise<Lab> {
  const directory = await mkdtemp(join(tmpdir(), 'systole-outage-'));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  const database = await createScratchDatabase();
  cleanups.push(() => database.drop());
  const servers = await ServerProcesses.start({ databaseUrl: database.url, leaseMs: LEASE_MS });
  cleanups.push(() => servers.stop());
  const client = createSystoleClient({ baseUrl: servers.url, token: servers.adminToken });
  const cluster = await DemoCluster.create({ client, serverUrl: servers.url, directory });
  cleanups.push(() => cluster.stop());
  return { servers, cluster };
}

async function lost(cluster: DemoCluster): Promise<readonly string[]> {
  const types = (await cluster.eventsAfter(0)).map(({ event }) => event.type);
  return types.filter((type) => ['NodeLeaseLost', 'FencingRequested', 'FencingCompleted'].includes(type));
}

/** Every node is there, and every resource runs once. */
async function untilWell({ cluster, servers }: Lab): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const view = await cluster.view().catch(() => undefined);
    const well =
      view?.settled === true &&
      view.nodes.length === 3 &&
      view.nodes.every(({ online, unclean }) => online && !unclean) &&
      view.resources.every(({ activeOn, failed }) => activeOn.length === 1 && !failed);
    if (well) return;
    if (Date.now() > deadline) throw new Error(`not well: ${JSON.stringify(view)}\n${(await lost(cluster)).join()}\n${servers.log}`);
    await sleep(200);
  }
}

async function afterOutage(the: Lab, down: readonly ('api' | 'worker')[]): Promise<void> {
  await untilWell(the);
  for (const program of down) await the.servers.kill(program);
  await sleep(3 * LEASE_MS);
  await the.servers.startApi();
  if (down.includes('worker')) the.servers.startWorker();
  // The agents have a while to come back; by then whoever did not would be known.
  await sleep(4 * LEASE_MS);
  await untilWell(the);

  expect(await lost(the.cluster)).toEqual([]);
  const journaled = (await Promise.all(the.cluster.nodes.map((node) => executedActions(node.name, node.stateDirectory)))).flat();
  expect(journaled.length).toBeGreaterThan(0);
  expect(new Set(journaled).size, 'no action ran twice').toBe(journaled.length);
}

describe('an outage of the servers, longer than the leases', () => {
  it('of the api alone: nobody is lost, nothing is fenced', async () => {
    await afterOutage(await lab(), ['api']);
  });

  it('of api and worker: nobody is lost, nothing is fenced', async () => {
    await afterOutage(await lab(), ['api', 'worker']);
  });
});
