import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, seconds, table } from '../../scheduler/report.js';
import { nameOf } from '../../service/measurement.js';
import { filledCluster } from '../filled.js';
import { loadText, onServer, type ApiBench, type ApiBenchOptions, type Findings, type Form } from '../measurement.js';

const SIZE: ClusterSize = { nodes: 32, resources: 1_000 };
const QUICK_SIZE: ClusterSize = { nodes: 8, resources: 100 };
/** s. */
const MOST_SECONDS = 10;
/** After so long the caller leaves, ms; and so often it is looked whether its work has ended. */
const LEAVES_AFTER_MS = 500;
const LOOK_MS = 10;

interface Tried {
  readonly form: Form;
  /** s. */
  readonly first: number;
  readonly all: number;
  readonly losses: number;
  /** CPU time of the server, s. */
  readonly cpu: number;
  /** From when the caller left until nothing was computed for it any more, s. */
  readonly ended: number;
  readonly others: string;
}

/** The loss of each node is tried in thought: how long that takes, when its progress is first told, and how soon it ends when its caller leaves. */
export async function resilience(options: ApiBenchOptions): Promise<Findings> {
  const size = options.quick ? QUICK_SIZE : SIZE;
  const tried: Tried[] = [];
  for (const form of options.forms) {
    await onServer(form, options, async (bench) => {
      const { id } = await filledCluster(bench, size);
      for (let round = 1; round <= options.rounds; round++) {
        const before = await bench.load.counts();
        tried.push(await tryLosses(bench, id));
        // Leases are renewed all the while.
        await bench.load.counts(before);
        console.log(JSON.stringify(tried.at(-1)));
      }
    });
  }
  const rows = options.forms.map((form) => {
    const all = tried.filter((one) => one.form === form);
    const of = (value: (one: Tried) => number): number => median(all.map(value));
    return [
      ...[form, of(({ losses }) => losses).toFixed(0), seconds(of((one) => one.first)), seconds(of((one) => one.all))],
      ...[seconds(of(({ cpu }) => cpu)), seconds(of(({ ended }) => ended)), all.map(({ others }) => others).join(', ')],
    ];
  });
  const header = [
    ...[`${nameOf(size)}, each node is lost`, 'losses', 's until the first is told', 'until all are'],
    ...['server CPU s', 's from the leaving of the caller to the end of its work', 'load of the machine'],
  ];
  return {
    tables: [table(header, rows)],
    targets: options.forms.map((form) => ({
      what: `each loss of a node of ${nameOf(size)}, ${form}`,
      measured: median(tried.filter((one) => one.form === form).map(({ all }) => all)),
      atMost: MOST_SECONDS,
      unit: ' s',
    })),
  };
}

async function tryLosses(bench: ApiBench, cluster: string): Promise<Tried> {
  const { served, form } = bench;
  const cpu = await served.cpu();
  const begin = performance.now();
  const since = (): number => (performance.now() - begin) / 1_000;
  const answer = await ask(bench, cluster);
  let first: number | undefined;
  let text = '';
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (text.includes('"affected"')) first ??= since();
  }
  const all = since();
  const after = await served.cpu();
  const losses = text.split('\n').filter((line) => line.includes('"affected"')).length;
  return {
    ...{ form, first: first ?? all, all, losses, cpu: (after.server - cpu.server) / 1_000, others: loadText() },
    ended: await endsAfter(bench, cluster),
  };
}

async function endsAfter(bench: ApiBench, cluster: string): Promise<number> {
  const leaving = new AbortController();
  const answer = await ask(bench, cluster, leaving.signal);
  const reading = answer.text().catch(() => '');
  await sleep(LEAVES_AFTER_MS);
  leaving.abort();
  const begin = performance.now();
  await reading;
  while ((await computing(bench)) > 0) await sleep(LOOK_MS);
  return (performance.now() - begin) / 1_000;
}

async function ask({ served }: ApiBench, cluster: string, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(`${served.url}/v1/clusters/${cluster}/resilience`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${served.adminToken}`, 'content-type': 'application/json', accept: 'application/x-ndjson' },
    },
    body: '{}',
    ...(signal === undefined ? {} : { signal }),
  });
  if (!answer.ok) throw new Error(`resilience was answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Computations that wait or run for what is merely tried. */
async function computing({ served }: ApiBench): Promise<number> {
  const text = await (await fetch(`${served.url}/metrics`)).text();
  return Number(/^systole_computations_trials(?:\{[^}]*\})? (\d+)$/m.exec(text)?.[1] ?? 0);
}
