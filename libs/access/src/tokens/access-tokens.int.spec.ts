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
    const made = await Promise.all(['a', 'b', 'c'].map((name) => tokens.create({ role: 'viewer' }, name, 'test')));
    const [kept = '', revoked = '', other = ''] = made.map(({ token }) => token.id);
    await tokens.revoke(revoked, { actor: 'user:admin' });
    expect((await tokens.notValid([kept, revoked, 'none', other])).toSorted()).toEqual([revoked, 'none'].toSorted());
    expect(await tokens.notValid([kept, other])).toEqual([]);
  });
});
