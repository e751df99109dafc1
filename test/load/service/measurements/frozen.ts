import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterSize } from '../../scheduler/clusters.js';
import { median, seconds as inSeconds, table } from '../../scheduler/report.js';
import { onFreshServer, type Bench, type MeasurementOptions } from '../measurement.js';
import { requireNoneLost } from '../lost-results.js';
import { makeClusters } from './clusters.js';

interface Thaw {
  /** Requests of agents that nobody answered, from the beginning of the freeze on. */
  readonly unanswered: number;
  /** From its end until the last of them was given up, s. */
  readonly calmAfter: number;
  /** Leases that were lost. */
  readonly lost: number;
}

const CLUSTERS = 300;
const EACH: ClusterSize = { nodes: 3, resources: 10 };
/** A lease of ten seconds is long over. */
const FROZEN_SECONDS = 20;
const LOOK_MS = 1_000;
/** So long nobody was left without an answer: it is calm. */
const CALM_MS = 15_000;
const CALM_WITHIN_MS = 300_000;

const LOST = `SELECT count(*)::int AS lost FROM events WHERE type = 'NodeLeaseLost'`;

/**
 * The whole server stands still, as a virtual machine that is moved does, while all agents try to reach it; then it goes on. What they have sent meanwhile must not keep it from serving what
 * they send now, and nobody is lost: it was the server that was away.
 */
export async function frozenServer(options: MeasurementOptions): Promise<readonly string[]> {
  const { rounds, clusters = CLUSTERS, seconds = FROZEN_SECONDS } = options;
  const thaws: Thaw[] = [];
  for (let round = 1; round <= rounds; round++) {
    thaws.push(await onFreshServer(options, (bench) => freeze(bench, clusters, seconds)));
    console.log(`frozen, round ${round}: ${JSON.stringify(thaws.at(-1))}`);
  }
  const of = (value: (thaw: Thaw) => number): number => median(thaws.map(value));
  return [
    table(
      ['the server is frozen: clusters × nodes', 'for s', 'requests unanswered', 's until all are answered again', 'leases lost'],
      [
        [
          `${clusters} × ${EACH.nodes}`,
          String(seconds),
          of(({ unanswered }) => unanswered).toFixed(0),
          inSeconds(of(({ calmAfter }) => calmAfter)),
          of(({ lost }) => lost).toFixed(0),
        ],
      ],
    ),
  ];
}

async function freeze({ served, load }: Bench, clusters: number, seconds: number): Promise<Thaw> {
  await makeClusters({ served, load }, clusters, EACH);
  const before = (await load.order('counts', {})).unanswered;
  const frozen = served.processes.map(({ pid }) => pid);
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  await sleep(seconds * 1_000);
  for (const pid of frozen) process.kill(pid, 'SIGCONT');
  const thawed = performance.now();
  let last = { unanswered: before, at: thawed };
  while (performance.now() - last.at < CALM_MS) {
    await sleep(LOOK_MS);
    const { unanswered } = await load.order('counts', {});
    const at = performance.now();
    if (unanswered > last.unanswered) {
      console.log(
        `${unanswered - last.unanswered} requests more were not answered, ${((at - thawed) / 1_000).toFixed(0)} s after the thaw`,
      );
      last = { unanswered, at };
    }
    if (at - thawed > CALM_WITHIN_MS) throw new Error(`agents are still left without answers ${CALM_WITHIN_MS} ms after the thaw`);
  }
  await requireNoneLost(served, load);
  const [lost] = await served.query<{ lost: number }>(LOST);
  return { unanswered: last.unanswered - before, calmAfter: (last.at - thawed) / 1_000, lost: lost?.lost ?? Number.NaN };
}
