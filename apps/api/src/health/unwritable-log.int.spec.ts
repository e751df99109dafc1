import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUnderTest, CIB, type ApiUnderTest } from '../testing/api-under-test.js';

/** What PostgreSQL says of a full disk, where a row needs more room: updates in place go on. */
const FULL = `
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'could not extend file "base/1/1": No space left on device' USING ERRCODE = 'disk_full';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION full_disk()`;

describe.each([false, true])('a database whose disk is full (operators apart: %s)', (operatorsApart) => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await apiUnderTest({ operatorsApart });
  });
  afterAll(() => under.close());

  const ready = () => under.call('GET', '/health/ready', { token: null });
  const status = async () => (await under.call('GET', '/v1/clusters/c/status')).json;
  const unwritableSeconds = async (): Promise<number> =>
    Number(/^systole_log_unwritable_seconds (.*)$/m.exec((await under.call('GET', '/metrics', { token: null })).text)?.[1]);

  it('is said by whatever could not be stored, by readiness, status and metrics; and no more when there is room, though nobody writes', async () => {
    await under.cluster('c', CIB);
    expect((await ready()).json).toMatchObject({ details: { log: { status: 'up' } } });
    await under.database.pool.query(FULL);

    expect(await under.call('POST', '/v1/clusters/c/nodes/n1/commands/standby', { body: {} })).toMatchObject({
      status: 503,
      json: {
        type: 'https://systole.dev/problems/database-unavailable',
        trouble: 'disk-full',
        outcome: 'none',
        detail: 'the disk of PostgreSQL is full: it answers, but cannot store anything; nothing was changed: try again later',
      },
    });
    await expect
      .poll(async () => (await ready()).json, { timeout: 4_000 })
      .toMatchObject({
        status: 'degraded',
        details: {
          database: { status: 'up' },
          log: { status: 'down', message: expect.stringContaining('disk of PostgreSQL is full') as string },
        },
      });
    expect((await ready()).status).toBe(200);
    await expect.poll(unwritableSeconds, { timeout: 4_000 }).toBeGreaterThan(0);
    expect(await status()).toMatchObject({
      settled: false,
      troubles: expect.arrayContaining([
        { code: 'log-unwritable', level: 'bad', text: expect.stringContaining('is full') as string },
      ]) as object,
    });

    await under.database.pool.query('DROP TRIGGER full_disk ON events');
    await expect.poll(async () => (await ready()).json, { timeout: 6_000 }).toMatchObject({ details: { log: { status: 'up' } } });
    expect(await unwritableSeconds()).toBe(0);
    await expect.poll(async () => JSON.stringify((await status())['troubles']), { timeout: 6_000 }).not.toContain('log-unwritable');
    const { rows } = await under.database.pool.query(`SELECT FROM events WHERE type = 'Tried'`);
    expect(rows).toEqual([]);
  }, 40_000);

  it('is known also where only another process met it', async () => {
    const beat = `INSERT INTO worker_heartbeats AS known (worker_id, up_since, beat_at, beats, trouble) VALUES ('w', now(), now(), 1, 'the disk is full')
      ON CONFLICT (worker_id) DO UPDATE SET beats = known.beats + 1`;
    const beating = setInterval(() => void under.database.pool.query(beat), 300);
    await expect.poll(async () => JSON.stringify((await status())['troubles']), { timeout: 6_000 }).toContain('log-unwritable');
    await expect.poll(async () => (await ready()).json['status'], { timeout: 6_000 }).toBe('degraded');
    clearInterval(beating);
    await expect.poll(async () => JSON.stringify((await status())['troubles']), { timeout: 10_000 }).not.toContain('log-unwritable');
  }, 40_000);
});
