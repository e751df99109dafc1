import { expect, it } from 'vitest';
import { FAULT_KINDS } from './faults/plan.js';
import { renderOutcome } from './report.js';
import { runChaos } from './run-chaos.js';

/** Five rounds with eight kinds of faults in them: apis, workers, Redis and nodes are struck. */
const SEED = 5824;
const LENGTH_MS = 45_000;
/** These are tried by `npm run chaos`: what is right after them takes longer than a short run. */
const LONG_RUNS_ONLY = ['restored-database', 'disk-full', 'maintenance', 'cloned-machine'];

it('keeps its promises under fire: a short run on real processes', { timeout: 300_000 }, async () => {
  const story: string[] = [];
  const outcome = await runChaos({
    seed: SEED,
    leaseMs: 6_000,
    lengthMs: LENGTH_MS,
    kinds: FAULT_KINDS.filter((kind) => !LONG_RUNS_ONLY.includes(kind)),
    tell: (line) => story.push(line),
    signal: new AbortController().signal,
    keep: () => Promise.resolve(),
  });
  expect(
    outcome.violations.map(({ text }) => text),
    `${renderOutcome(outcome)}\n\n${story.join('\n')}`,
  ).toEqual([]);
  expect(new Set(outcome.recoveries.flatMap(({ kinds }) => kinds)).size, story.join('\n')).toBeGreaterThanOrEqual(6);
});
