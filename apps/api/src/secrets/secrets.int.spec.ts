import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresSecrets, readMasterKeys } from '@systole/control-plane-postgres';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApi } from '../create-api.js';
import { describeApi } from '../describe-api.js';
import { apiUnderTest, CIB, type Answer, type ApiUnderTest, type Json } from '../testing/api-under-test.js';

const SECRET = 'gEhEiM-7311';
const OTHER = 'aNdErS-1137';
const INSIST = { 'if-match': '*' };
const REFERENCE = /systole-secret:[0-9a-f]{32}/;

const parameters = (id: string, password: string, more = ''): string =>
  `<instance_attributes id="${id}-p"><nvpair id="${id}-password" name="password" value="${password}"/>${more}</instance_attributes>`;
const withParameters = (password: string): string =>
  CIB.replace('type="fence_systole_demo"/>', `type="fence_systole_demo">${parameters('fence', password)}</primitive>`);

/** Everything that the database holds, as text. */
async function allOf(pool: Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

/** Whether a text stands anywhere in the database, as it is or as PostgreSQL shows bytes. */
async function isStored(pool: Pool, text: string): Promise<boolean> {
  const all = await allOf(pool);
  return all.includes(text) || all.includes(Buffer.from(text).toString('hex')) || all.includes(Buffer.from(text).toString('base64'));
}

describe('the secrets of a configuration', () => {
  let under: ApiUnderTest;
  let blind: string;
  let count = 0;
  let cluster: string;
  let at: string;
  beforeAll(async () => {
    under = await apiUnderTest();
    blind = await under.token('admin', 'blind');
  });
  afterAll(() => under.close());
  beforeEach(async () => {
    count += 1;
    cluster = await under.cluster(`s${String(count)}`, withParameters(SECRET));
    at = `/v1/clusters/${cluster}`;
  });

  const fence = async (query = '', token?: string): Promise<Answer> =>
    under.call('GET', `${at}/configuration/resources/fence${query}`, token === undefined ? {} : { token });
  const password = async (query = ''): Promise<string> => passwordIn((await fence(query)).text);
  const passwordIn = (text: string): string => /"password":"([^"]*)"/.exec(text)?.[1] ?? text;
  const list = async (): Promise<readonly Json[]> => (await under.call('GET', `${at}/secrets`)).json['items'] as Json[];
  const patch = (value: string, more: { token?: string; query?: string; headers?: Record<string, string> } = {}): Promise<Answer> =>
    under.call('PATCH', `${at}/configuration/resources/fence${more.query ?? ''}`, {
      headers: { ...INSIST, ...more.headers },
      raw: { type: 'application/merge-patch+json', body: JSON.stringify({ instance_attributes: { password: value } }) },
      ...(more.token === undefined ? {} : { token: more.token }),
    });
  const importXml = (xml: string, more: { token?: string; query?: string } = {}): Promise<Answer> =>
    under.call('PUT', `${at}/cib${more.query ?? ''}`, {
      headers: INSIST,
      raw: { type: 'application/xml', body: xml },
      ...(more.token === undefined ? {} : { token: more.token }),
    });
  const exported = async (query = ''): Promise<string> =>
    (await under.call('GET', `${at}/cib${query}`, { headers: { accept: 'application/xml' } })).text;

  it('are kept apart from the moment at which the cluster is made', async () => {
    expect(await password()).toMatch(REFERENCE);
    expect(await list()).toMatchObject([
      { owner: 'fence', parameter: 'password', agents: ['stonith:fence_systole_demo'], createdBy: 'user:admin' },
    ]);
    expect(await isStored(under.database.pool, SECRET)).toBe(false);
  });

  it('are kept apart however they are written: by element, batch, patch, document and dry run', async () => {
    const texts: string[] = [];
    const call = async (method: string, path: string, options: Parameters<ApiUnderTest['call']>[2]): Promise<void> => {
      const answer = await under.call(method, `${at}${path}`, { ...options, headers: { ...INSIST, ...options?.headers } });
      expect([200, 201], `${method} ${path}: ${answer.text}`).toContain(answer.status);
      texts.push(answer.text);
    };
    const element = {
      element: 'primitive',
      id: 'db',
      class: 'ocf',
      provider: 'systole',
      type: 'Dummy',
      instance_attributes: { password: OTHER },
    };
    const key = { 'idempotency-key': 'one' };
    await call('POST', '/configuration/resources?dryRun=true', { body: element });
    await call('POST', '/configuration/resources?reason=new', { body: element, headers: key });
    await call('PUT', '/configuration/resources/db', {
      body: { ...element, instance_attributes: { password: OTHER, admin_token: OTHER } },
    });
    await call('POST', '/configuration/batch', {
      body: { edits: [{ edit: 'patch', collection: 'resources', id: 'db', patch: { instance_attributes: { passwd: OTHER } } }] },
    });
    await call('PATCH', '/configuration/resources/db', {
      raw: {
        type: 'application/json-patch+json',
        body: JSON.stringify([{ op: 'add', path: '/instance_attributes/secret', value: OTHER }]),
      },
    });
    await call('PUT', '/cib?dryRun=true', { raw: { type: 'application/xml', body: withParameters(OTHER) } });
    await call('PUT', '/cib', { raw: { type: 'application/xml', body: withParameters(OTHER) } });
    expect(texts.join()).not.toContain(OTHER);
    expect(await isStored(under.database.pool, OTHER)).toBe(false);
    expect(await password('?secrets=clear')).toBe(OTHER);
  });

  it('cost nothing in a dry run', async () => {
    const tried = await patch(OTHER, { query: '?dryRun=true' });
    expect(tried.text).toMatch(REFERENCE);
    expect(await list()).toHaveLength(1);
  });

  it('keep their references where nothing is changed', async () => {
    const before = await password();
    expect((await patch(SECRET)).json).toMatchObject({ events: [] });
    for (const text of [await exported(), await exported('?secrets=clear')]) {
      expect((await importXml(text)).json, text).toMatchObject({ events: [] });
    }
    const whole = await under.call('GET', `${at}/configuration`);
    expect((await under.call('PUT', `${at}/configuration`, { headers: INSIST, body: whole.json })).json).toMatchObject({ events: [] });
    await patch(OTHER);
    expect(await password()).not.toBe(before);
    expect(await list()).toHaveLength(2);
  });

  it('can be had in clear by who may see them, and that is in the audit', async () => {
    expect(await exported('?secrets=clear')).toContain(SECRET);
    expect((await under.call('GET', `${at}/configuration?secrets=clear`)).text).toContain(SECRET);
    expect((await under.call('GET', `${at}/configuration/resources?secrets=clear`)).text).toContain(SECRET);
    const one = await fence('?secrets=clear');
    expect([passwordIn(one.text), one.headers.get('cache-control')]).toEqual([SECRET, 'no-store']);
    const [secret] = await list();
    const details = `${at}/secrets/${String(secret?.['id'])}`;
    expect((await under.call('GET', details)).json).toMatchObject({ usedAt: [expect.stringContaining('fence-password')] });
    expect((await under.call('GET', details)).json['value']).toBeUndefined();
    expect((await under.call('GET', `${details}?secrets=clear`)).json).toMatchObject({ value: SECRET });
    await expect
      .poll(async () => ((await under.call('GET', `/v1/audit?type=SecretsRead&cluster=${cluster}`)).json['items'] as Json[]).length)
      .toBe(5);
    for (const path of [
      `${at}/cib`,
      `${at}/configuration`,
      `${at}/configuration/resources`,
      `${at}/configuration/resources/fence`,
      details,
    ]) {
      const refused = await under.call('GET', `${path}?secrets=clear`, { token: blind });
      expect([refused.status, refused.json['type']], path).toEqual([403, 'https://systole.dev/problems/right-not-held']);
    }
  });

  it('are told to no other resource, agent or cluster by a copy of the reference', async () => {
    const reference = await password();
    const copy = (id: string, type: string): object => ({
      element: 'primitive',
      id,
      class: 'stonith',
      type,
      instance_attributes: { password: reference },
    });
    const make = (token: string): Promise<Answer> =>
      under.call('POST', `${at}/configuration/resources`, { headers: INSIST, body: copy('mine', 'fence_systole_demo'), token });
    const refused = await make(blind);
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({
      type: 'https://systole.dev/problems/secret-refused',
      errors: [{ element: 'nvpair', detail: expect.stringMatching(/given for password of fence/) as string }],
    });
    const other = await under.call('PATCH', `${at}/configuration/resources/fence`, {
      token: blind,
      headers: INSIST,
      raw: { type: 'application/merge-patch+json', body: '{"type":"fence_printer"}' },
    });
    expect(other.status, other.text).toBe(422);
    expect(
      (await under.call('POST', '/v1/clusters', { body: { name: `copy${String(count)}`, cib: await exported() } })).json,
    ).toMatchObject({
      type: 'https://systole.dev/problems/secret-refused',
    });
    // Who may see it could copy the value itself: it becomes a secret of its own.
    const seeing = await under.call('POST', '/v1/tokens', {
      body: { role: 'operator', name: `seeing${String(count)}`, seesSecrets: true },
    });
    expect((await make(String(seeing.json['secret']))).status).toBe(201);
    expect(await list()).toHaveLength(2);
    expect((await under.call('GET', `${at}/configuration/resources/mine?secrets=clear`)).text).toContain(SECRET);
  });

  it('are erased for good, for the past, too', async () => {
    const [secret] = await list();
    const id = String(secret?.['id']);
    const erase = (query: string, token?: string): Promise<Answer> =>
      under.call('DELETE', `${at}/secrets/${id}${query}`, token === undefined ? {} : { token });
    expect((await erase('?dryRun=true')).json).toMatchObject({ dryRun: true, usedAt: [expect.any(String) as string] });
    expect(await password('?secrets=clear')).toBe(SECRET);
    const viewer = await under.token('viewer', `erasing${String(count)}`);
    expect((await erase('', viewer)).status).toBe(403);
    const before = await allOf(under.database.pool);
    expect((await erase('?reason=leaked')).json).toMatchObject({ dryRun: false, erased: { id, erased: { by: 'user:admin' } } });
    expect(before).not.toBe(await allOf(under.database.pool));
    const { rows } = await under.database.pool.query('SELECT key_id, wrapped_key, value FROM cluster_secrets WHERE id = $1', [id]);
    expect(rows).toEqual([{ key_id: null, wrapped_key: null, value: null }]);
    expect(await password('?secrets=clear')).toMatch(REFERENCE);
    expect(await password('?secrets=clear&at=1')).toMatch(REFERENCE);
    expect((await under.call('GET', `${at}/events?type=SecretErased`)).json).toMatchObject({
      items: [{ actor: 'user:admin', data: { secret: id, owner: 'fence', parameter: 'password', reason: 'leaked' } }],
    });
    expect((await erase('')).status).toBe(409);
    expect((await under.call('DELETE', `${at}/secrets/nothing`)).status).toBe(404);
    // The reference keeps nobody from changing something else; status says that it leads nowhere.
    expect(
      (
        await under.call('PATCH', `${at}/configuration/resources/web`, {
          headers: INSIST,
          raw: { type: 'application/merge-patch+json', body: '{"description":"x"}' },
        })
      ).status,
    ).toBe(200);
    expect((await under.call('GET', `${at}/status`)).text).toMatch(/password of fence.*erased/);
    // Given anew it is another one; an earlier version can be brought back, and leads nowhere again.
    expect((await patch(SECRET)).status).toBe(200);
    const restore = (query = ''): Promise<Answer> =>
      under.call('POST', `${at}/restore${query}`, { body: { version: 1 }, headers: { 'if-match': '*' } });
    const message = expect.stringMatching(/^password of fence: .*erased/) as string;
    const told = { findings: { count: 1, items: [{ kind: 'erased-secret', level: 'error', subject: 'fence', isNew: true, message }] } };
    expect([await restore('?dryRun=true'), await restore()].map(({ status, json }) => [status, json])).toMatchObject([
      [200, told],
      [200, told],
    ]);
    expect((await under.call('GET', `${at}/status`)).text).toMatch(/password of fence.*erased/);
    expect(await importXml(withParameters(`systole-secret:${id}`)).then(({ status }) => status)).toBe(200);
  });

  it('of two writers at once are kept for one, or for one after the other', async () => {
    const tag = (await fence()).headers.get('etag') ?? '';
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((value) => patch(`${value}-${SECRET}`, { headers: { 'if-match': tag } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect(await list()).toHaveLength(2);
    const insisting = await Promise.all(['four', 'five', 'six'].map((value) => patch(`${value}-${SECRET}`)));
    expect(insisting.map(({ status }) => status)).toEqual([200, 200, 200]);
    const references = new Set((await list()).map(({ id }) => id));
    expect(references.size).toBe(5);
    expect(await password('?secrets=clear')).toMatch(/^(four|five|six)-/);
    expect(await isStored(under.database.pool, SECRET)).toBe(false);
  });

  it('are said by nothing that a viewer, an operator or an administrator without the right can ask for', async () => {
    await patch(OTHER);
    const [first] = await list();
    const document = await describeApi();
    const values: Readonly<Record<string, string>> = {
      ...{ cluster, node: 'n1', resource: 'fence', collection: 'resources', version: '1', number: '1', ticket: 't', name: 'x' },
      ...{ agent: 'stonith:fence_systole_demo' },
    };
    const tokens = [blind, await under.token('viewer', `v${String(count)}`), await under.token('operator', `o${String(count)}`)];
    let asked = 0;
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item as Record<string, { operationId?: string; parameters?: { name: string }[] }>)) {
        // Streams have no end; what they carry is what lists of events do.
        if (operation.operationId === undefined || operation.operationId.startsWith('stream') || path.startsWith('/v1/agent')) continue;
        const id = path.includes('/secrets/') ? String(first?.['id']) : 'fence';
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? id : (values[name] ?? name)));
        const has = (name: string): boolean => operation.parameters?.some((parameter) => parameter.name === name) === true;
        if (method !== 'get' && !has('dryRun')) continue;
        for (const token of tokens) {
          const query = method === 'get' ? '' : '?dryRun=true';
          const options = { token, headers: INSIST, ...(method === 'get' || method === 'delete' ? {} : { body: {} }) };
          const answer = await under.call(method.toUpperCase(), `${filled}${query}`, options);
          asked += 1;
          expect(answer.text, operation.operationId).not.toMatch(new RegExp(`${SECRET}|${OTHER}`));
          if (method !== 'get' || !has('secrets')) continue;
          expect((await under.call('GET', `${filled}?secrets=clear`, { token })).status, operation.operationId).toBe(403);
        }
      }
    }
    expect(asked).toBeGreaterThan(200);
    expect(await isStored(under.database.pool, OTHER)).toBe(false);
  }, 120_000);

  it('are no part of what is refused', async () => {
    const broken = withParameters(SECRET).replace('<status/>', `<bad value="${SECRET}"`);
    const wrong = withParameters(SECRET).replace('type="Dummy"', 'type="Dummy" nonsense="1"');
    for (const body of [broken, wrong]) {
      const answer = await importXml(body);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(SECRET);
    }
    const tested = await under.call('PATCH', `${at}/configuration/resources/fence`, {
      headers: INSIST,
      raw: {
        type: 'application/json-patch+json',
        body: JSON.stringify([{ op: 'test', path: '/instance_attributes/password', value: SECRET }]),
      },
    });
    expect(tested.status).toBe(409);
    expect(tested.text).not.toContain(SECRET);
    expect(await isStored(under.database.pool, SECRET)).toBe(false);
  });

  it('are gone with their cluster', async () => {
    await under.call('DELETE', at);
    const { rows } = await under.database.pool.query('SELECT value, erased_by FROM cluster_secrets WHERE cluster_id = $1', [cluster]);
    expect(rows).toEqual([{ value: null, erased_by: 'user:admin' }]);
  });
});

