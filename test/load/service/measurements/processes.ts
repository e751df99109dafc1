import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, seconds, table } from '../../scheduler/report.js';
import { AgentsLoad } from '../agents-load.js';
import { emptyCib, nodeNames, plainCib } from '../cibs.js';
import { FilledCluster } from '../filled-cluster.js';
import { requireNoneLost } from '../lost-results.js';
import type { Bench, MeasurementOptions } from '../measurement.js';
import { startSeparately } from '../separate-processes.js';

interface Carried {
  readonly actions: number;
  readonly seconds: number;
  /** CPU time of all apis and workers, of PostgreSQL and of the agents, for an action, ms. Undefined where a process was killed: its time is not known. */
  readonly cpu: { readonly servers: number; readonly postgresql: number; readonly load: number } | undefined;
  /** Results that the agents were told are stored, all of which are in the log. */
  readonly stored: number;
}

/** A set-up; `killed`: one api and one worker of it are killed in the middle. */
interface SetUp {
  readonly each: number;
  readonly killed: boolean;
}

const SET_UPS: readonly SetUp[] = [
  { each: 1, killed: false },
  { each: 2, killed: false },
  { each: 2, killed: true },
];
const COSTS = ['apis and workers, CPU ms/action', 'PostgreSQL', 'agents'] as const;
const CLUSTERS = 16;
const EACH: ClusterSize = { nodes: 6, resources: 40 };
const SETTLED_WITHIN_MS = 1_800_000;
const LOOK_MS = 50;

/** Many clusters start cold at once, served by one api and one worker, by two of each, and by two of which one is killed in the middle. */
export async function processes({ rounds, clusters = CLUSTERS, sizes, profiles }: MeasurementOptions): Promise<readonly string[]> {
  const [each = EACH] = sizes ?? [];
  const rows: string[][] = [];
  let alone = Number.NaN;
  for (const setUp of SET_UPS) {
    const runs: Carried[] = [];
    for (let round = 1; round <= rounds; round++) {
      runs.push(await run(setUp, clusters, each, profiles));
      console.log(`${nameOf(setUp)}, round ${round}: ${JSON.stringify(runs.at(-1))}`);
    }
    const perSecond = median(runs.map((carried) => carried.actions / carried.seconds));
    if (setUp.each === 1) alone = perSecond;
    rows.push([
      nameOf(setUp),
      median(runs.map(({ actions }) => actions)).toFixed(0),
      seconds(median(runs.map((carried) => carried.seconds))),
      perSecond.toFixed(0),
      (perSecond / alone).toFixed(2),
      ...(['servers', 'postgresql', 'load'] as const).map((part) => costOf(runs, part)),
      median(runs.map(({ stored }) => stored)).toFixed(0),
    ]);
  }
  const what = `${clusters} clusters of ${each.nodes} × ${each.resources} start cold`;
  return [table([what, 'actions', 'seconds', 'actions/s', 'times that of one', ...COSTS, 'results stored, none lost'], rows)];
}

function costOf(runs: readonly Carried[], part: keyof NonNullable<Carried['cpu']>): string {
  const costs = runs.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu[part]]));
  return costs.length === 0 ? '–' : median(costs).toFixed(2);
}

function nameOf({ each, killed }: SetUp): string {
  return `${each} api, ${each} worker${killed ? '; one of each killed in the middle' : ''}`;
}

async function run({ each, killed }: SetUp, count: number, size: ClusterSize, profiles: string | undefined): Promise<Carried> {
  const served = await startSeparately({ apis: each, workers: each, ...(profiles === undefined ? {} : { profiles }) });
  const load = AgentsLoad.start();
  try {
    const carried = await carry({ served, load }, killed, count, size);
    return carried;
  } catch (error) {
    console.error(`the servers said:\n${served.log}`);
    throw error;
  } finally {
    await load.stop();
    await served.stop();
  }
}

async function carry({ served, load }: Bench, killed: boolean, count: number, size: ClusterSize): Promise<Carried> {
  const clusters: FilledCluster[] = [];
  for (let index = 0; index < count; index++) {
    const firstAddress = index * size.nodes;
    const cib = emptyCib(size);
    clusters.push(await FilledCluster.make(served, load, { name: `c${index}`, cib, nodes: nodeNames(size), firstAddress }));
  }
  for (const cluster of clusters) await cluster.settled(SETTLED_WITHIN_MS);
  const [before, cpuBefore] = await Promise.all([load.counts(), served.cpu()]);
  await served.noteProfiled('from');
  const begin = Date.now();
  const killing = killed ? killInTheMiddle({ served, load }, before.received, (count * size.nodes * size.resources) / 2) : undefined;
  await Promise.all(clusters.map((cluster) => cluster.configure(plainCib(size))));
  const ends: number[] = [];
  for (const cluster of clusters) ends.push(await cluster.settled(SETTLED_WITHIN_MS));
  await killing;
  const cpuAfter = await served.cpu();
  await served.noteProfiled('to');
  // Whose server was killed had to ask again; nobody else.
  const after = await load.counts(killed ? undefined : before);
  const stored = await requireNoneLost(served, load);
  const actions = after.received - before.received;
  const cpu = {
    servers: (cpuAfter.server - cpuBefore.server) / actions,
    postgresql: (cpuAfter.postgresql - cpuBefore.postgresql) / actions,
    load: (after.cpuMs - before.cpuMs) / actions,
  };
  return { actions, seconds: (Math.max(...ends) - begin) / 1_000, cpu: killed ? undefined : cpu, stored };
}

/** The api and the worker that were started last end without a word once so many actions more have arrived. */
async function killInTheMiddle({ served, load }: Bench, before: number, after: number): Promise<void> {
  while ((await load.counts()).received - before < after) await sleep(LOOK_MS);
  const { processes: all, urls } = served;
  await Promise.all([all[urls.length - 1]?.end('SIGKILL'), all.at(-1)?.end('SIGKILL')]);
}
