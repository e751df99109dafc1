import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../scheduler/report.js';
import { AgentsLoad } from '../service/agents-load.js';
import { startSeparately } from '../service/separate-processes.js';
import { Served } from '../service/served.js';
import { MemoryWatch } from './memory-watch.js';

/** How the product runs while it is measured: as `npm start` has it, or api and worker apart with PostgreSQL and Redis as servers. */
export const FORMS = ['embedded', 'servers'] as const;
export type Form = (typeof FORMS)[number];

/** What every measurement is told. */
export interface ApiBenchOptions {
  readonly forms: readonly Form[];
  /** How often each thing is measured on one server. */
  readonly rounds: number;
  /** Small clusters, short logs, short times: to see that all works, and roughly how fast. */
  readonly quick: boolean;
  /** Where the servers' profiles go; absent: none are made. */
  readonly profiles?: string;
}

/** What a measurement found. */
export interface Findings {
  /** In Markdown. */
  readonly tables: readonly string[];
  readonly targets: readonly Target[];
}

/** @throws {Error} when what it saw does not count: something was refused, lost, or did not settle */
export type ApiMeasurement = (options: ApiBenchOptions) => Promise<Findings>;

/** A served product, agents for it, and how much memory it takes. */
export interface ApiBench {
  readonly form: Form;
  readonly served: Served;
  readonly load: AgentsLoad;
  /** Of the api, the most so far seen, MiB. */
  readonly memory: MemoryWatch;
}

const OPERATORS_WITHIN_MS = 120_000;
const LOOK_MS = 500;

/** The most memory that an api may take throughout, MiB. */
export const MOST_MIB = 600;

/**
 * Starts the product in one form, and agents, and ends them.
 *
 * @param directory of data that are there already; a new one when undefined
 */
export async function onServer<T>(
  form: Form,
  { profiles }: Pick<ApiBenchOptions, 'profiles'>,
  measure: (bench: ApiBench) => Promise<T>,
  directory?: string,
): Promise<T> {
  const given = { ...(profiles === undefined ? {} : { profiles }), ...(directory === undefined ? {} : { directory }) };
  const served = form === 'servers' ? await startSeparately({ apis: 1, workers: 1, ...given }) : await Served.start(given);
  const load = AgentsLoad.start();
  const memory = new MemoryWatch(served);
  try {
    await operatorsServed(served);
    return await measure({ form, served, load, memory });
  } catch (error) {
    if (served.log !== '') console.error(`the server said:\n${served.log}`);
    throw error;
  } finally {
    memory.end();
    await load.stop();
    await served.stop();
  }
}

/** Agents are served a little earlier than operators. @throws {Error} when these are not served in time */
async function operatorsServed({ url }: Served): Promise<void> {
  for (const until = performance.now() + OPERATORS_WITHIN_MS; performance.now() < until;) {
    const answer = await fetch(`${url}/health/ready/operators`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return;
    await sleep(LOOK_MS);
  }
  throw new Error(`operators were not served within ${OPERATORS_WITHIN_MS} ms`);
}

/** Of the last minute, as it is told beside figures: others that are at work make them worse. */
export function loadText(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
