/**
 * Where a server's time went, by its CPU profiles: for each thread that did something, by the file of ours, or else the package, on whose
 * behalf it was spent, and by the function in which it was spent.
 *
 *     node test/dist/load/service/profile-reading.js DIR
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkout } from '@systole/examples';
import { table } from '../scheduler/report.js';
import { stageOf } from './profile-stages.js';
import { profiledFile } from './server-process.js';

/** What V8 writes, as far as it is read here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    /** Ids of what it called. */
    readonly children?: readonly number[];
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  /** Ids of nodes. */
  readonly samples: readonly number[];
  /** µs, as `process.hrtime` counts. */
  readonly startTime: number;
  /** Before each sample, µs. */
  readonly timeDeltas: readonly number[];
}

/** µs, as {@link CpuProfile.startTime}. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** `CPU.<date>.<time>.<pid>.<thread>.<number>.cpuprofile`. */
const PID_PART = 3;
const ROWS = 25;
/** Threads that took less are left out, ms. */
const LEAST_MS = 200;
const IDLE = '(idle)';
/** Neither ours nor a package's: Node.js itself. */
const RUNTIME = '(node)';

/** What a thread did, ms by what. */
interface Reading {
  readonly name: string;
  readonly busy: number;
  readonly byModule: ReadonlyMap<string, number>;
  readonly byFunction: ReadonlyMap<string, number>;
}

/** A table of the stages of an action, of all threads together, and two tables for each thread, in Markdown. */
export function readProfiles(directory: string): readonly string[] {
  const readings = readdirSync(directory)
    .filter((name) => name.endsWith('.cpuprofile'))
    .sort()
    .map((name) => readingOf(name, JSON.parse(readFileSync(join(directory, name), 'utf8')) as CpuProfile, windowOf(directory, name)));
  const byStage = new Map<string, number>();
  for (const { byModule } of readings) for (const [module, ms] of byModule) add(byStage, stageOf(module), ms);
  const busy = readings.reduce((sum, reading) => sum + reading.busy, 0);
  return [
    `All threads: ${busy.toFixed(0)} ms of work`,
    table(['stage', 'ms', '%'], rowsOf(byStage, busy)),
    ...readings.filter((reading) => reading.busy >= LEAST_MS).flatMap(tablesOf),
  ];
}

function tablesOf({ name, busy, byModule, byFunction }: Reading): readonly string[] {
  return [
    `${name}: ${busy.toFixed(0)} ms of work`,
    table(['on behalf of', 'ms', '%'], rowsOf(byModule, busy)),
    table(['in itself', 'ms', '%'], rowsOf(byFunction, busy)),
  ];
}

/** The most, with their share of the whole. */
function rowsOf(times: ReadonlyMap<string, number>, whole: number): string[][] {
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, ROWS)
    .map(([what, ms]) => [what, ms.toFixed(0), ((ms / whole) * 100).toFixed(1)]);
}

/** Which part counts: what was measured, without the start and what was prepared; all, when nobody said. */
function windowOf(directory: string, profile: string): Window {
  const file = join(directory, profiledFile(Number(profile.split('.')[PID_PART])));
  return {
    from: 0,
    to: Number.POSITIVE_INFINITY,
    ...(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Window>) : {}),
  };
}

function readingOf(name: string, { nodes, samples, timeDeltas, startTime }: CpuProfile, { from, to }: Window): Reading {
  const calls = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const modules = new Map<number, string>();
  /** On whose behalf a call is made: the nearest file of ours on the stack, else the nearest package. */
  const moduleFor = (id: number): string => {
    const known = modules.get(id);
    if (known !== undefined) return known;
    const caller = callers.get(id);
    const own = moduleOf(calls.get(id)?.callFrame.url ?? '');
    const above = caller === undefined ? RUNTIME : moduleFor(caller);
    const module = own.startsWith('/') || (own !== RUNTIME && !above.startsWith('/')) ? own : above;
    modules.set(id, module);
    return module;
  };
  const byModule = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let busy = 0;
  let at = startTime;
  for (const [index, sample] of samples.entries()) {
    const frame = calls.get(sample)?.callFrame;
    const us = timeDeltas[index] ?? 0;
    at += us;
    if (frame === undefined || frame.functionName === IDLE || at < from || at > to) continue;
    const ms = us / 1_000;
    const isEngine = frame.url === '' && frame.functionName.startsWith('(');
    busy += ms;
    add(byModule, isEngine ? frame.functionName : moduleFor(sample), ms);
    add(
      byFunction,
      `${frame.functionName || '(anonymous)'} ${frame.url === '' ? '' : `${frame.url.startsWith('node:') ? frame.url : moduleOf(frame.url)}:${frame.lineNumber + 1}`}`,
      ms,
    );
  }
  return { name, busy, byModule, byFunction };
}

function add(times: Map<string, number>, key: string, ms: number): void {
  times.set(key, (times.get(key) ?? 0) + ms);
}

/** Our files by their paths, packages by their names. */
function moduleOf(url: string): string {
  const inPackage = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (inPackage?.[1] !== undefined && !inPackage[1].startsWith('@systole/')) return inPackage[1];
  const root = pathToFileURL(checkout).href;
  return url.startsWith(root) ? url.replace(root, '/').replace('/dist/', '/') : RUNTIME;
}

const [, program, directory] = process.argv;
if (program?.endsWith('profile-reading.js') === true && directory !== undefined) console.log(readProfiles(directory).join('\n\n'));
