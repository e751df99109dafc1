import { createScratchDatabase, FallingSilent } from '@systole/event-store/testing';
import { describe, expect, it } from 'vitest';
import { apiUnderTest, CIB } from '../testing/api-under-test.js';

describe('an api whose connections to the database fall silent', () => {
  it(
    'says so to whoever asks how it is, within seconds, and serves again by itself within half a minute',
    { timeout: 90_000 },
    async () => {
      const database = await createScratchDatabase();
      const way = await FallingSilent.before(database.url);
      const under = await apiUnderTest({ databaseUrl: way.url });
      const id = await under.cluster('silent', CIB);
      const asked = async (path: string): Promise<{ readonly status: number; readonly ms: number; readonly text: string }> => {
        const start = performance.now();
        const { status, text } = await under.call('GET', path, { token: null });
        return { status, ms: performance.now() - start, text };
      };
      expect((await asked('/health/ready')).status).toBe(200);
      // One question alone would close the only connection that is idle: keep them in use.
      await Promise.all(Array.from({ length: 20 }, () => under.call('GET', `/v1/clusters/${id}/status`)));
      way.fallSilent();
      const metrics = await asked('/metrics');
      await expect
        .poll(() => asked('/health/ready'), { timeout: 8_000, interval: 200 })
        .toMatchObject({ status: 503, text: expect.stringContaining('no answer within 800 ms') as string });
      expect((await asked('/health/ready')).ms).toBeLessThan(1_500);
      expect(metrics.status).toBe(200);
      expect(metrics.ms).toBeLessThan(4_000);
      await expect
        .poll(async () => (await under.call('GET', `/v1/clusters/${id}/status`)).status, { timeout: 30_000, interval: 500 })
        .toBe(200);
      await expect.poll(async () => (await asked('/health/ready')).status, { timeout: 30_000, interval: 500 }).toBe(200);
      await way.close();
      await under.close();
      await database.drop();
    },
  );
});

describe('an api that can read a part of the database only', () => {
  it('is not ready for long by what it read before: nobody whom it does not know already can be let in', { timeout: 40_000 }, async () => {
    const under = await apiUnderTest();
    const ready = async (): Promise<number> => (await under.call('GET', '/health/ready', { token: null })).status;
    expect(await ready()).toBe(200);
    const stranger = await under.database.pool.connect();
    try {
      await stranger.query('BEGIN');
      await stranger.query('LOCK TABLE tokens IN ACCESS EXCLUSIVE MODE');
      await expect.poll(ready, { timeout: 20_000, interval: 500 }).toBe(503);
      await stranger.query('ROLLBACK');
      await expect.poll(ready, { timeout: 20_000, interval: 500 }).toBe(200);
    } finally {
      stranger.release(true);
      await under.close();
    }
  });
});
