import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ensureKeyFile } from '@systole/control-plane-postgres';
import { startEmbedded, type Embedded } from '@systole/embedded';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXIT } from '../exit-code.js';
import { run } from '../program.js';

const token = 'an-admin-token-for-cib-verify';

let database: ScratchDatabase;
let server: Embedded;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'systole-verify-'));
  database = await createScratchDatabase();
  const secretsKeyFile = join(directory, 'secrets.key');
  await ensureKeyFile(secretsKeyFile);
  server = await startEmbedded({
    ...{ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: token },
    parts: { api: { secretsKeyFile }, worker: { secretsKeyFile } },
  });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

async function systole(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let [out, err] = ['', ''];
  const code = await run(args, {
    environment: { SYSTOLE_CONFIG: join(directory, 'config.json'), SYSTOLE_SERVER: server.url, SYSTOLE_TOKEN: token },
    home: directory,
    stdin: Readable.from([]),
    write: (text) => {
      out += text;
    },
    complain: (line) => {
      err += `${line}\n`;
    },
    interactive: false,
    interrupted: new AbortController().signal,
  });
  return { code, out, err };
}

it('tells of a cluster also what only its server knows, once, and fails for it as status does', async () => {
  await systole('cluster', 'create', 'prod');
  const made = await systole('resource', 'create', 'db', 'ocf:heartbeat:pgsql', 'password=geheim');
  expect(made.code === EXIT.ok ? EXIT.ok : made.err).toBe(EXIT.ok);
  expect(await systole('cib', 'verify')).toMatchObject({ code: EXIT.ok, out: 'prod: valid, and nothing to say about it.\n' });
  const { out } = await systole('secret', 'list', '--json');
  const [secret] = (JSON.parse(out) as { readonly items: readonly { readonly id: string }[] }).items;
  const erased = await systole('secret', 'erase', secret?.id ?? '');
  expect(erased.code === EXIT.ok ? EXIT.ok : erased.err).toBe(EXIT.ok);
  const verified = await systole('cib', 'verify');
  expect(verified.code).toBe(EXIT.failed);
  expect(verified.out.match(/the secret that it refers to was erased/g)).toHaveLength(1);
  expect(verified.out).toContain('prod: valid, with one finding.');
});
