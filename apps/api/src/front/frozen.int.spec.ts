import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnApi, type ApiProcess } from '../testing/api-process.js';
import { ADMIN } from '../testing/api-under-test.js';

/** How long a thread may say nothing, ms. */
const HANGS_AFTER_MS = 5_000;

describe('an api that was frozen whole', () => {
  let database: ScratchDatabase;
  let api: ApiProcess;
  beforeAll(async () => {
    database = await createScratchDatabase();
    api = await spawnApi({ DATABASE_URL: database.url, SYSTOLE_ADMIN_TOKEN: ADMIN, SYSTOLE_OPERATORS_HANG_MS: String(HANGS_AFTER_MS) });
  }, 60_000);
  afterAll(async () => {
    await api.kill();
    await database.drop();
  });

  it('goes on with the thread that it had, which was not silent for itself', { timeout: 60_000 }, async () => {
    const metrics = async (): Promise<string> => (await fetch(`${api.url}/metrics`)).text();
    expect(await metrics()).toMatch(/^systole_operators_thread_silence_seconds [0-2]/m);
    await api.freeze(2 * HANGS_AFTER_MS);
    const answer = await fetch(`${api.url}/v1/clusters`, { headers: { authorization: `Bearer ${ADMIN}` } });
    expect(answer.status).toBe(200);
    const text = await metrics();
    expect(text).toContain('systole_operators_thread_ends_total{reason="hung"} 0');
    expect(text).toContain('systole_operators_thread_ends_total{reason="broke"} 0');
    expect(await (await fetch(`${api.url}/health/ready`)).json()).toMatchObject({ details: { operators: { status: 'up' } } });
  });
});
