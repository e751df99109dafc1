import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInstallation } from './installation.js';

const HEAD = { epoch: 'e', version: 3, hash: 'abc' };

describe('an installation', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it('is the same for all programs on its database, and no other', async () => {
    const [one, two] = await Promise.all([openInstallation(database.pool), openInstallation(database.pool)]);
    expect(one.id).toBe(two.id);
    const elsewhere = await createScratchDatabase();
    // Scratch databases are clones of one.
    await elsewhere.pool.query('DELETE FROM installation');
    const other = await openInstallation(elsewhere.pool);
    await elsewhere.drop();
    expect(other.id).not.toBe(one.id);
    const shown = one.seals.sealed('c', HEAD);
    expect([two, other].map(({ seals }) => seals.judge('c', shown))).toEqual(['right', 'unknown']);
  });

  it('whose row was lost is another one from then on, the same one for all', async () => {
    const before = await openInstallation(database.pool);
    const shown = before.seals.sealed('c', HEAD);
    await database.pool.query('DELETE FROM installation');
    const [one, two] = await Promise.all([openInstallation(database.pool), openInstallation(database.pool)]);
    expect(one.id).toBe(two.id);
    expect(one.id).not.toBe(before.id);
    expect(one.seals.judge('c', shown)).toBe('unknown');
    expect(two.seals.judge('c', one.seals.sealed('c', HEAD))).toBe('right');
  });

  it('shows nothing of its key in what it is or seals', async () => {
    const installation = await openInstallation(database.pool);
    const { rows } = await database.pool.query<{ key: string }>(`SELECT encode(seal_key, 'hex') AS key FROM installation`);
    const key = rows[0]?.key ?? '';
    expect(key).toHaveLength(64);
    const shown = JSON.stringify([installation, installation.seals.sealed('c', HEAD)]);
    for (const form of [key, Buffer.from(key, 'hex').toString('base64'), Buffer.from(key, 'hex').toString('base64url')]) {
      expect(shown).not.toContain(form.slice(0, 12));
    }
  });

  it('can not be made a second time', async () => {
    await expect(database.pool.query('INSERT INTO installation DEFAULT VALUES')).rejects.toThrow('duplicate key');
    await expect(database.pool.query('INSERT INTO installation (only_row) VALUES (false)')).rejects.toThrow('check constraint');
  });
});
