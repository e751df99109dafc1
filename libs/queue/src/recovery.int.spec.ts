import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Queue, type IQueueBackend } from 'bullmq';
import { afterEach, describe, expect, it } from 'vitest';
import { postgresBackendFactory } from './backend/postgres-backend.js';
import { redisBackendFactory } from './backend/redis-backend.js';
import type { JobFailure, QueueBackend } from './configuration.js';
import { QueueClosed, QueueUnavailable } from './errors.js';
import { openQueues } from './queues.js';
import { printed } from './testing/processes.js';
import { eventually, gate, pause, RecordedRuns } from './testing/runs.js';
import { onEachBackend, QUICK, type Bench } from './testing/suite.js';

/** The compiled consumer process (`npm test` builds before it tests). */
const WORKER_PROCESS = fileURLToPath(new URL('../dist/testing/worker-process.js', import.meta.url));

/** BullMQ's own view of the queue, to store what this version would not and to count what is kept. */
function rawQueue({
  backend: { config, prefix: namespace },
}: Bench): Queue<unknown, null, string, unknown, null, string, IQueueBackend, QueueBackend> {
  const prefix = config.backend === 'redis' ? `${namespace}:${config.installation}` : namespace;
  const factory = config.backend === 'postgres' ? postgresBackendFactory(config, prefix) : redisBackendFactory(config, prefix, QUICK);
  return new Queue('cluster', { connection: config, prefix }, factory);
}

