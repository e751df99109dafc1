import type { QueueBackend } from '../configuration.js';
import { openQueues } from '../queues.js';

/**
 * A consumer in a process of its own, for tests that kill it. Arguments: `postgres` or `redis`, the server's URL, the prefix. It prints `ready`,
 * `started <cluster>` for each advance, which it never finishes, and `fired <key> <ms after its time>` for each timer, which it finishes at once.
 */
const [backend, url, prefix] = process.argv.slice(2);
if (url === undefined || prefix === undefined) throw new Error('usage: worker-process.js postgres|redis <url> <prefix>');
const config: QueueBackend =
  backend === 'redis' ? { backend: 'redis', redisUrl: url, installation: 'tested' } : { backend: 'postgres', databaseUrl: url };
const queues = await openQueues(config, { prefix, timing: { lockMs: 1_000, stalledCheckMs: 500 } });
const forever = new Promise<void>(() => undefined);
await queues.consume(
  {
    advance(job) {
      console.log(`started ${job.clusterId}`);
      return forever;
    },
    timer(job) {
      console.log(`fired ${job.key} ${Date.now() - job.at}`);
      return Promise.resolve();
    },
  },
  { concurrency: 4 },
);
console.log('ready');
