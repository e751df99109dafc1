import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterSize } from '../scheduler/clusters.js';
import { AgentsLoad } from './agents-load.js';
import type { LoadCounts } from './load-orders.js';
import { startSeparately } from './separate-processes.js';
import { Served, type CpuTimes, type Pauses } from './served.js';

/** What every measurement is told. */
export interface MeasurementOptions {
  readonly rounds: number;
  /** Of clusters, instead of those that the measurement takes by itself. */
  readonly sizes?: readonly ClusterSize[];
  /** How many clusters, instead of the number that the measurement takes by itself. */
  readonly clusters?: number;
  /** How long it goes on, instead of the time that it takes by itself, s. */
  readonly seconds?: number;
  /** How long a server idles after it is ready before anything is measured, s. */
  readonly idleFirst?: number;
  /** Whether api and worker are processes of their own, with PostgreSQL and Redis as servers. */
  readonly servers?: boolean;
  /** Program that starts nodes of Pacemaker on this machine, for the comparison with it. */
  readonly lab?: string;
  /** Where the server's profiles go; absent: none are made. */
  readonly profiles?: string;
}

/** Says what it found in tables of Markdown. @throws {Error} when what it saw does not count: something was lost or refused, or did not settle */
export type Measurement = (options: MeasurementOptions) => Promise<readonly string[]>;

/** A product that was just started, and agents for it. */
export interface Bench {
  readonly served: Served;
  readonly load: AgentsLoad;
}

/** Starts both for one round, and ends them. */
export async function onFreshServer<T>(
  { profiles, servers = false, idleFirst = 0 }: MeasurementOptions,
  measure: (bench: Bench) => Promise<T>,
): Promise<T> {
  const profiling = profiles === undefined ? {} : { profiles };
  const served = servers ? await startSeparately({ apis: 1, workers: 1, ...profiling }) : await Served.start(profiling);
  const load = AgentsLoad.start();
  try {
    await sleep(idleFirst * 1_000);
    return await measure({ served, load });
  } catch (error) {
    if (served.log !== '') console.error(`the server said:\n${served.log}`);
    throw error;
  } finally {
    await load.stop();
    await served.stop();
  }
}

/** What server and agents did up to a moment. */
export interface Sighting extends LoadCounts, CpuTimes {
  readonly pauses: Pauses;
  /** ms of this process's clock. */
  readonly at: number;
}

/** What is measured begins: from here on every request of an agent has to be answered, and profiles count. @throws {Error} when an agent was refused before */
export async function beginning({ served, load }: Bench): Promise<Sighting> {
  const [counts, pauses] = await Promise.all([load.counts(), served.pauses()]);
  const cpu = await served.cpu();
  await served.noteProfiled('from');
  return { ...counts, pauses, ...cpu, at: performance.now() };
}

/** What is measured has ended. @throws {Error} when an agent was refused, or not answered, since its beginning */
export async function ending({ served, load }: Bench, begun: Sighting): Promise<Sighting> {
  const at = performance.now();
  const cpu = await served.cpu();
  await served.noteProfiled('to');
  return { ...(await load.counts(begun)), pauses: await served.pauses(), ...cpu, at };
}

export const nameOf = ({ nodes, resources }: ClusterSize): string => `${nodes} × ${resources}`;
