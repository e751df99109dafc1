import { describe, expect, it } from 'vitest';
import { eventually, gate, pause, RecordedRuns } from './testing/runs.js';
import { onEachBackend } from './testing/suite.js';

await onEachBackend('advance jobs', (bench) => {
  it('coalesce while one waits', async () => {
    const queues = await bench.open();
    for (let i = 0; i < 20; i += 1) await queues.enqueueAdvance('c1');
    const runs: RecordedRuns = new RecordedRuns();
    await bench.consume(queues, runs);
    await eventually('a run', () => runs.advances.length > 0);
    await pause(300);
    expect(runs.advances).toHaveLength(1);
  });

  it('are followed by exactly one more when triggered while one runs', async () => {
    const queues = await bench.open();
    const first = gate();
    const runs: RecordedRuns = new RecordedRuns(() => (runs.advances.length === 1 ? first.opened : undefined));
    await bench.consume(queues, runs);
    await queues.enqueueAdvance('c1');
    await eventually('the first run', () => runs.advances.length === 1);
    await Promise.all(Array.from({ length: 20 }, () => queues.enqueueAdvance('c1')));
    await pause(200);
    expect(runs.advances).toHaveLength(1);
    first.open();
    await eventually('the second run', () => runs.advances.length === 2);
    await pause(300);
    expect(runs.advances).toHaveLength(2);
  });

  it('run afresh for a trigger after the end', async () => {
    const queues = await bench.open();
    const runs: RecordedRuns = new RecordedRuns();
    await bench.consume(queues, runs);
    for (let i = 1; i <= 5; i += 1) {
      await queues.enqueueAdvance('c1');
      await eventually(`run ${i}`, () => runs.advances.length === i && runs.advances.every((run) => run.endedAt !== undefined));
      await pause(20);
    }
    expect(runs.advances).toHaveLength(5);
  });

  it('of different clusters run side by side, up to the concurrency', async () => {
    const queues = await bench.open();
    const all = gate();
    const runs: RecordedRuns = new RecordedRuns(() => all.opened);
    await bench.consume(queues, runs, 3);
    for (const cluster of ['c1', 'c2', 'c3', 'c4']) await queues.enqueueAdvance(cluster);
    await eventually('three runs', () => runs.advances.length === 3);
    await pause(200);
    expect(runs.advances).toHaveLength(3);
    all.open();
    await eventually('all four', () => runs.advances.length === 4);
    expect(runs.advances.map((run) => run.of).sort()).toEqual(['c1', 'c2', 'c3', 'c4']);
  });

  describe('under a storm of triggers from several processes', () => {
    it('lose no last trigger and never run twice at once for a cluster', async () => {
      const clusters = ['c1', 'c2', 'c3'];
      const [one, two] = [await bench.open(), await bench.open()];
      const runs: RecordedRuns = new RecordedRuns(() => pause(Math.random() * 15));
      await bench.consume(one, runs);
      await bench.consume(two, runs);
      const lastTrigger = new Map<string, number>();
      const storm = async (queues: typeof one): Promise<void> => {
        for (let i = 0; i < 60; i += 1) {
          const cluster = clusters[Math.floor(Math.random() * clusters.length)] ?? 'c1';
          lastTrigger.set(cluster, Date.now());
          await queues.enqueueAdvance(cluster);
          await pause(Math.random() * 10);
        }
      };
      await Promise.all([storm(one), storm(two)]);
      const runsOf = (cluster: string) => runs.advances.filter((run) => run.of === cluster);
      for (const cluster of clusters) {
        await eventually(`a run of ${cluster} after its last trigger`, () => {
          const last = runsOf(cluster).at(-1);
          return last?.endedAt !== undefined && last.startedAt >= (lastTrigger.get(cluster) ?? 0);
        });
        const ordered = runsOf(cluster);
        for (const [index, run] of ordered.entries()) {
          const next = ordered[index + 1];
          if (next !== undefined) expect(next.startedAt).toBeGreaterThanOrEqual(run.endedAt ?? Number.POSITIVE_INFINITY);
        }
      }
    });
  });
});
