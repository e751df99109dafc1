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
    await tokens.revoke(revoked, { actor: 'user:admin' });
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
    expect(await tokens.revoke(token.id, { actor: 'test' })).toBeUndefined();
    await tokens.create({ role: 'viewer', seesSecrets: false }, 'short', 'test');
  });

  it('have one name each, also when two are made at once; agents are named by their node', async () => {
    const tokens = new AccessTokens(database.pool);
    const made = await Promise.all(
      Array.from({ length: 4 }, () => tokens.createOnce(randomUUID(), { role: 'viewer', seesSecrets: false }, 'twin', { actor: 'test' })),
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
      await tokens.create({ role: 'admin', seesSecrets: true, expiresAt: new Date(Date.now() + 1_500).toISOString() }, 'over', 'test');
      await tokens.create({ role: 'admin', seesSecrets: true, clusters: ['c'] }, 'limited', 'test');
      expect(await tokens.ensureAdmin()).toBeUndefined();
      await sleep(1_600);
      expect(await tokens.ensureAdmin()).toMatch(/^systole_/);
      expect(await tokens.ensureAdmin()).toBeUndefined();
    } finally {
      await other.drop();
    }
  });

  it('of the agent in a container take the place of all that its node had, and end with the container', async () => {
    const tokens = new AccessTokens(database.pool);
    const by = { actor: 'agent:alpha', correlationId: 'c' };
    const inContainer = async (node: string, host: string): Promise<string> => {
      const holder = { role: 'agent', clusterId: 'c', node, container: { host, resource: `${node}-podman` } } as const;
      const { token, secret } = await tokens.createInContainer(holder, node, by);
      await tokens.revokeBefore(token.id, holder, by);
      return secret;
    };
    const end = async (host: string, more: { readonly container?: string; readonly but?: readonly string[] }): Promise<void> => {
      const client = await database.pool.connect();
      await tokens.revokeOfContainers(client, { clusterId: 'c', host, but: [], ...more }, by);
      client.release();
    };
    const own = await tokens.create({ role: 'agent', clusterId: 'c', node: 'db-0' }, 'own', 'test');
    const first = await inContainer('db-0', 'alpha');
    expect(await tokens.find(own.secret)).toBeUndefined();
    const second = await inContainer('db-1', 'alpha');
    expect(await tokens.find(second)).toMatchObject({ node: 'db-1', container: { host: 'alpha', resource: 'db-1-podman' } });
    // Of a container that runs on another host by now.
    const moved = await inContainer('db-0', 'bravo');
    expect(await tokens.find(first)).toBeUndefined();
    await end('alpha', { container: 'db-0-podman' });
    expect(await tokens.find(moved)).toMatchObject({ node: 'db-0' });
    await end('alpha', { but: ['db-1-podman'] });
    expect(await tokens.find(second)).toMatchObject({ node: 'db-1' });
    await end('alpha', {});
    expect(await tokens.find(second)).toBeUndefined();
    await end('bravo', { container: 'db-0-podman' });
    expect(await tokens.find(moved)).toBeUndefined();
    // Whoever was frozen between making one and withdrawing those before it takes nothing from the next.
    const holder = { role: 'agent', clusterId: 'c', node: 'db-2', container: { host: 'alpha', resource: 'db-2-podman' } } as const;
    const late = await tokens.createInContainer(holder, 'late', by);
    const next = await inContainer('db-2', 'bravo');
    await tokens.revokeBefore(late.token.id, holder, by);
    expect(await tokens.find(next)).toMatchObject({ node: 'db-2' });
    expect(await tokens.find(late.secret)).toBeUndefined();
    const ended = await Promise.all([own.secret, first, second, moved, 'none', next].map((secret) => tokens.findEnded(secret)));
    const places = ended.map((token) => token?.role === 'agent' && [token.node, token.container?.host]);
    expect(places).toEqual([['db-0', undefined], ['db-0', 'alpha'], ['db-1', 'alpha'], ['db-0', 'bravo'], false, false]);
  });

  it('are told apart from what never was one once they have ended by themselves', async () => {
    const tokens = new AccessTokens(database.pool);
    const expiresAt = new Date(Date.now() + 500).toISOString();
    const { secret } = await tokens.create({ role: 'viewer', seesSecrets: false, expiresAt }, 'brief', 'test');
    expect(await tokens.findEnded(secret)).toBeUndefined();
    await expect.poll(() => tokens.findEnded(secret), { timeout: 3_000 }).toMatchObject({ name: 'brief', role: 'viewer' });
    expect(await tokens.find(secret)).toBeUndefined();
  });
});
