import { setTimeout as sleep } from 'node:timers/promises';
import { serializeXml } from '@systole/cib';
import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, seconds, table } from '../../scheduler/report.js';
import { sendOk } from '../../viewers/api-calls.js';
import { emptyCib, nodeNames, plainCib } from '../cibs.js';
import { FilledCluster } from '../filled-cluster.js';
import { nameOf, onFreshServer, type Bench, type MeasurementOptions } from '../measurement.js';
import { longestPause, type Served } from '../served.js';

/** Settled, with agents, beside the large one: what leases hang on goes on all the while. */
const BESIDE: ClusterSize = { nodes: 8, resources: 100 };
const LARGE: readonly ClusterSize[] = [{ nodes: 3, resources: 10_000 }];
const SETTLED_WITHIN_MS = 600_000;
/** How often everything is asked for; what was never asked before is compiled the first time. */
const TIMES = 3;
const FOLDED_AFTER_MS = 500;

/** What was asked for, and what it came to each time. */
interface Asked {
  readonly what: string;
  readonly tookMs: number;
  /** Longest pauses meanwhile of the thread that serves agents, and of that which serves operators; ms. */
  readonly main: number;
  readonly operators: number;
}

/** A configuration of so many resources is put, read, tried and shown: how long that takes, and for how long threads come to nothing else. */
export async function largeConfiguration(options: MeasurementOptions): Promise<readonly string[]> {
  const tables: string[] = [];
  for (const size of options.sizes ?? LARGE) {
    const asked: Asked[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      asked.push(...(await onFreshServer(options, (bench) => askFor(bench, size))));
      console.log(`${nameOf(size)}, round ${round}: ${JSON.stringify(asked.slice(-7))}`);
    }
    const rows = [...new Set(asked.map(({ what }) => what))].map((what) => {
      const all = asked.filter((one) => one.what === what);
      const longest = (of: (one: Asked) => number): string => Math.max(...all.map(of)).toFixed(0);
      return [
        what,
        seconds(median(all.map(({ tookMs }) => tookMs / 1_000))),
        longest(({ main }) => main),
        longest(({ operators }) => operators),
      ];
    });
    const header = [`${nameOf(size)} resources`, 'seconds, median', 'longest pause for agents, at most ms', 'for operators'];
    tables.push(table(header, rows));
  }
  return tables;
}

async function askFor({ served, load }: Bench, size: ClusterSize): Promise<readonly Asked[]> {
  const beside = await FilledCluster.make(served, load, { name: 'beside', cib: emptyCib(BESIDE), nodes: nodeNames(BESIDE) });
  await beside.configure(plainCib(BESIDE));
  await beside.settled(SETTLED_WITHIN_MS);
  const begun = await load.counts();
  const large = await FilledCluster.make(served, load, { name: 'large', cib: emptyCib(size), nodes: [] });
  const [one, other] = [size, { ...size, resources: size.resources + 1 }].map((each) => serializeXml(plainCib(each)));
  const path = `/v1/clusters/${large.id}`;
  const put = (query: string, content = ''): Promise<unknown> =>
    sendOk(served.url, 'PUT', `${path}/cib${query}`, served.adminToken, {
      headers: { 'if-match': '*' },
      body: { type: 'application/xml', content },
    });
  const get = (what: string, accept = 'application/json'): Promise<void> => read(served, `${path}/${what}`, accept);
  const asked: Asked[] = [];
  const timed = async (what: string, ask: () => Promise<unknown>): Promise<void> => {
    const before = [await served.pauses('main'), await served.pauses('operators')] as const;
    const at = performance.now();
    await ask();
    const tookMs = performance.now() - at;
    // What was put is folded in the other threads after it was answered.
    await sleep(FOLDED_AFTER_MS);
    const [main, operators] = [
      longestPause(before[0], await served.pauses('main')),
      longestPause(before[1], await served.pauses('operators')),
    ];
    asked.push({ what, tookMs, main, operators });
  };
  for (let time = 0; time < TIMES; time++) {
    await timed('dry run of a put', () => put('?dryRun=true', time % 2 === 0 ? one : other));
    await timed('put', () => put('', time % 2 === 0 ? one : other));
    await timed('read as XML', () => get('cib', 'application/xml'));
    await timed('read as JSON', () => get('cib'));
    await timed('status', () => get('status'));
    await timed('explanation of a resource', () => get('explanation?resource=r1'));
    await timed('read as of version 1', () => get('cib?version=1'));
  }
  await load.counts(begun);
  return asked;
}

async function read({ url, adminToken }: Served, path: string, accept: string): Promise<void> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${adminToken}`, accept } });
  const { length } = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}, ${length} characters`);
}
