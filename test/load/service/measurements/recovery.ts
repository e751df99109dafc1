import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterSize } from '../../scheduler/clusters.js';
import { table } from '../../scheduler/report.js';
import { percentile } from '../../viewers/under-viewers.js';
import { emptyCib, nodeNames, orderedCib, orderedPairs, resourceName } from '../cibs.js';
import { FilledCluster } from '../filled-cluster.js';
import type { TraceEntry } from '../load-orders.js';
import { requireNoneLost } from '../lost-results.js';
import { beginning, ending, nameOf, onFreshServer, type Bench, type MeasurementOptions } from '../measurement.js';
import { momentsOf, stagesTable, wayOf, type Moments, type Way } from '../stages.js';

/** What one round saw. */
interface Recoveries {
  /** From a failed monitor's report to the arrival of the stop at the same agent. */
  readonly toStop: readonly Moments[];
  /** From a result's report to the arrival of the action that waited for it at another node. */
  readonly toDependent: readonly Moments[];
}

const TO_STOP = 'a failed monitor, to the stop at the same node';
const TO_DEPENDENT = 'a result, to the dependent action at another node';

const SIZES: readonly ClusterSize[] = [{ nodes: 16, resources: 500 }];
const SETTLED_WITHIN_MS = 1_800_000;
/** Failures a round. */
const FAILURES = 100;
const RECOVERED_WITHIN_MS = 60_000;
/** The next failure comes at no special moment after a recovery, and so late that plans need not be held back for their number (`planner.ts`); ms. */
const PAUSE_MS = { least: 1_200, most: 2_200 } as const;

/** A settled cluster in which one monitor after the other fails. */
export async function recovery(options: MeasurementOptions): Promise<readonly string[]> {
  const tables: string[] = [];
  for (const size of options.sizes ?? SIZES) {
    const rounds: Recoveries[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      rounds.push(await onFreshServer(options, (bench) => recoveries(bench, size)));
      console.log(`round ${round}:\n${tablesOf(size, rounds.slice(-1)).join('\n')}`);
    }
    tables.push(...tablesOf(size, rounds));
  }
  return tables;
}

function tablesOf(size: ClusterSize, rounds: readonly Recoveries[]): readonly string[] {
  const ways = { [TO_STOP]: rounds.flatMap(({ toStop }) => toStop), [TO_DEPENDENT]: rounds.flatMap(({ toDependent }) => toDependent) };
  const rows = Object.entries(ways).map(([name, moments]) => {
    const sorted = moments.map(({ arrived }) => arrived).sort((a, b) => a - b);
    return [name, String(sorted.length), ...[50, 90, 99, 100].map((percent) => percentile(sorted, percent).toFixed(0))];
  });
  return [table([`${nameOf(size)}, settled`, 'number', 'p50 ms', 'p90', 'p99', 'longest'], rows), stagesTable(nameOf(size), ways)];
}

async function recoveries(bench: Bench, size: ClusterSize): Promise<Recoveries> {
  const { served, load } = bench;
  const cluster = await FilledCluster.make(served, load, { name: 'recovery', cib: emptyCib(size), nodes: nodeNames(size) });
  await cluster.configure(orderedCib(size));
  await cluster.settled(SETTLED_WITHIN_MS);
  const minutes = (FAILURES * (PAUSE_MS.least + PAUSE_MS.most)) / 2 / 60_000;
  console.log(`${nameOf(size)} has settled; ${FAILURES} monitors fail one after the other, which takes some ${Math.ceil(minutes)} minutes`);
  const before = await beginning(bench);
  const places = await load.order('places', { cluster: cluster.id });
  const apart = orderedPairs(size.resources).filter(([first, then]) => places[first] !== places[then]);
  if (apart.length === 0) throw new Error('no two resources that depend on each other run on different nodes');
  const common = { cluster: cluster.id, withinMs: RECOVERED_WITHIN_MS };
  const toStop: Way[] = [];
  const toDependent: Way[] = [];
  for (let failure = 0; failure < FAILURES; failure++) {
    const [first, then] = apart[failure % apart.length] ?? ['', ''];
    // In turn one on which another one depends, and one that nothing depends on.
    if (failure % 2 === 0) {
      const trace = await load.order('fail', { ...common, resource: first, dependent: then });
      for (const [done, next, operation] of [
        [then, first, 'stop'],
        [first, then, 'start'],
      ] as const) {
        toDependent.push(wayOf(trace, find(trace, 'reported', done, operation), find(trace, 'received', next, operation), false));
      }
    } else {
      const resource = resourceName((failure * 10 + 5) % size.resources);
      const trace = await load.order('fail', { ...common, resource });
      toStop.push(wayOf(trace, find(trace, 'reported', resource, 'monitor'), find(trace, 'received', resource, 'stop'), true));
    }
    await sleep(PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least));
  }
  await cluster.settled(SETTLED_WITHIN_MS);
  await ending(bench, before);
  await requireNoneLost(served, load);
  return { toStop: await momentsOf(served, cluster.id, toStop), toDependent: await momentsOf(served, cluster.id, toDependent) };
}

/** The first such entry. @throws {Error} when that did not happen */
function find(trace: readonly TraceEntry[], what: TraceEntry['what'], resource: string, operation: string): TraceEntry {
  const found = trace.find((entry) => entry.what === what && entry.resource === resource && entry.operation === operation);
  if (found === undefined) throw new Error(`the ${operation} of ${resource} was not ${what}: ${JSON.stringify(trace)}`);
  return found;
}