await onEachBackend('a job', (bench) => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function startWorkerProcess(): Promise<ChildProcess> {
    const { config, prefix } = bench.backend;
    const url = config.backend === 'postgres' ? config.databaseUrl : config.redisUrl;
    const child = spawn(process.execPath, [WORKER_PROCESS, config.backend, url, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await printed(child, 'ready');
    return child;
  }

  it('that two processes are given before its time is put back until then, and run once', async () => {
    const fired: { readonly key: string; readonly lateMs: number }[] = [];
    for (const child of [await startWorkerProcess(), await startWorkerProcess()]) {
      if (child.stdout === null) throw new Error('its output is piped');
      createInterface(child.stdout).on('line', (line) => {
        const [word, key = '', lateMs] = line.split(' ');
        if (word === 'fired') fired.push({ key, lateMs: Number(lateMs) });
      });
    }
    const raw = rawQueue(bench);
    const keys = Array.from({ length: 200 }, (_, index) => `t${index}`);
    try {
      const at = Date.now() + 3_000;
      // As of a producer whose clock is ahead: due, by what the queue knows.
      for (const key of keys) await raw.add('timer', { clusterId: 'c1', kind: 'recheck', key, at: at + (Number(key.slice(1)) % 20) * 25 });
      await eventually('all timers', () => fired.length >= keys.length);
      await pause(500);
      expect(fired.map(({ key }) => key).sort()).toEqual([...keys].sort());
      expect(Math.min(...fired.map(({ lateMs }) => lateMs))).toBeGreaterThanOrEqual(0);
      expect(await raw.getJobCounts('wait', 'active', 'delayed', 'failed')).toEqual({ wait: 0, active: 0, delayed: 0, failed: 0 });
    } finally {
      await raw.close();
    }
  });

  it('whose handler throws is run again, less and less often', async () => {
    const failures: JobFailure[] = [];
    const queues = await bench.open({ onJobFailed: (failure) => failures.push(failure) });
    const runs: RecordedRuns = new RecordedRuns(() => {
      if (runs.advances.length < 4) throw new Error('database is restarting');
    });
    await bench.consume(queues, runs);
    await queues.enqueueAdvance('c1');
    await eventually('the fourth run', () => runs.advances.length === 4);
    await pause(300);
    expect(runs.advances.map((run) => run.attempt)).toEqual([1, 2, 3, 4]);
    const waits = runs.advances.slice(1).map((run, index) => run.startedAt - (runs.advances[index]?.endedAt ?? 0));
    for (const [index, least] of [50, 100, 200].entries()) expect(waits[index]).toBeGreaterThanOrEqual(least);
    expect(failures).toMatchObject(
      [1, 2, 3].map((attempt) => ({
        name: 'advance',
        data: { clusterId: 'c1' },
        attempt,
        willRetry: true,
        error: { message: 'database is restarting' },
      })),
    );
  });

  it('that fails again and again is given up, and a later trigger starts anew', async () => {
    const failures: JobFailure[] = [];
    const queues = await bench.open({ attempts: 3, onJobFailed: (failure) => failures.push(failure) });
    const runs: RecordedRuns = new RecordedRuns(() => {
      if (runs.advances.length <= 3) throw new Error('no');
    });
    await bench.consume(queues, runs);
    await queues.enqueueAdvance('c1');
    await eventually('three failures', () => failures.length === 3);
    expect(failures.map((failure) => failure.willRetry)).toEqual([true, true, false]);
    await queues.enqueueAdvance('c1');
    await eventually('a new job', () => runs.advances.length === 4);
    expect(runs.advances.at(-1)?.attempt).toBe(1);
  });

  it('that fails keeps a trigger that came while it ran', async () => {
    const queues = await bench.open({ attempts: 1 });
    const first = gate();
    const runs: RecordedRuns = new RecordedRuns(async () => {
      if (runs.advances.length > 1) return;
      await first.opened;
      throw new Error('no');
    });
    await bench.consume(queues, runs);
    await queues.enqueueAdvance('c1');
    await eventually('the first run', () => runs.advances.length === 1);
    await queues.enqueueAdvance('c1');
    first.open();
    await eventually('the run for the second trigger', () => runs.advances.length === 2);
  });

  it('that this version cannot read is reported and not run again', async () => {
    const failures: JobFailure[] = [];
    const queues = await bench.open({ onJobFailed: (failure) => failures.push(failure) });
    const raw = rawQueue(bench);
    await raw.add('compact', { clusterId: 'c1' }, { attempts: 5 });
    const runs = new RecordedRuns();
    await bench.consume(queues, runs);
    await eventually('the report', () => failures.length === 1);
    await pause(300);
    expect(failures).toMatchObject([{ name: 'compact', willRetry: false }]);
    expect(failures[0]?.error.message).toContain('unknown name "compact"');
    expect(runs.advances).toEqual([]);
    await raw.close();
  });

  it('that is done is kept for a while, but not many are', async () => {
    const queues = await bench.open();
    const runs = new RecordedRuns();
    await bench.consume(queues, runs, 16);
    for (let begin = 0; begin < 250; begin += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => queues.enqueueAdvance(`c${begin + index}`)));
    }
    await eventually('all runs', () => runs.advances.length === 250);
    const raw = rawQueue(bench);
    await eventually('none waiting', async () => (await raw.getJobCountByTypes('wait', 'active')) === 0);
    expect(await raw.getCompletedCount()).toBeGreaterThan(0);
    // Those that finish at the same moment do not see one another; one that finishes alone removes what they left.
    await queues.enqueueAdvance('alone');
    await eventually('the surplus is gone', async () => (await raw.getCompletedCount()) <= 100);
    await raw.close();
  });

  it('whose worker process is killed is run again by another, and so is a trigger that came in between', async () => {
    const stalled: string[] = [];
    const child = await startWorkerProcess();
    const queues = await bench.open({ onJobStalled: (id) => stalled.push(id) });
    await queues.enqueueAdvance('c1');
    await printed(child, 'started c1');
    await queues.enqueueAdvance('c1');
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    await queues.enqueueAdvance('c1');
    const runs = new RecordedRuns();
    await bench.consume(queues, runs);
    await eventually('the run of the killed job and the one for the triggers', () => runs.advances.length === 2);
    await pause(500);
    expect(runs.advances).toHaveLength(2);
    expect(stalled).toHaveLength(1);
  });

  it('whose worker process is killed while others work is taken over by one of them', async () => {
    const queues = await bench.open();
    const child = await startWorkerProcess();
    await queues.enqueueAdvance('c1');
    await printed(child, 'started c1');
    const runs = new RecordedRuns();
    await bench.consume(queues, runs);
    const killedAt = Date.now();
    child.kill('SIGKILL');
    await eventually('the takeover', () => runs.advances.length === 1);
    expect(Date.now() - killedAt).toBeLessThan(QUICK.lockMs + 2 * QUICK.stalledCheckMs + 3_000);
  });

  it('that runs for longer than its lock is not taken for stalled', async () => {
    const stalled: string[] = [];
    const queues = await bench.open({ onJobStalled: (id) => stalled.push(id) });
    const runs = new RecordedRuns(() => pause(QUICK.lockMs + 4 * QUICK.stalledCheckMs));
    await bench.consume(queues, runs);
    await bench.consume(await bench.open(), runs);
    await queues.enqueueAdvance('c1');
    await eventually('the end of the run', () => runs.advances[0]?.endedAt !== undefined);
    await pause(500);
    expect(runs.advances).toHaveLength(1);
    expect(stalled).toEqual([]);
  });

  describe('when its consumer closes', () => {
    it('is waited for', async () => {
      const queues = await bench.open();
      const runs = new RecordedRuns(() => pause(500));
      const consumer = await bench.consume(queues, runs);
      await queues.enqueueAdvance('c1');
      await eventually('the run', () => runs.advances.length === 1);
      await consumer.close();
      expect(runs.advances[0]?.endedAt).toBeDefined();
      await queues.enqueueAdvance('c1');
      await pause(300);
      expect(runs.advances).toHaveLength(1);
    });

    it('is told to stop when it takes too long, and runs again elsewhere', async () => {
      const queues = await bench.open({ timing: { closeWithinMs: 300 } });
      const end = gate();
      let aborted = false;
      const stubborn = new RecordedRuns(async (_of, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        await end.opened;
      });
      const consumer = await bench.consume(queues, stubborn);
      await queues.enqueueAdvance('c1');
      await eventually('the run', () => stubborn.advances.length === 1);
      await consumer.close();
      expect(aborted).toBe(true);
      const runs = new RecordedRuns();
      await bench.consume(await bench.open(), runs);
      await eventually('the run elsewhere', () => runs.advances.length === 1);
      end.open();
    });
  });

  it('stored in a queue that was wiped is lost, but the next trigger works as ever', async () => {
    const queues = await bench.open();
    const first = gate();
    const runs: RecordedRuns = new RecordedRuns(() => (runs.advances.length === 1 ? first.opened : undefined));
    await bench.consume(queues, runs);
    await queues.enqueueAdvance('c1');
    await eventually('the run', () => runs.advances.length === 1);
    await queues.enqueueAdvance('c1');
    await queues.scheduleTimer({ clusterId: 'c1', kind: 'recheck', key: 't', at: Date.now() + 500 });
    await bench.backend.wipe();
    first.open();
    await eventually('a run after the wipe', async () => {
      await queues.enqueueAdvance('c1');
      return runs.advances.length >= 2;
    });
    await queues.scheduleTimer({ clusterId: 'c1', kind: 'recheck', key: 't', at: Date.now() + 300 });
    await eventually('the timer, set again', () => runs.timers.length === 1);
  });
});