describe('the keys that secrets are kept with', () => {
  let under: ApiUnderTest;
  let directory: string;
  let file: string;
  const key = (): string => `${randomBytes(32).toString('base64')}\n`;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'systole-keys-'));
    file = join(directory, 'keys');
    await writeFile(file, key(), { mode: 0o600 });
    under = await apiUnderTest({ secretsKeyFile: file });
  });
  afterEach(async () => {
    await under.close();
    await rm(directory, { recursive: true, force: true });
  });

  const state = async (): Promise<readonly Json[]> => (await under.call('GET', '/v1/clusters/c/secrets')).json['items'] as Json[];
  /** Another server on the same database. */
  const asked = async (secretsKeyFile: string | undefined, path: string): Promise<Answer> => {
    const api = await createApi({
      databaseUrl: under.database.url,
      port: 0,
      logLevel: 'silent',
      ...(secretsKeyFile === undefined ? {} : { secretsKeyFile }),
    });
    try {
      const response = await fetch(`${api.url}${path}`, { headers: { authorization: 'Bearer admin-token-of-the-test-suite' } });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: JSON.parse(text) as Json };
    } finally {
      await api.close();
    }
  };

  it('are changed one after the other, while servers go on', async () => {
    await under.cluster('c', withParameters(SECRET));
    const old = await readFile(file, 'utf8');
    await writeFile(file, `${key()}# the one before\n${old}`);
    const rotating = new PostgresSecrets(under.database.pool, { keys: await readMasterKeys(file), patterns: [] });
    expect(await rotating.rotate()).toEqual({ rewrapped: 1, locked: 0 });
    expect(await rotating.rotate()).toEqual({ rewrapped: 0, locked: 0 });
    const path = '/v1/clusters/c/configuration?secrets=clear';
    expect((await asked(file, path)).text).toContain(SECRET);
    // Without the old one it opens still; with nothing but that one no more.
    const [first = ''] = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, first);
    expect((await asked(file, path)).text).toContain(SECRET);
    await writeFile(file, old);
    const locked = await asked(file, '/v1/clusters/c/secrets');
    expect(locked.json).toMatchObject({ items: [{ locked: true }] });
    expect((await asked(file, path)).text).toMatch(REFERENCE);
  });

  it('are missed aloud where there are none: what is clear is refused, and references to nodes are not', async () => {
    await under.cluster('c', withParameters(SECRET));
    expect(await state()).toHaveLength(1);
    const without = await createApi({ databaseUrl: under.database.url, port: 0, logLevel: 'silent' });
    try {
      const put = async (password: string): Promise<{ status: number; text: string }> => {
        const response = await fetch(`${without.url}/v1/clusters/c/cib`, {
          method: 'PUT',
          headers: { authorization: 'Bearer admin-token-of-the-test-suite', 'content-type': 'application/xml', ...INSIST },
          body: withParameters(password),
        });
        return { status: response.status, text: await response.text() };
      };
      const refused = await put(OTHER);
      expect(refused.status).toBe(422);
      expect(refused.text).toMatch(/SYSTOLE_SECRETS_KEY_FILE/);
      expect(refused.text).not.toContain(OTHER);
      expect((await put('systole-secret:file:/etc/systole/secrets/fence')).status).toBe(200);
    } finally {
      await without.close();
    }
  });

  it('are refused at the start when the file is none', async () => {
    await writeFile(file, 'not a key\n');
    await expect(readMasterKeys(file)).rejects.toThrow(/line 1 is no key of 32 bytes/);
    await writeFile(file, '# nothing\n');
    await expect(readMasterKeys(file)).rejects.toThrow(/there is no key in it/);
    await expect(readMasterKeys(join(directory, 'none'))).rejects.toThrow(/can not be used.*openssl rand/);
  });
});
