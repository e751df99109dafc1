import { describe, expect, it } from 'vitest';
import { simulate } from './simulation.js';

/**
 * `CHAOS_SEED=123` runs that seed alone; `CHAOS_SEEDS=5000` runs so many. A failure names its seed.
 */
describe('a cluster under chaos', () => {
  const only = process.env['CHAOS_SEED'];
  const seeds =
    only === undefined ? Array.from({ length: Number(process.env['CHAOS_SEEDS'] ?? 150) }, (_, index) => index + 1) : [Number(only)];

  it(`keeps its safety rules and settles (${String(seeds.length)} seeds)`, { timeout: 600_000 }, () => {
    let fencings = 0;
    let transitions = 0;
    for (const seed of seeds) {
      try {
        const outcome = simulate(seed);
        fencings += outcome.fencings;
        transitions += outcome.transitions;
      } catch (thrown) {
        throw new Error(`seed ${String(seed)} (replay with CHAOS_SEED=${String(seed)}): ${thrown instanceof Error ? thrown.message : ''}`, {
          cause: thrown,
        });
      }
    }
    expect(transitions).toBeGreaterThan(seeds.length);
    if (only === undefined) expect(fencings).toBeGreaterThan(0);
  });

  it('replays exactly', () => {
    expect(simulate(7)).toEqual(simulate(7));
  });
});
