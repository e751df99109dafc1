import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '@systole/examples';
import type { ClusterSize } from '../../scheduler/clusters.js';
import { table, type Target } from '../../scheduler/report.js';
import { plainCib, nodeNames, resourceName } from '../../service/cibs.js';
import { AgentsLoad } from '../../service/agents-load.js';
import { FilledCluster } from '../../service/filled-cluster.js';
import { lengthenLogs } from '../../service/long-log.js';
import { newDirectory, Served } from '../../service/served.js';
import { percentile } from '../../viewers/under-viewers.js';
import { loadText, MOST_MIB, onServer, type ApiBench, type ApiBenchOptions, type Findings, type Form } from '../measurement.js';

const EVENTS = 1_000_000;
const QUICK_EVENTS = 50_000;
const SIZE: ClusterSize = { nodes: 8, resources: 100 };
const SETTLED_WITHIN_MS = 600_000;
const PAGE = 100;
/** Questions of each kind; of those that fold the past. */
const PAGES = 100;
const PASTS = 20;
/** ms. */
const PAGE_P99 = 50;
const PAST_LONGEST = 1_000;
/** A second. */
const VERIFIED = 100_000;

/** What was asked again and again. */
interface Asked {
  readonly what: string;
  readonly form: Form;
  /** ms, ascending. */
  readonly times: readonly number[];
  readonly others: string;
  readonly bound: { readonly percent: number; readonly atMost: number };
}

interface Verified {
  readonly form: Form;
  /** A second, the start of the program included. */
  readonly rate: number;
  readonly others: string;
}

