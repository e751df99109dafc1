/**
 * How fast the scheduler is: whole processes beside Pacemaker's own `crm_simulate`, warm runs in one process, growth, a cluster of 1,000 nodes, and what
 * the simulation of a transition adds. docs/performance.md explains it.
 *
 *     npm run bench:scheduler [-- --quick] [--write]
 *
 * `--quick` measures small clusters only, once or twice. `--write` puts the tables into docs/performance.md.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ClusterSize } from './scheduler/clusters.js';
import { measure, runNode, type Usage } from './scheduler/programs.js';
import { isReached, median, seconds, table, type Target, targetRows } from './scheduler/report.js';

const { quick, write } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
}).values;

// From test/dist/load.
const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = (name: string): string => fileURLToPath(new URL(`scheduler/${name}.js`, import.meta.url));
const OURS = `${root}bin/crm_simulate`;
const THEIRS = '/usr/sbin/crm_simulate';
const DOCUMENT = `${root}docs/performance.md`;

const theirsInstalled = existsSync(THEIRS);
/** Pacemaker's time grows with the square of the cluster: beyond this it takes minutes, and more of them than the limit. */
const THEIRS_UP_TO_RESOURCES = 1_000;
const LIMIT_SECONDS = 180;

interface Step extends ClusterSize {
  /** How often whole processes are measured. */
  readonly rounds: number;
  /** How many runs a warm process makes. */
  readonly warmRuns: number;
}

type State = 'cold' | 'settled';

const STEPS: readonly Step[] = [
  { nodes: 3, resources: 10, rounds: 7, warmRuns: 0 },
  { nodes: 8, resources: 100, rounds: 7, warmRuns: 0 },
  { nodes: 16, resources: 500, rounds: 7, warmRuns: 240 },
  { nodes: 32, resources: 1_000, rounds: 3, warmRuns: 60 },
  { nodes: 64, resources: 2_000, rounds: 2, warmRuns: 12 },
  { nodes: 128, resources: 4_000, rounds: 1, warmRuns: 5 },
];
const steps = quick ? STEPS.slice(0, 3).map((step) => ({ ...step, rounds: 2, warmRuns: 12 })) : STEPS;
/** How often all sizes are measured warm, in turn, so that what else the machine does falls on all. */
const GROWTH_ROUNDS = 3;
const EXCLUSIVE: ClusterSize = { nodes: 1_000, resources: 10_000 };
const EXCLUSIVE_ROUNDS = 2;

const scratch = mkdtempSync(`${tmpdir()}/bench-scheduler-`);
const targets: Target[] = [];
const output: string[] = [];

const nameOf = ({ nodes, resources }: ClusterSize): string => `${nodes} × ${resources}`;
const cpuOf = (usages: readonly Pick<Usage, 'cpu'>[]): number[] => usages.map(({ cpu }) => cpu);
/** What else a machine does only adds to a time. */
const least = (usages: readonly Pick<Usage, 'cpu'>[]): number => Math.min(...cpuOf(usages));

/** Prints as soon as it is known, and keeps for the document. */
function say(text: string): void {
  output.push(text);
  console.log(`${text}\n`);
}

interface Comparison {
  readonly ours: readonly Usage[];
  /** Empty where it isn't installed, would take too long, or did. */
  readonly theirs: readonly Usage[];
}

/** Both programs in turn on the same file, so that what else the machine does falls on both. */
function compare(file: string, rounds: number, withTheirs: boolean): Comparison {
  const ours: Usage[] = [];
  const theirs: Usage[] = [];
  const args = ['-x', file, '-G', `${scratch}/graph`];
  let goesOn = withTheirs;
  for (let round = 0; round < rounds; round++) {
    const usage = goesOn ? measure([THEIRS, ...args], LIMIT_SECONDS, scratch) : undefined;
    if (usage) theirs.push(usage);
    else goesOn = false;
    ours.push(measureOurs(args));
  }
  return { ours, theirs };
}

function measureOurs(args: readonly string[]): Usage {
  const usage = measure([OURS, ...args], LIMIT_SECONDS, scratch);
  if (!usage) throw new Error(`crm_simulate ${args.join(' ')} took more than ${LIMIT_SECONDS} s`);
  return usage;
}

