import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, table, type Target } from '../../scheduler/report.js';
import { nodeNames, resourceName } from '../../service/cibs.js';
import { nameOf } from '../../service/measurement.js';
import { percentile } from '../../viewers/under-viewers.js';
import { filledCluster } from '../filled.js';
import { loadText, MOST_MIB, onServer, type ApiBench, type ApiBenchOptions, type Findings, type Form } from '../measurement.js';
import { pacedRequests } from '../paced-requests.js';
import type { AskedRequest, RequestsOutcome } from '../requests.js';

const SIZE: ClusterSize = { nodes: 100, resources: 2_000 };
const QUICK_SIZE: ClusterSize = { nodes: 20, resources: 400 };
const PER_SECOND = 500;
const SECONDS = 10;
const QUICK_SECONDS = 3;
const WARM_SECONDS = 1;
const CONNECTIONS = 48;
/** Of those after which the first status is timed. */
const CHANGES = 20;
const BETWEEN_CHANGES_MS = 500;
/** ms. */
const READ_P99 = 20;
const WRITE_P99 = 50;
/** Somebody at work, and a script that lets nothing cool down: each change is also planned for. */
const WRITES_PER_SECOND = { somebody: 2, script: 10 };

/** What is asked for at one rate. */
interface Load {
  readonly what: string;
  readonly perSecond: number;
  readonly requests: readonly AskedRequest[];
  /** p99 of its answers, ms; undefined: none is promised. */
  readonly atMost: number | undefined;
}

/** How long whoever asks first after a change waits, ms, ascending. */
interface AfterChange {
  readonly form: Form;
  readonly times: readonly number[];
}

/** One run of it. */
interface Run {
  readonly form: Form;
  readonly load: Load;
  readonly outcome: RequestsOutcome;
  /** CPU time a request, ms. */
  readonly server: number;
  readonly postgresql: number;
  readonly others: string;
}

/** Status, nodes and single elements of a large cluster, and writes to its configuration, at an even rate. */
export async function readsAndWrites(options: ApiBenchOptions): Promise<Findings> {
  const size = options.quick ? QUICK_SIZE : SIZE;
  const runs: Run[] = [];
  const afterChange: AfterChange[] = [];
  const memory: { readonly form: Form; readonly mib: number }[] = [];
  for (const form of options.forms) {
    await onServer(form, options, async (bench) => {
      const { id } = await filledCluster(bench, size);
      runs.push(...(await askAll(bench, id, size, options)));
      afterChange.push({ form, times: await firstAfterChange(bench, id) });
      memory.push({ form, mib: bench.memory.end() });
    });
  }
  const kinds = kindsOf(runs);
  const rows = kinds.map(rowOf);
  const header = [
    ...[`${nameOf(size)}, asked for`, 'form', 'a second', 'p50 ms', 'p90', 'p99', 'longest', 'KiB an answer'],
    ...['server CPU ms a request', 'PostgreSQL', 'who asks', 'load of the machine'],
  ];
  const targets = kinds.flatMap((all): Target[] => {
    const [
      {
        form,
        load: { what, atMost },
      },
    ] = all;
    return atMost === undefined ? [] : [{ what: `${what}, ${form}: p99`, measured: p99Of(all), atMost, unit: ' ms' }];
  });
  return {
    tables: [
      table(header, rows),
      table(
        ['the first status after a change', 'asked', 'p50 ms', 'longest'],
        afterChange.map(({ form, times }) => [form, String(times.length), ...[50, 100].map((at) => percentile(times, at).toFixed(0))]),
      ),
    ],
    targets: [
      ...targets,
      ...memory.map(({ form, mib }) => ({ what: `memory meanwhile, ${form}`, measured: mib, atMost: MOST_MIB, unit: ' MiB' })),
    ],
  };
}

type Rounds = readonly [Run, ...Run[]];

/** The rounds of each kind together. */
function kindsOf(runs: readonly Run[]): readonly Rounds[] {
  const kinds = new Map<string, Rounds>();
  for (const run of runs) {
    const key = `${run.form} ${run.load.what}`;
    const [first = run, ...others] = kinds.get(key) ?? [];
    kinds.set(key, kinds.has(key) ? [first, ...others, run] : [run]);
  }
  return [...kinds.values()];
}

async function askAll(bench: ApiBench, id: string, size: ClusterSize, { rounds, quick }: ApiBenchOptions): Promise<readonly Run[]> {
  const { served, form } = bench;
  const task = { url: served.url, token: served.adminToken, connections: CONNECTIONS };
  const seconds = quick ? QUICK_SECONDS : SECONDS;
  const runs: Run[] = [];
  const loads = (): Promise<readonly Load[]> => loadsOf(served.url, served.adminToken, id, size);
  const warm = ({ requests, perSecond }: Load): Promise<RequestsOutcome> =>
    pacedRequests({ ...task, requests, perSecond: perSecond / 2, seconds: WARM_SECONDS });
  for (const load of await loads()) await warm(load);
  await served.noteProfiled('from');
  for (let round = 1; round <= rounds; round++) {
    // Tags are those of the configuration as it is now: the changes come last.
    for (const load of await loads()) {
      // What is read of a settled cluster was asked for a moment ago; whoever asks first after a change is measured apart.
      await warm(load);
      const before = await served.cpu();
      const outcome = await pacedRequests({ ...task, requests: load.requests, perSecond: load.perSecond, seconds });
      const after = await served.cpu();
      const each = (key: 'server' | 'postgresql'): number => (after[key] - before[key]) / outcome.times.length;
      const run = { form, load, outcome, server: each('server'), postgresql: each('postgresql'), others: loadText() };
      requireAnswered(run);
      runs.push(run);
      console.log(rowOf([run]).join(' | '));
    }
  }
  await served.noteProfiled('to');
  return runs;
}

