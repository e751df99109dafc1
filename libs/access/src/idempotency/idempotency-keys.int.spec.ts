import { setTimeout as sleep } from 'node:timers/promises';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdempotencyKeys, type KeyClaim } from './idempotency-keys.js';

let database: ScratchDatabase;

beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());

describe('idempotency keys', () => {
  const request = Buffer.alloc(32, 1);
  const answer = { status: 201, headers: { etag: '"1"' }, body: '{}' };
  const begun = async (keys: IdempotencyKeys, key: string): Promise<KeyClaim> => {
    const found = await keys.begin('t', key, request);
    if (found.state !== 'begun') throw new Error(`${key} is ${found.state}`);
    return found.claim;
  };
  const ageOf = (key: string): Promise<unknown> =>
    database.pool.query(`UPDATE idempotency_keys SET locked_at = now() - interval '2 minutes' WHERE key = $1`, [key]);

  it('are begun once, and give the answer again', async () => {
    const keys = new IdempotencyKeys(database.pool);
    const found = await Promise.all(Array.from({ length: 5 }, () => keys.begin('t', 'k', request)));
    expect(found.map(({ state }) => state).sort()).toEqual(['begun', 'running', 'running', 'running', 'running']);
    for (const one of found) if (one.state === 'begun') await one.claim.finish(answer);
    expect(await keys.begin('t', 'k', request)).toEqual({ state: 'done', answer });
    expect(await keys.begin('t', 'k', Buffer.alloc(32, 2))).toEqual({ state: 'mismatch' });
    expect(await keys.begin('other', 'k', request)).toMatchObject({ state: 'begun' });
  });

  it('stay taken for as long as their request is being done', async () => {
    const keys = new IdempotencyKeys(database.pool, { lockMs: 500 });
    const claim = await begun(keys, 'slow');
    await sleep(1_500);
    expect(await keys.begin('t', 'slow', request)).toEqual({ state: 'running' });
    await claim.finish(answer);
    await sleep(700);
    expect(await keys.begin('t', 'slow', request)).toEqual({ state: 'done', answer });
  });

  it('are free again at once after a refusal, and stay so', async () => {
    const keys = new IdempotencyKeys(database.pool, { lockMs: 500 });
    await (await begun(keys, 'refused')).release();
    await (await begun(keys, 'refused')).release();
  });

  it('are free again at once when nobody knows what became of the request, which is to be looked for then', async () => {
    const keys = new IdempotencyKeys(database.pool);
    const broken = await begun(keys, 'broken');
    await broken.abandon();
    expect(await keys.begin('t', 'broken', request)).toMatchObject({ state: 'begun', repeated: true });
    await broken.finish({ ...answer, status: 500 });
    expect(await keys.begin('t', 'broken', request)).toEqual({ state: 'running' });
  });

  it('are looked at by whoever only asks, which takes them from nobody', async () => {
    const keys = new IdempotencyKeys(database.pool);
    const impatient = new IdempotencyKeys(database.pool, { lockMs: 1 });
    expect(await keys.look('t', 'asked', request)).toEqual({ state: 'none' });
    const claim = await begun(keys, 'asked');
    expect(await keys.look('t', 'asked', request)).toEqual({ state: 'running' });
    expect(await keys.look('t', 'asked', Buffer.alloc(32, 2))).toEqual({ state: 'mismatch' });
    await sleep(5);
    // As after a database that was away for longer than a lock holds: who works on it is about to say how it ended.
    expect(await impatient.look('t', 'asked', request)).toEqual({ state: 'unknown' });
    await claim.finish(answer);
    expect(await keys.look('t', 'asked', request)).toEqual({ state: 'done', answer });
    await database.pool.query(`UPDATE idempotency_keys SET locked_at = now() - interval '25 hours' WHERE key = 'asked'`);
    expect(await keys.look('t', 'asked', request)).toEqual({ state: 'none' });
  });

  it('are free again after the process that began died; it can no longer answer for the next', async () => {
    const keys = new IdempotencyKeys(database.pool);
    const dead = await begun(keys, 'crashed');
    await ageOf('crashed');
    const next = await begun(keys, 'crashed');
    await dead.release();
    await dead.finish({ ...answer, status: 500 });
    expect(await keys.begin('t', 'crashed', request)).toEqual({ state: 'running' });
    await next.finish(answer);
    expect(await keys.begin('t', 'crashed', request)).toEqual({ state: 'done', answer });
  });

  it('are of one cluster, while there is one', async () => {
    const keys = new IdempotencyKeys(database.pool);
    const of = (clusterId: string | undefined): ReturnType<IdempotencyKeys['begin']> => keys.begin('t', 'of-cluster', request, clusterId);
    const first = await of('c1');
    if (first.state !== 'begun') throw new Error(first.state);
    expect(await of('c2')).toEqual({ state: 'other-cluster' });
    await first.claim.abandon();
    expect(await of('c2')).toEqual({ state: 'other-cluster' });
    // It is deleted by now, and no other one has its name yet: whoever looks what became of the request does not forget whose it is.
    const deleted = await of(undefined);
    if (deleted.state !== 'begun') throw new Error(deleted.state);
    expect(deleted.repeated).toBe(true);
    await deleted.claim.finish(answer);
    expect(await of(undefined)).toEqual({ state: 'done', answer });
    expect(await of('c2')).toEqual({ state: 'other-cluster' });
    expect(await of('c1')).toEqual({ state: 'done', answer });
  });

  it('stay of the request that nobody knows the end of: another one does not get them', async () => {
    const keys = new IdempotencyKeys(database.pool);
    await (await begun(keys, 'of-one')).abandon();
    expect(await keys.begin('t', 'of-one', Buffer.alloc(32, 2))).toEqual({ state: 'mismatch' });
    expect(await keys.begin('t', 'of-one', request)).toMatchObject({ state: 'begun', repeated: true });
  });
});
