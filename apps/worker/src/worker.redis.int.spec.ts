import { describeWorker } from './testing/worker-suite.js';

/** A Redis database of its own, as suites that run at the same time use the same server. */
const database = 1 + (Number(process.env['VITEST_POOL_ID'] ?? 1) % 15);
const { REDIS_URL } = process.env;

describeWorker('Redis', REDIS_URL === undefined ? undefined : { redisUrl: new URL(`/${String(database)}`, REDIS_URL).toString() });
