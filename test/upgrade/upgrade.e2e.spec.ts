import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystoleClient } from '@systole/api-client';
import { EventStore } from '@systole/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { checkout, DemoCluster } from '@systole/examples';
import { freePort } from '@systole/queue/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executedActions } from '../e2e/executed-actions.js';
import { Programs } from './programs.js';
import { lastRelease, releasedCheckout } from './released-checkout.js';

/** Its packages may have to be fetched, and all of it is compiled. */
const MAKING_MS = 1_800_000;
const LEASE_MS = 10_000;
const ADMIN_TOKEN = 'an-admin-token-for-the-rolling-upgrade';

const release = lastRelease();

/**
 * docs/guide/upgrades.md, step by step, on a cluster that works meanwhile: apis, then workers, then agents, one after the other. Nothing is lost, moved or started again by it, and operators
 * are served by each mixture.
 */
describe(`a rolling upgrade from ${release.name}`, () => {
  let database: ScratchDatabase;
  let directory: string;
  let programs: Programs;
  let cluster: DemoCluster;
  const packaged = process.env['SYSTOLE_AGENT_PROGRAM'];
  const ports = { api1: 0, api2: 0, worker1: 0, worker2: 0 };
  let released: string;

  beforeAll(async () => {
    released = await releasedCheckout(release);
    directory = await mkdtemp(join(tmpdir(), 'systole-upgrade-'));
    database = await createScratchDatabase({ empty: true });
    for (const name of ['api1', 'api2', 'worker1', 'worker2'] as const) ports[name] = await freePort();
    programs = new Programs({ databaseUrl: database.url, adminToken: ADMIN_TOKEN, leaseMs: LEASE_MS });
    await programs.migrate(released);
    await programs.startApi('api1', released, ports.api1);
    await programs.startApi('api2', released, ports.api2);
    await programs.startWorker('worker1', released, ports.worker1);
    process.env['SYSTOLE_AGENT_PROGRAM'] = join(released, 'apps/agent/dist/main.js');
    const client = createSystoleClient({ baseUrl: url(2), token: ADMIN_TOKEN });
    cluster = await DemoCluster.create({ client, serverUrl: url(1), directory, flagsOf: () => ['--servers', url(2)] });
    await untilWell();
  }, MAKING_MS);

  afterAll(async () => {
    if (packaged === undefined) Reflect.deleteProperty(process.env, 'SYSTOLE_AGENT_PROGRAM');
    else process.env['SYSTOLE_AGENT_PROGRAM'] = packaged;
    await cluster.stop();
    await programs.stopAll();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  const url = (api: 1 | 2): string => `http://127.0.0.1:${String(ports[`api${api}`])}`;

  /** Every node is there, and every resource runs once. */
  async function untilWell(more: () => Promise<boolean> = () => Promise.resolve(true)): Promise<void> {
    for (;;) {
      const view = await cluster.view().catch(() => undefined);
      const well =
        view?.settled === true &&
        view.nodes.every(({ online, unclean }) => online && !unclean) &&
        view.resources.every(({ activeOn, failed }) => activeOn.length === 1 && !failed);
      if (well && (await more())) return;
      await sleep(500);
    }
  }

  /** Where each resource runs. */
  async function places(): Promise<Readonly<Record<string, string | undefined>>> {
    return Object.fromEntries((await cluster.view()).resources.map(({ id, activeOn }) => [id, activeOn[0]]));
  }

  async function runsOn(node: string): Promise<boolean> {
    return Object.values(await places()).includes(node);
  }

  /** What an operator asks is carried out, with whatever runs now. */
  async function steers(node: string): Promise<void> {
    await cluster.setStandby(node, true);
    await untilWell(async () => !(await runsOn(node)));
    await cluster.setStandby(node, false);
    await untilWell();
  }

  /** Updates something, and what runs runs on where it was: nothing was begun there, nobody lost. */
  async function quietly(update: () => Promise<void>): Promise<void> {
    const [version, before] = [await cluster.version(), await places()];
    await update();
    // Whoever would be taken for lost is so by then.
    await sleep(LEASE_MS + 2_000);
    await untilWell();
    expect(await places()).toEqual(before);
    const since = (await cluster.eventsAfter(version)).map(({ event }) => event);
    expect(since.filter(({ type }) => ['NodeLeaseLost', 'NodeLeft', 'FencingRequested', 'EpochBegan'].includes(type))).toEqual([]);
    const begun = since.flatMap((event) => (event.type === 'OperationRecorded' ? [event.data.operation] : []));
    expect(begun.filter((operation) => operation !== 'monitor')).toEqual([]);
  }

  it('of the apis leaves everything running, and old workers and agents work with new apis', { timeout: 600_000 }, async () => {
    for (const api of [1, 2] as const) {
      await quietly(async () => {
        await programs.stop(`api${api}`);
        await programs.startApi(`api${api}`, checkout, ports[`api${api}`]);
      });
    }
    await steers('alpha');
  });

  it('of the workers leaves everything running, and old agents work with new servers', { timeout: 600_000 }, async () => {
    await quietly(async () => {
      await programs.startWorker('worker2', checkout, ports.worker2);
      await programs.stop('worker1');
    });
    await steers('bravo');
  });

  it('of the agents leaves everything running, and old and new agents are in one cluster', { timeout: 900_000 }, async () => {
    if (packaged === undefined) throw new Error('no agent was packed: see test/servers/packages.ts');
    process.env['SYSTOLE_AGENT_PROGRAM'] = packaged;
    for (const node of cluster.nodes) {
      await quietly(async () => {
        node.kill();
        await node.whenDown();
        await node.startAgent();
      });
      if (node.name === 'alpha') await steers('bravo');
    }
    await steers('charlie');
  });

  it('keeps the log whole, and no action is carried out twice', async () => {
    expect(await new EventStore(database.pool).verifyChain()).toMatchObject({ intact: true });
    const executed = (await Promise.all(cluster.nodes.map((node) => executedActions(node.name, node.stateDirectory)))).flat();
    expect(executed.length).toBeGreaterThan(0);
    expect(new Set(executed).size).toBe(executed.length);
  });
});
