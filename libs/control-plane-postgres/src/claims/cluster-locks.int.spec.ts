import { setTimeout as sleep } from 'node:timers/promises';
import { CLAIM_TIMING, ClusterBusy, ClusterLocks } from '@systole/control-plane';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_CHANCE, SYSTEM_CLOCK } from '../process/system-clock.js';
import { PostgresClaims } from './postgres-claims.js';

describe('the lock of a cluster', () => {
  let database: ScratchDatabase;
  const opened: { readonly locks: ClusterLocks; readonly claims: PostgresClaims }[] = [];

  beforeEach(async () => {
    database = await createScratchDatabase();
  });
  afterEach(async () => {
    for (const { locks, claims } of opened.splice(0)) {
      locks.close();
      await claims.close();
    }
    await database.drop();
  });

  function open(timing = CLAIM_TIMING): ClusterLocks {
    const claims = new PostgresClaims(database.url);
    const locks = new ClusterLocks(claims, SYSTEM_CLOCK, SYSTEM_CHANCE, timing);
    opened.push({ locks, claims });
    return locks;
  }

  it('is one worker’s until it lets go, in this process and in others', async () => {
    const [one, other] = [open(), open()];
    const lock = await one.acquire('c1', 0);
    await expect(one.acquire('c1', 0)).rejects.toThrow(ClusterBusy);
    await expect(other.acquire('c1', 0)).rejects.toThrow(ClusterBusy);
    await (await other.acquire('c2', 0)).release();
    await lock.release();
    await (await other.acquire('c1', 0)).release();
  });

  it('stays with a holder that renews it, however long others wait', async () => {
    const [one, other] = [open(), open()];
    const lock = await one.acquire('c1', 0);
    await expect(other.acquire('c1', 6_000)).rejects.toThrow(ClusterBusy);
    expect(lock.signal.aborted).toBe(false);
    await lock.release();
  });

  it('passes within 6 s from a holder that renews it no longer, and only after that one has stopped', async () => {
    const frozen = open({ ...CLAIM_TIMING, renewEveryMs: 600_000 });
    const lock = await frozen.acquire('c1', 0);
    const start = performance.now();
    const taken = await open().acquire('c1', 3_000);
    expect(performance.now() - start).toBeLessThan(6_000);
    expect(lock.signal.aborted).toBe(true);
    await lock.release();
    await expect(open().acquire('c1', 0)).rejects.toThrow(ClusterBusy);
    await taken.release();
  });

  it('is lost by its holder when another has it, and outlives its connection', async () => {
    const locks = open();
    const taken = await locks.acquire('c1', 0);
    await database.pool.query(`UPDATE cluster_claims SET holder = 'another'`);
    await expect.poll(() => taken.signal.aborted).toBe(true);
    await taken.release();
    expect((await database.pool.query('SELECT holder FROM cluster_claims')).rows).toEqual([{ holder: 'another' }]);

    const cut = await locks.acquire('c2', 0);
    await database.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'systole worker locks'`);
    await sleep(CLAIM_TIMING.goodForMs + 500);
    expect(cut.signal.aborted).toBe(false);
    await cut.release();
  });

  it('is good for no longer than its last renewal when the database does not answer', async () => {
    const lock = await open().acquire('c1', 0);
    const gate = await database.pool.connect();
    await gate.query('BEGIN; LOCK TABLE cluster_claims IN ACCESS EXCLUSIVE MODE');
    await sleep(CLAIM_TIMING.goodForMs + 200);
    expect(lock.signal.aborted).toBe(true);
    await gate.query('ROLLBACK');
    gate.release();
    await lock.release();
  });
});