/** Median of the rounds' ratios. */
function ratioOf({ ours, theirs }: Comparison, key: 'cpu' | 'wall'): number {
  return median(theirs.map((usage, round) => (ours[round]?.[key] ?? Number.NaN) / usage[key]));
}

const range = (values: readonly number[]): string => `${seconds(Math.min(...values))}–${seconds(median(values))}`;

function columns(usages: readonly Usage[]): string[] {
  if (usages.length === 0) return ['–', '–', '–'];
  return [range(cpuOf(usages)), range(usages.map(({ wall }) => wall)), Math.max(...usages.map(({ peak }) => peak)).toFixed(0)];
}

const USAGE_COLUMNS = ['CPU s', 'wall s', 'MiB'];

function inputs(kind: 'mixed' | 'exclusive', { nodes, resources }: ClusterSize): string {
  const directory = `${scratch}/${kind}-${nodes}`;
  runNode(program('make-inputs'), [kind, String(nodes), String(resources), directory]);
  return directory;
}

/** The room for new objects that the worker gives its scheduling threads (apps/worker, schedule-pool.ts), in MB. */
const AS_WORKER = ['--max-semi-space-size=64'];

function warm(file: string, runs: number, scores = false): Pick<Usage, 'cpu' | 'wall'>[] {
  const args = [file, String(runs), scores ? 'scores' : ''];
  return JSON.parse(runNode(program('warm'), args, AS_WORKER)) as Pick<Usage, 'cpu' | 'wall'>[];
}

const wholeProcesses: string[][] = [];
const growth: string[][] = [];
const simulations: string[][] = [];

function measureStep(step: Step): void {
  const { resources, rounds, warmRuns } = step;
  const directory = inputs('mixed', step);
  for (const state of ['cold', 'settled'] as const) {
    const file = `${directory}/${state}.xml`;
    const comparison = compare(file, rounds, theirsInstalled && resources <= THEIRS_UP_TO_RESOURCES);
    const compared = comparison.theirs.length > 0;
    const ratios = (['cpu', 'wall'] as const).map((key) => (compared ? ratioOf(comparison, key).toFixed(2) : '–'));
    wholeProcesses.push([nameOf(step), state, ...columns(comparison.ours), ...columns(comparison.theirs), ...ratios]);
    if (compared && resources === 500) target(`${nameOf(step)} ${state}: CPU time / Pacemaker's`, ratioOf(comparison, 'cpu'), 0.5);
    if (compared && resources === 1_000) {
      target(`${nameOf(step)} ${state}: CPU time / Pacemaker's`, ratioOf(comparison, 'cpu'), state === 'cold' ? 0.1 : 0.5);
    }
    if (resources === 2_000 && state === 'cold') {
      target(`${nameOf(step)} cold: CPU time`, least(comparison.ours), 10, ' s');
      target(`${nameOf(step)} cold: memory`, Math.max(...comparison.ours.map(({ peak }) => peak)), 2_048, ' MiB');
    }
    if (warmRuns > 0) growing.push({ step, state, file, rounds: [] });
  }
  if (resources === 500 || resources === 1_000) measureSimulation(step, `${directory}/cold.xml`);
  if (resources === 1_000 || (quick && resources === 500)) measureWarm(step, `${directory}/failed.xml`);
}

function target(what: string, measured: number, atMost: number, unit = ''): void {
  targets.push({ what, measured, atMost, unit });
}

/** A file that is scheduled again and again in one process: without the start, the reading of XML and the engine's warming up. */
interface Growing {
  readonly step: Step;
  readonly state: State;
  readonly file: string;
  /** What the runs of each round took. */
  readonly rounds: (readonly Pick<Usage, 'cpu'>[])[];
}

const growing: Growing[] = [];

function measureGrowth(): void {
  for (let round = 1; round <= GROWTH_ROUNDS; round++) {
    console.log(`measuring growth, round ${round} of ${GROWTH_ROUNDS} …`);
    for (const { step, file, rounds } of growing) rounds.push(warm(file, step.warmRuns));
  }
  for (const one of growing) {
    growth.push([nameOf(one.step), one.state, range(one.rounds.flatMap(cpuOf)), perUnit(one).toFixed(1)]);
  }
  if (quick) return;
  for (const state of ['cold', 'settled'] as const) {
    const values = growing.filter((one) => one.state === state).map(perUnit);
    target(`growth, ${state}: time per node and resource / that of a smaller cluster, at its worst`, worstGrowth(values), 1.25 / 0.75);
  }
}

