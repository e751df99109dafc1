import type { ClusterSize } from '../../scheduler/clusters.js';
import { seconds, table } from '../../scheduler/report.js';
import { nameOf } from '../../service/measurement.js';
import { longestPause } from '../../service/served.js';
import { filledCluster } from '../filled.js';
import { loadText, onServer, type ApiBench, type ApiBenchOptions, type Findings, type Form } from '../measurement.js';

const SIZE: ClusterSize = { nodes: 1_000, resources: 10_000 };
const QUICK_SIZE: ClusterSize = { nodes: 50, resources: 500 };
const READERS = 8;
/** Pauses that a thread may make at most, ms. */
const MOST_PAUSE_MS = 100;

interface Shown {
  readonly what: string;
  readonly form: Form;
  readonly seconds: number;
  /** CPU time of the server, s. */
  readonly cpu: number;
  readonly mib: number;
  /** Longest pauses of the threads for agents and for operators, at most, ms. */
  readonly main: number;
  readonly operators: number;
  readonly others: string;
}

/** The status of a very large cluster, for one reader and for several. */
export async function largeStatus(options: ApiBenchOptions): Promise<Findings> {
  const size = options.quick ? QUICK_SIZE : SIZE;
  const [form = 'embedded'] = options.forms;
  const shown = await onServer(form, options, (bench) => showAll(bench, size));
  const header = [
    ...[`${nameOf(size)}, ${form}`, 'seconds', 'server CPU s', 'MiB of answers', 'longest pause for agents, at most ms', 'for operators'],
    'load of the machine',
  ];
  const rows = shown.map(({ what, seconds: took, cpu, mib, main, operators, others }) => [
    ...[what, seconds(took), seconds(cpu), mib.toFixed(1), main.toFixed(0), operators.toFixed(0), others],
  ]);
  return {
    tables: [table(header, rows)],
    targets: [
      {
        what: `longest pause for agents while the status of ${nameOf(size)} is read`,
        measured: Math.max(...shown.map(({ main }) => main)),
        atMost: MOST_PAUSE_MS,
        unit: ' ms',
      },
    ],
  };
}

async function showAll(bench: ApiBench, size: ClusterSize): Promise<readonly Shown[]> {
  const { served, form, load } = bench;
  const { id } = await filledCluster(bench, size);
  const begun = await load.counts();
  const shown: Shown[] = [];
  const timed = async (what: string, accept: string, readers: number): Promise<void> => {
    const before = [await served.pauses('main'), await served.pauses('operators')] as const;
    const cpu = await served.cpu();
    const begin = performance.now();
    const lengths = await Promise.all(Array.from({ length: readers }, () => read(bench, id, accept)));
    const took = (performance.now() - begin) / 1_000;
    const after = await served.cpu();
    const pauses = [
      longestPause(before[0], await served.pauses('main')),
      longestPause(before[1], await served.pauses('operators')),
    ] as const;
    const mib = lengths.reduce((sum, length) => sum + length, 0) / 1_048_576;
    const one = { what, form, seconds: took, cpu: (after.server - cpu.server) / 1_000, mib, others: loadText() };
    shown.push({ ...one, main: pauses[0], operators: pauses[1] });
    console.log(JSON.stringify(shown.at(-1)));
  };
  for (const accept of ['application/xml', 'application/json']) {
    await timed(`as ${accept}`, accept, 1);
    await timed(`as ${accept}, at once again`, accept, 1);
    await timed(`as ${accept}, ${String(READERS)} readers at once`, accept, READERS);
  }
  await load.counts(begun);
  return shown;
}

async function read({ served }: ApiBench, cluster: string, accept: string): Promise<number> {
  const answer = await fetch(`${served.url}/v1/clusters/${cluster}/status`, {
    headers: { authorization: `Bearer ${served.adminToken}`, accept },
  });
  const { byteLength } = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`status was answered ${answer.status}`);
  return byteLength;
}