/** Pages of events, states of the past and the check of the chain, in a log of a million events of one cluster. */
export async function longLog(options: ApiBenchOptions): Promise<Findings> {
  const events = options.quick ? QUICK_EVENTS : EVENTS;
  const directory = newDirectory();
  const asked: Asked[] = [];
  const verified: Verified[] = [];
  const memory: { readonly form: Form; readonly mib: number }[] = [];
  try {
    const cluster = await makeCluster(directory);
    const begin = performance.now();
    await lengthenLogs(directory, [cluster], events, true);
    console.log(`the log of ${events} events was made in ${((performance.now() - begin) / 1_000).toFixed(0)} s`);
    for (const form of options.forms) {
      const look = async (bench: ApiBench): Promise<void> => {
        asked.push(...(await askAll(bench, cluster, events, options.rounds)));
        memory.push({ form, mib: bench.memory.end() });
        verified.push({ form, rate: await verifiedASecond(bench, events), others: loadText() });
      };
      await onServer(form, options, look, directory);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  const at = (times: readonly number[], percent: number): string => percentile(times, percent).toFixed(1);
  const rows = asked.map(({ what, form, times, others }) => [
    ...[what, form, String(times.length)],
    ...[50, 90, 99, 100].map((percent) => at(times, percent)),
    others,
  ]);
  return {
    tables: [
      table([`${events} events of one cluster`, 'form', 'asked', 'p50 ms', 'p90', 'p99', 'longest', 'load of the machine'], rows),
      table(
        ['the whole chain is checked', 'events a second', 'load of the machine'],
        verified.map(({ form, rate, others }) => [form, rate.toFixed(0), others]),
      ),
    ],
    targets: [
      ...asked.map(({ what, form, times, bound: { percent, atMost } }): Target => {
        return { what: `${what}, ${form}: p${percent}`, measured: percentile(times, percent), atMost, unit: ' ms' };
      }),
      ...verified.map(({ form, rate }) => ({
        what: `100,000 events checked, ${form}`,
        measured: VERIFIED / rate,
        atMost: 1,
        unit: ' s',
      })),
      ...memory.map(({ form, mib }) => ({ what: `memory meanwhile, ${form}`, measured: mib, atMost: MOST_MIB, unit: ' MiB' })),
    ],
  };
}

async function makeCluster(directory: string): Promise<string> {
  const served = await Served.start({ directory });
  const load = AgentsLoad.start();
  try {
    const cluster = await FilledCluster.make(served, load, { name: 'long', cib: plainCib(SIZE), nodes: nodeNames(SIZE) });
    await cluster.settled(SETTLED_WITHIN_MS);
    return cluster.id;
  } finally {
    await load.stop();
    await served.stop();
  }
}

async function askAll({ served, form }: ApiBench, cluster: string, events: number, rounds: number): Promise<readonly Asked[]> {
  const at = `/v1/clusters/${cluster}`;
  const read = async (path: string): Promise<{ readonly items?: readonly Record<string, unknown>[]; readonly next?: string }> => {
    const answer = await fetch(`${served.url}${at}${path}`, { headers: { authorization: `Bearer ${served.adminToken}` } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as { readonly items?: readonly Record<string, unknown>[]; readonly next?: string };
  };
  const get = async (path: string): Promise<readonly Record<string, unknown>[]> => (await read(path)).items ?? [];
  const anywhere = (turn: number): number => 1 + ((turn * 618_034) % (events - 1_000));
  /** Events at places all over the log, so that what is asked for is there. */
  const marks: Record<string, unknown>[] = [];
  for (let turn = 0; turn < PAGES; turn++) {
    marks.push({ ...(await read(`/events/${anywhere(turn)}`)) });
  }
  /** Of pages all over the log. */
  const cursors: string[] = [];
  for (let page = await read('/events?limit=1000'); page.next !== undefined; page = await read(`/events?limit=1000&cursor=${page.next}`)) {
    cursors.push(page.next);
  }
  const cursorAt = (turn: number): string => cursors[(turn * 618_034) % cursors.length] ?? '';
  const markAt = (turn: number): Record<string, unknown> => marks[turn % marks.length] ?? {};
  const momentAt = (turn: number): string => encodeURIComponent(String(markAt(turn)['occurredAt']));
  const subject = (turn: number): string => `resource:${resourceName(turn % SIZE.resources)}`;
  const page = { percent: 99, atMost: PAGE_P99 };
  const past = { percent: 100, atMost: PAST_LONGEST };
  const questions: readonly {
    readonly what: string;
    readonly times: number;
    readonly path: (turn: number) => string;
    readonly bound: Asked['bound'];
  }[] = [
    {
      what: 'a page by subject and time',
      times: PAGES,
      path: (turn) => `/events?subject=${subject(turn)}&since=${momentAt(turn)}&limit=${PAGE}`,
      bound: page,
    },
    {
      what: 'a page by two subjects, newest first, until a time',
      times: PAGES,
      path: (turn) =>
        `/events?subject=${subject(turn)}&subject=node:node${1 + (turn % SIZE.nodes)}&until=${momentAt(turn)}&order=desc&limit=${PAGE}`,
      bound: page,
    },
    {
      what: 'a page by correlation',
      times: PAGES,
      path: (turn) => `/events?correlation=${String(markAt(turn)['correlationId'])}&limit=${PAGE}`,
      bound: page,
    },
    { what: 'a page anywhere', times: PAGES, path: (turn) => `/events?cursor=${cursorAt(turn)}&limit=${PAGE}`, bound: page },
    { what: 'the configuration at a version', times: PASTS, path: (turn) => `/cib?at=${anywhere(turn + 7)}`, bound: past },
    { what: 'the status at a time', times: PASTS, path: (turn) => `/status?at=${momentAt(turn + 3)}`, bound: past },
    {
      what: 'a diff between two versions',
      times: PASTS,
      path: (turn) => `/diff?from=${anywhere(turn + 11)}&to=${anywhere(turn + 29)}`,
      bound: past,
    },
  ];
  const asked: Asked[] = [];
  for (const { what, times: count, path, bound } of questions) {
    const times: number[] = [];
    // What was never asked before is compiled the first time, and that is nobody's page.
    await get(path(count));
    for (let turn = 0; turn < count * rounds; turn++) {
      const begin = performance.now();
      await get(path(turn));
      times.push(performance.now() - begin);
    }
    times.sort((a, b) => a - b);
    asked.push({ what, form, times, others: loadText(), bound });
    console.log(`${form}: ${what}: p50 ${percentile(times, 50).toFixed(1)} ms, longest ${percentile(times, 100).toFixed(1)} ms`);
  }
  return asked;
}

/** As an operator has it checked: with the program, start included. */
async function verifiedASecond({ served }: ApiBench, events: number): Promise<number> {
  const begin = performance.now();
  const program = join(checkout, 'apps/cli/bin/systole.js');
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    'admin',
    'verify',
    '--database-url',
    await served.databaseUrl(),
  ]);
  const seconds = (performance.now() - begin) / 1_000;
  const checked = Number(/Intact: (\d+) events/.exec(stdout)?.[1]);
  if (!(checked >= events)) throw new Error(`the check of ${events} events said: ${stdout}`);
  return checked / seconds;
}