/**
 * Microseconds per node and resource, on the average of the quietest round: small clusters are often scheduled without any collection of memory, which
 * the next run then has to make up for.
 */
function perUnit({ step: { nodes, resources }, rounds }: Growing): number {
  const means = rounds.map((usages) => cpuOf(usages).reduce((sum, cpu) => sum + cpu, 0) / usages.length);
  return (Math.min(...means) / (nodes * resources)) * 1_000_000;
}

/** How many times as much a later value is as an earlier one, at most. */
function worstGrowth(values: readonly number[]): number {
  return Math.max(...values.flatMap((larger, index) => values.slice(0, index).map((smaller) => larger / smaller)));
}

/** The simulator beside the scheduling alone, as whole processes. */
function measureSimulation(step: Step, file: string): void {
  const ratios: number[] = [];
  for (let round = 0; round < step.rounds; round++) {
    const scheduling = measureOurs(['-x', file, '-G', `${scratch}/graph`]);
    ratios.push(measureOurs(['-x', file, '-S']).cpu / scheduling.cpu);
  }
  simulations.push([nameOf(step), median(ratios).toFixed(2)]);
  target(`${nameOf(step)} cold: CPU time of -S / of scheduling`, median(ratios), 2);
}

const warmRows: string[][] = [];

function measureWarm(step: Step, file: string): void {
  for (const scores of [false, true]) {
    const usages = warm(file, step.warmRuns * 4, scores);
    warmRows.push([
      nameOf(step),
      scores ? 'with the score listing' : 'without scores',
      range(cpuOf(usages)),
      range(usages.map(({ wall }) => wall)),
    ]);
    if (step.resources === 1_000) {
      target(
        `${nameOf(step)} settled, a monitor failed, warm${scores ? ', with scores' : ''}: wall time`,
        Math.min(...usages.map(({ wall }) => wall)) * 1_000,
        150,
        ' ms',
      );
    }
  }
}

function measureExclusive(): string[] {
  const directory = inputs('exclusive', EXCLUSIVE);
  const { ours } = compare(`${directory}/lost.xml`, EXCLUSIVE_ROUNDS, false);
  target(`${nameOf(EXCLUSIVE)} exclusive, a node lost: CPU time`, least(ours), 10, ' s');
  target(`${nameOf(EXCLUSIVE)} exclusive, a node lost: memory`, Math.max(...ours.map(({ peak }) => peak)), 4_096, ' MiB');
  rmSync(directory, { recursive: true });
  return [nameOf(EXCLUSIVE), ...columns(ours)];
}

try {
  if (!theirsInstalled) console.log(`${THEIRS} is missing (Debian's pacemaker-cli-utils): only our times follow.\n`);
  for (const step of steps) {
    console.log(`measuring ${nameOf(step)} …`);
    measureStep(step);
  }
  measureGrowth();
  const exclusive = quick ? undefined : measureExclusive();
  console.log(`\n${cpus().length} processors, Node.js ${process.versions.node}; times: least–median\n`);
  const both = ['', ...USAGE_COLUMNS.map((name) => `Systole ${name}`), ...USAGE_COLUMNS.map((name) => `Pacemaker ${name}`)];
  say(table(['nodes × resources', 'state', ...both.slice(1), 'CPU ratio', 'wall ratio'], wholeProcesses));
  if (exclusive) say(table(['nodes × resources, exclusive, a node lost', ...USAGE_COLUMNS], [exclusive]));
  say(table(['settled, a monitor failed, warm', 'listing', 'CPU s', 'wall s'], warmRows));
  say(table(['nodes × resources', 'state', 'warm CPU s', 'mean µs per node and resource'], growth));
  say(table(['nodes × resources, cold', 'CPU time of -S / of scheduling'], simulations));
  say(table(['target', 'measured', 'at most', ''], targetRows(targets)));
  if (write) writeTables();
  process.exitCode = targets.every(isReached) ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true });
}

/** Replaces what stands between the document's two marks. */
function writeTables(): void {
  const [begin, end] = ['<!-- measured: begin -->', '<!-- measured: end -->'];
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${DOCUMENT} lacks the marks ${begin} and ${end}`);
  writeFileSync(DOCUMENT, `${before}${begin}\n\n${output.join('\n\n')}\n\n${end}${after}`);
}
