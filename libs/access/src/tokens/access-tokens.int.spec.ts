import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessTokens } from './access-tokens.js';

let database: ScratchDatabase;

beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());

describe('tokens', () => {
  it('make one admin token, however many processes start at once', async () => {
    const tokens = new AccessTokens(database.pool);
    const made = await Promise.all(Array.from({ length: 5 }, () => new AccessTokens(database.pool).ensureAdmin()));
    const [secret] = made.filter((each) => each !== undefined);
    expect(made.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await tokens.find(secret ?? '')).toMatchObject({ role: 'admin', createdBy: 'first start' });
    await tokens.ensureAdmin('given-by-the-configuration');
    await tokens.ensureAdmin('given-by-the-configuration');
    expect(await tokens.find('given-by-the-configuration')).toMatchObject({ role: 'admin' });
    expect(await tokens.find('something else')).toBeUndefined();
  });

  it('that are not valid are found among those that are', async () => {
    const tokens = new AccessTokens(database.pool);
    const made = await Promise.all(['a', 'b', 'c'].map((name) => tokens.create({ role: 'viewer', seesSecrets: false }, name, 'test')));
    const [kept = '', revoked = '', other = ''] = made.map(({ token }) => token.id);
    await tokens.revoke(revoked);
    expect((await tokens.notValid([kept, revoked, 'none', other])).toSorted()).toEqual([revoked, 'none'].toSorted());
    expect(await tokens.notValid([kept, other])).toEqual([]);
  });

  it('end by themselves, and leave their name to the next', async () => {
    const tokens = new AccessTokens(database.pool);
    const end = new Date(Date.now() + 300).toISOString();
    const { token, secret } = await tokens.create({ role: 'operator', seesSecrets: false, expiresAt: end }, 'short', 'test');
    expect(await tokens.find(secret)).toMatchObject({ name: 'short', expiresAt: end });
    await expect(tokens.create({ role: 'viewer', seesSecrets: false }, 'short', 'test')).rejects.toThrow(/there is a token short already/);
    await sleep(400);
    expect(await tokens.find(secret)).toBeUndefined();
    expect(await tokens.notValid([token.id])).toEqual([token.id]);
    expect((await tokens.list({ limit: 100 })).map(({ name }) => name)).not.toContain('short');
    expect(await tokens.get(token.id)).toBeUndefined();
    expect(await tokens.revoke(token.id)).toBeUndefined();
    await tokens.create({ role: 'viewer', seesSecrets: false }, 'short', 'test');
  });

  it('have one name each, also when two are made at once; agents are named by their node', async () => {
    const tokens = new AccessTokens(database.pool);
    const made = await Promise.all(
      Array.from({ length: 4 }, () => tokens.createOnce(randomUUID(), { role: 'viewer', seesSecrets: false }, 'twin', 'test')),
    );
    expect(made.filter((each) => each === 'name-taken')).toHaveLength(3);
    for (const node of ['a', 'b']) await tokens.create({ role: 'agent', clusterId: 'c', node }, 'twin', 'test');
    const { token } = await tokens.createAdmin('test');
    expect(token.name).toMatch(/^admin-\d+$/);
  });

  it('of administrators that have ended, or are for some clusters only, are not enough to administer', async () => {
    const other = await createScratchDatabase();
    try {
      const tokens = new AccessTokens(other.pool);
      await tokens.create({ role: 'admin', seesSecrets: true, expiresAt: new Date(Date.now() + 100).toISOString() }, 'over', 'test');
      await tokens.create({ role: 'admin', seesSecrets: true, clusters: ['c'] }, 'limited', 'test');
      expect(await tokens.ensureAdmin()).toBeUndefined();
      await sleep(200);
      expect(await tokens.ensureAdmin()).toMatch(/^systole_/);
      expect(await tokens.ensureAdmin()).toBeUndefined();
    } finally {
      await other.drop();
    }
  });
});
