import { describe, expect, it } from 'vitest';
import { FAULT_KINDS } from './faults.js';
import { BrokenRun, simulate } from './simulation.js';

/** `npm run sim` runs as many others as one likes. */
const SEEDS = 120;
/** Lines of a broken run's timeline that a report shows. */
const SHOWN = 60;

describe('a simulated cluster', () => {
  it(`keeps its rules and recovers (${String(SEEDS)} seeds)`, { timeout: 600_000 }, async () => {
    const kinds = new Set<string>();
    let fencings = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const outcome = await simulate(seed).catch((error: unknown) => {
        if (!(error instanceof BrokenRun)) throw error;
        throw new Error(`${error.message}\n${error.timeline.slice(-SHOWN).join('\n')}\nreplay: npm run sim -- --seed ${String(seed)}`);
      });
      for (const kind of Object.keys(outcome.faults)) kinds.add(kind);
      fencings += outcome.fencings;
    }
    // Whatever can go wrong went wrong somewhere.
    expect([...kinds].sort()).toEqual([...FAULT_KINDS].sort());
    expect(fencings).toBeGreaterThan(SEEDS / 10);
  });

  it('replays exactly', async () => {
    for (const seed of [7, 21]) expect(await simulate(seed)).toEqual(await simulate(seed));
  });
});
