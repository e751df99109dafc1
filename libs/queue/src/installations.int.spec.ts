import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { openQueues, type Queues } from './queues.js';
import type { RedisQueueBackendConfig } from './configuration.js';
import { eventually, pause, RecordedRuns } from './testing/runs.js';
import { onEachBackend, QUICK, type Bench } from './testing/suite.js';

/** A database belongs to one installation. */
const ONLY = 'redis';

const behaviour = (bench: Bench): void => {
  it('that share a Redis never take one another’s jobs', async () => {
    const { config, prefix } = bench.backend;
    if (config.backend !== 'redis') throw new Error(`this is ${config.backend}`);
    const opened: Queues[] = [];
    const open = async (installation: string): Promise<Queues> => {
      const queues = await openQueues({ ...config, installation } satisfies RedisQueueBackendConfig, { prefix, timing: QUICK });
      opened.push(queues);
      return queues;
    };
    const [one, other] = [await open('one'), await open('other')];
    const runs = { one: new RecordedRuns(), other: new RecordedRuns() };
    await bench.consume(one, runs.one);
    await bench.consume(other, runs.other);
    for (let cluster = 0; cluster < 20; cluster++) await one.enqueueAdvance(`c${String(cluster)}`);
    await one.scheduleTimer({ clusterId: 'c', kind: 'wake', key: 'c:wake', at: Date.now() + 200 });
    await eventually('all runs', () => runs.one.advances.length === 20 && runs.one.timers.length === 1);
    await pause(200);
    expect([runs.other.advances.length, runs.other.timers.length]).toEqual([0, 0]);
    const redis = new Redis(config.redisUrl);
    expect(await redis.keys(`${prefix}:one:*`)).not.toEqual([]);
    expect((await redis.keys(`${prefix}*`)).filter((key) => !/:(one|other):/.test(key))).toEqual([]);
    redis.disconnect();
    await Promise.all(opened.map((queues) => queues.close()));
  });
};

await onEachBackend('two installations', behaviour, ONLY);
