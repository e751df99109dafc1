/**
 * `npm run sim -- --seeds 5000 [--from 1]` runs so many seeds and says what struck how often; `npm run sim -- --seed 123` runs that one alone and
 * prints its timeline. The first broken rule ends it, with the seed and what had happened; with `--all` the run goes on and names each broken seed.
 */
import { parseArgs } from 'node:util';
import { BrokenRun, simulate, type Outcome } from './simulation.js';

const PROGRESS_EVERY_MS = 10_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
});

try {
  if (values.seed === undefined) await runMany(whole(values.from, 'from'), whole(values.seeds, 'seeds'));
  else await runOne(whole(values.seed, 'seed'));
} catch (error) {
  if (!(error instanceof BrokenRun)) throw error;
  print(error.timeline.join('\n'));
  print(`${error.message}\nreplay: npm run sim -- --seed ${String(error.seed)}`);
  process.exitCode = 1;
}

async function runMany(from: number, count: number): Promise<void> {
  const faults = new Map<string, number>();
  let [events, fencings, epochs, virtualMs, slowestMs] = [0, 0, 0, 0, 0];
  const broken: number[] = [];
  let printedAt = performance.now();
  const summary = (done: number): string =>
    `${String(done)} seeds, ${(virtualMs / 3_600_000).toFixed(1)} simulated hours, ${String(events)} events`;
  for (let done = 0; done < count; done++) {
    const outcome = await simulate(from + done).catch((error: unknown) => {
      if (!values.all || !(error instanceof BrokenRun)) throw error;
      broken.push(error.seed);
      print(error.message);
      return undefined;
    });
    if (outcome === undefined) continue;
    for (const [kind, times] of Object.entries(outcome.faults)) faults.set(kind, (faults.get(kind) ?? 0) + times);
    events += outcome.events;
    fencings += outcome.fencings;
    epochs += outcome.epochs;
    virtualMs += outcome.virtualMs;
    slowestMs = Math.max(slowestMs, outcome.recoveredMs);
    if (performance.now() - printedAt < PROGRESS_EVERY_MS) continue;
    printedAt = performance.now();
    print(summary(done + 1));
  }
  print(
    `${summary(count)}, ${String(fencings)} fencings, ${String(epochs)} epochs begun; the slowest recovery took ${String(Math.round(slowestMs / 1000))} s; ${broken.length === 0 ? 'no rule was broken' : `rules were broken in ${String(broken.length)} runs: ${broken.join(' ')}`}`,
  );
  if (broken.length > 0) process.exitCode = 1;
  for (const [kind, times] of [...faults].sort(([, a], [, b]) => b - a)) print(`${String(times).padStart(8)}  ${kind}`);
}

async function runOne(seed: number): Promise<void> {
  const outcome: Outcome = await simulate(seed, print);
  print(JSON.stringify(outcome, undefined, 2));
}

function whole(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} is "${text}": give a whole number from 1 on`);
  return value;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