/** Status of a resource, right after a change of it that is acknowledged. */
async function firstAfterChange({ served }: ApiBench, id: string): Promise<readonly number[]> {
  const authorization = `Bearer ${served.adminToken}`;
  const at = `${served.url}/v1/clusters/${id}`;
  const times: number[] = [];
  for (let turn = 0; turn < CHANGES; turn++) {
    const changed = await fetch(`${at}/configuration/resources/${resourceName(turn)}`, {
      method: 'PATCH',
      headers: { authorization, 'if-match': '*', 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ description: `change ${turn}` }),
    });
    await changed.arrayBuffer();
    const begun = performance.now();
    const answer = await fetch(`${at}/status?resource=${resourceName(turn)}`, { headers: { authorization } });
    await answer.arrayBuffer();
    if (!changed.ok || !answer.ok) throw new Error(`a change was answered ${changed.status}, the status after it ${answer.status}`);
    times.push(performance.now() - begun);
    await sleep(BETWEEN_CHANGES_MS);
  }
  return times.sort((one, other) => one - other);
}

/** What nobody should be refused in these measurements is told as what it is. @throws {Error} */
function requireAnswered({ load, outcome }: Run): void {
  const wrong = Object.entries(outcome.answers).filter(([status]) => status !== '200' && status !== '304');
  if (wrong.length > 0) throw new Error(`${load.what} was answered ${JSON.stringify(Object.fromEntries(wrong))}`);
}

async function loadsOf(url: string, token: string, cluster: string, size: ClusterSize): Promise<readonly Load[]> {
  const at = `/v1/clusters/${cluster}`;
  const gzip = { 'accept-encoding': 'gzip' };
  const get = (path: string, headers: Readonly<Record<string, string>> = gzip): AskedRequest => ({
    method: 'GET',
    path: `${at}${path}`,
    headers,
  });
  const resources = Array.from({ length: 97 }, (_, index) => resourceName((index * 61) % size.resources));
  const elements = resources.map((id) => get(`/configuration/resources/${id}`));
  const first = await fetch(`${url}${elements[0]?.path ?? ''}`, { headers: { authorization: `Bearer ${token}` } });
  await first.arrayBuffer();
  const known = { ...gzip, 'if-none-match': first.headers.get('etag') ?? '' };
  const status = get('/status');
  const nodes = nodeNames(size).map((node) => get(`/nodes/${node}`));
  const ofResources = resources.map((id) => get(`/status?resource=${id}`));
  const mixed = elements.flatMap((element, index) => [
    element,
    nodes[index % nodes.length] ?? element,
    ofResources[index] ?? element,
    index % 2 === 0 ? status : element,
  ]);
  const patches = resources.map((id): AskedRequest => ({
    method: 'PATCH',
    path: `${at}/configuration/resources/${id}`,
    headers: { 'if-match': '*', 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ meta_attributes: { priority: 'TURN' } }),
  }));
  return [
    { what: 'an element', perSecond: PER_SECOND, requests: elements, atMost: READ_P99 },
    {
      what: 'an element that is known (304)',
      perSecond: PER_SECOND,
      requests: elements.map((one) => ({ ...one, headers: known })),
      atMost: READ_P99,
    },
    { what: 'a node', perSecond: PER_SECOND, requests: nodes, atMost: READ_P99 },
    { what: 'status of a resource', perSecond: PER_SECOND, requests: ofResources, atMost: READ_P99 },
    { what: 'status, all of it (gzip)', perSecond: PER_SECOND, requests: [status], atMost: READ_P99 },
    { what: 'status, all of it (plain)', perSecond: PER_SECOND / 10, requests: [get('/status', {})], atMost: undefined },
    { what: 'all of these, mixed', perSecond: PER_SECOND, requests: mixed, atMost: READ_P99 },
    { what: 'a change of an element', perSecond: WRITES_PER_SECOND.somebody, requests: patches, atMost: WRITE_P99 },
    { what: 'a change of an element, by a script', perSecond: WRITES_PER_SECOND.script, requests: patches, atMost: undefined },
  ];
}

function rowOf(runs: Rounds): string[] {
  const [run] = runs;
  const of = (value: (run: Run) => number): number => median(runs.map(value));
  const at = (percent: number): string => of(({ outcome }) => percentile(outcome.times, percent)).toFixed(1);
  return [
    run.load.what,
    run.form,
    of(({ outcome }) => outcome.times.length / outcome.seconds).toFixed(0),
    ...[50, 90, 99, 100].map(at),
    of(({ outcome }) => outcome.bytes / outcome.times.length / 1_024).toFixed(1),
    of(({ server }) => server).toFixed(2),
    of(({ postgresql }) => postgresql).toFixed(2),
    of(({ outcome }) => outcome.cpuMs / outcome.times.length).toFixed(2),
    runs.map(({ others }) => others).join(', '),
  ];
}

function p99Of(runs: readonly Run[]): number {
  return median(runs.map(({ outcome }) => percentile(outcome.times, 99)));
}
