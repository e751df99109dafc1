import { rm } from 'node:fs/promises';
import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, seconds, table } from '../../scheduler/report.js';
import { sendOk } from '../../viewers/api-calls.js';
import { AgentsLoad } from '../agents-load.js';
import { nodeNames, plainCib } from '../cibs.js';
import { FilledCluster } from '../filled-cluster.js';
import { lengthenLogs } from '../long-log.js';
import type { MeasurementOptions } from '../measurement.js';
import { newDirectory, Served } from '../served.js';

const CLUSTERS = 200;
const EVENTS = 1_000_000;
const EACH: ClusterSize = { nodes: 3, resources: 10 };
const SETTLED_WITHIN_MS = 3_600_000;

/** From the start of the process until it is ready, on a long log: when it finds events that were written while it did not run, and from then on. */
export async function startOnLongLog({ rounds, clusters = CLUSTERS, profiles }: MeasurementOptions): Promise<readonly string[]> {
  const events = Math.round((EVENTS * clusters) / CLUSTERS);
  const directory = newDirectory();
  try {
    const made = await makeClusters(directory, clusters);
    await lengthenLogs(directory, made, events / clusters);
    const first = await ready({ directory }, made);
    const again: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      again.push(await ready({ directory, ...(profiles === undefined ? {} : { profiles }) }, made));
      console.log(`start ${round}: ready after ${String(again.at(-1))} s`);
    }
    const row = [`${events} events, ${clusters} clusters`, seconds(first), seconds(median(again)), seconds(await readyOnEmptyLog())];
    return [table(['start on a log of', 's until ready, the log was written meanwhile', 'again', 'on an empty log'], [row])];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function makeClusters(directory: string, count: number): Promise<readonly string[]> {
  const served = await Served.start({ directory });
  const load = AgentsLoad.start();
  try {
    const made: FilledCluster[] = [];
    for (let index = 0; index < count; index++) {
      const firstAddress = index * EACH.nodes;
      made.push(await FilledCluster.make(served, load, { name: `c${index}`, cib: plainCib(EACH), nodes: nodeNames(EACH), firstAddress }));
    }
    for (const cluster of made) await cluster.settled(SETTLED_WITHIN_MS);
    return made.map(({ id }) => id);
  } finally {
    await load.stop();
    await served.stop();
  }
}

/** What a start takes by itself. @returns seconds */
async function readyOnEmptyLog(): Promise<number> {
  const directory = newDirectory();
  try {
    // The first one makes the database.
    await (await Served.start({ directory })).stop();
    const served = await Served.start({ directory });
    await served.stop();
    return served.readyAfterMs / 1_000;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** @returns seconds @throws {Error} when the server says that it is ready and can't show a cluster */
async function ready(options: { readonly directory: string; readonly profiles?: string }, clusters: readonly string[]): Promise<number> {
  const served = await Served.start(options);
  try {
    await sendOk(served.url, 'GET', `/v1/clusters/${clusters.at(-1) ?? ''}/status`, served.adminToken);
    return served.readyAfterMs / 1_000;
  } finally {
    await served.stop();
  }
}