await onEachBackend('the queue', (bench) => {
  it('says how it is', async () => {
    const queues = await bench.open();
    await queues.enqueueAdvance('c1');
    await queues.scheduleTimer({ clusterId: 'c1', kind: 'recheck', key: 't', at: Date.now() + 60_000 });
    const { backend } = bench.backend.config;
    expect(await queues.health()).toMatchObject({ status: 'up', backend, jobs: { waiting: 1, active: 0, delayed: 1 } });
    await queues.close();
    expect(await queues.health()).toEqual({ status: 'down', backend, error: 'closed' });
  });

  it('keeps namespaces apart', async () => {
    const queues = await bench.open();
    const elsewhere = await openQueues(bench.backend.config, { prefix: `${bench.backend.prefix}_b`, timing: QUICK });
    const runs = new RecordedRuns();
    await elsewhere.consume(runs, { concurrency: 1 });
    await queues.enqueueAdvance('c1');
    await pause(500);
    expect(runs.advances).toEqual([]);
    await elsewhere.close();
  });

  it('refuses work after close', async () => {
    const queues = await bench.open();
    await queues.close();
    await expect(queues.enqueueAdvance('c1')).rejects.toThrow(QueueClosed);
    await expect(queues.cancelTimer('t')).rejects.toThrow(QueueClosed);
    await expect(queues.consume(new RecordedRuns(), { concurrency: 1 })).rejects.toThrow(QueueClosed);
  });
});

describe('opening a queue whose server is not there', () => {
  it.each<QueueBackend>([
    { backend: 'postgres', databaseUrl: 'postgres://postgres@127.0.0.1:1/postgres' },
    { backend: 'redis', redisUrl: 'redis://127.0.0.1:1', installation: 'tested' },
  ])('is given up in time: $backend', async (config) => {
    const errors: Error[] = [];
    const start = performance.now();
    const opening = openQueues(config, { timing: { ...QUICK, connectWithinMs: 1_000 }, onBackendError: (error) => errors.push(error) });
    await expect(opening).rejects.toThrow(QueueUnavailable);
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(errors.length).toBeGreaterThan(0);
  });
});
