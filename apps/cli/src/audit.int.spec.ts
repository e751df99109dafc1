import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startEmbedded, type Embedded } from '@systole/embedded';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from './exit-code.js';
import { run } from './program.js';

const token = 'an-admin-token-for-the-audit';

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('systole audit', () => {
  let database: ScratchDatabase;
  let server: Embedded;
  let directory: string;
  let key: string;

  const systole = async (args: readonly string[], stdin = ''): Promise<Outcome> => {
    let [out, err] = ['', ''];
    const code = await run(args, {
      environment: { SYSTOLE_CONFIG: join(directory, 'config.json'), SYSTOLE_SERVER: server.url, SYSTOLE_TOKEN: token },
      home: directory,
      stdin: Readable.from([Buffer.from(stdin)]),
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
  };
  const done = async (args: readonly string[], stdin?: string): Promise<string> => {
    const { code, out, err } = await systole(args, stdin);
    expect(err === '' ? code : err).toBe(EXIT.ok);
    return out;
  };
  const path = (name: string): string => join(directory, name);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'systole-audit-'));
    key = path('key.pem');
    // Offline: no server is there yet.
    server = { url: 'http://127.0.0.1:1' } as Embedded;
    expect(await done(['audit', 'make-key', key])).toMatch(/^Made the key [0-9a-f]{16}: /);
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    expect(await systole(['audit', 'make-key', key])).toMatchObject({ code: EXIT.usage });
    database = await createScratchDatabase();
    const parts = { api: {}, worker: { signingKeyFile: key, signEveryMs: 300 } };
    server = await startEmbedded({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: token, parts });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  it('shows who did what, on the server and anywhere', async () => {
    await done(['cluster', 'create', 'prod']);
    expect(await systole(['token', 'create', 'alice', '--role', 'operator'])).toMatchObject({ code: EXIT.ok });
    await expect.poll(() => done(['audit', 'list']), { timeout: 10_000 }).toContain('POST /v1/tokens carried out (127.0.0.1, token');
    const own = await done(['audit', 'list', '--actor', 'user:admin']);
    expect(own).toMatch(/server +user:admin +cluster prod added/);
    expect(own).toMatch(/server +user:admin +token issued: alice, operator/);
    expect(await systole(['audit', 'list', '--actor', 'admin'])).toMatchObject({
      code: EXIT.ok,
      out: '',
      err: expect.stringContaining('Nothing by "admin" was found; actors are written with what they are, e.g. user:admin.') as string,
    });
    const early = await done(['config', 'diff', '--cluster', 'prod', '--from', new Date().toISOString()]);
    expect(early).toContain('Nothing is different.');
    const started = (await done(['audit', 'list', '--type', 'ServerStarted', '--json'])).trim().split('\n');
    expect(started.map((line) => (JSON.parse(line) as { data: { program: string } }).data.program).sort()).toEqual(['api', 'worker']);
    expect(await done(['audit', 'list', '--everything', '--actor', 'user:admin', '--since', '1h', '--newest-first'])).toMatch(
      /prod +user:admin/,
    );
    expect((await done(['audit', 'list', '--in', 'prod', '--everything', '--format', 'csv'])).split('\r\n')[0]).toContain(
      'streamId,clusterName',
    );
  });

  it('verifies offline what was exported, with heads that were kept and the key that is trusted', async () => {
    await expect.poll(async () => (await systole(['audit', 'heads'])).out, { timeout: 10_000 }).not.toBe('');
    expect(await done(['audit', 'list', '--everything', '--type', 'HeadsSigned'])).toMatch(
      /server +worker +statement 1 signed: the heads of \d streams\n/,
    );
    await writeFile(path('heads'), await done(['audit', 'heads']));
    await done(['audit', 'evidence', '--output', path('evidence')]);
    const options = ['--heads', path('heads'), '--key', `${key}.pub`];
    expect(await done(['audit', 'verify', path('evidence'), ...options])).toMatch(
      /^Intact: \d+ events in 3 streams, \d+ signed statements\.\nSigned until /,
    );
    const evidence = await readFile(path('evidence'), 'utf8');
    expect(await done(['audit', 'verify', '-'], evidence)).toContain('compare it with the one that you trust');
    expect(evidence).toContain('HeadsSigned');
    expect(await done(['audit', 'verify', path('evidence'), ...options])).not.toContain('NO PUBLISHED');
    // What a publication by `>>` leaves that never worked.
    await writeFile(path('empty'), '\n');
    expect(await systole(['audit', 'verify', path('evidence'), '--heads', path('heads'), path('empty')])).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining(`${path('empty')} holds no statement, so that nothing published would be compared`) as string,
    });
    await writeFile(path('changed'), evidence.replace('"name":"prod"', '"name":"prud"'));
    const changed = await systole(['audit', 'verify', path('changed'), ...options]);
    expect(changed.code).toBe(EXIT.failed);
    expect(changed.out).toMatch(/^NOT INTACT.*\n {2}changed-content of .* at version 1/);
    expect(await systole(['audit', 'verify', path('none')])).toMatchObject({ code: EXIT.usage });
    expect(await systole(['audit', 'verify', path('evidence'), '--heads', path('evidence')])).toMatchObject({ code: EXIT.usage });
    expect(await systole(['audit', 'verify', path('evidence'), '--key', path('heads')])).toMatchObject({ code: EXIT.usage });
    const kept = (await readFile(path('heads'), 'utf8')).trim().split('\n');
    const since = async (after: string): Promise<string> => (await done(['audit', 'heads', '--after', after])).trim();
    expect(await since(path('heads'))).not.toContain(kept[0]);
    expect((await since('0')).startsWith(kept.join('\n'))).toBe(true);
    expect((await since(String(kept.length))).split('\n')).not.toContain(kept.at(-1));
    // As after a restore of the database: nothing would be published, without a word, until there are as many again.
    expect(await systole(['audit', 'heads', '--after', '1000000'])).toMatchObject({
      code: EXIT.failed,
      out: '',
      err: expect.stringContaining('the log has no signed statement 1000000') as string,
    });
    const first = JSON.parse(kept[0] ?? '') as { readonly statement: object };
    await writeFile(path('other'), JSON.stringify({ ...first, statement: { ...first.statement, heads: [] } }));
    expect(await systole(['audit', 'heads', '--after', path('other')])).toMatchObject({
      code: EXIT.failed,
      err: expect.stringContaining('another signed statement 1 ') as string,
    });
    const part = ['audit', 'evidence', '--in', 'prod'];
    expect((await systole(['audit', 'verify', '-', '--json'], await done(part))).out).toContain('missing-stream');
    expect(await done(['audit', 'verify', '-', '--partial'], await done(part))).toContain('It is a part: 1 other streams were signed');
  });

  it('archives the log with what proves it, goes on where it ended, and reads it back without a server', async () => {
    await done(['cluster', 'create', 'kept']);
    const id =
      (JSON.parse(await done(['cluster', 'list', '--json'])) as { items: { id: string; name: string }[] }).items.find(
        ({ name }) => name === 'kept',
      )?.id ?? '';
    // Made, and planned for; what is archived shall have been signed.
    const signed = async (): Promise<number> => {
      const statements = (await done(['audit', 'heads'])).trim().split('\n');
      const heads = statements.flatMap(
        (line) => (JSON.parse(line) as { statement: { heads: { streamId: string; version: number }[] } }).statement.heads,
      );
      return Math.max(0, ...heads.filter(({ streamId }) => streamId === id).map(({ version }) => version));
    };
    await expect.poll(signed, { timeout: 10_000 }).toBe(2);
    const [archive, ofDatabase] = [path('archive'), ['--database-url', database.url]];
    expect(await done(['admin', 'archive', archive, '--in', 'kept', ...ofDatabase])).toMatch(/^kept: versions 1 to 2 in \S+\n$/);
    expect(await done(['admin', 'archive', archive, '--in', 'kept', ...ofDatabase])).toBe('The archive has everything already.\n');
    expect(await done(['audit', 'verify-archive', archive, '--key', `${key}.pub`])).toMatch(
      /^Intact: 2 events of 1 streams in 1 files\.\n1 files have an event that was signed/,
    );
    expect(JSON.parse(await done(['audit', 'read-archive', archive, id, '--to', '1']))).toMatchObject({
      type: 'ClusterCreated',
      streamId: id,
      version: 1,
    });
    expect(await systole(['audit', 'read-archive', archive, 'none'])).toMatchObject({ code: EXIT.usage });
    expect(await systole(['admin', 'archive', archive, '--up-to', '1', ...ofDatabase])).toMatchObject({ code: EXIT.usage });
    const [file = ''] = (await readdir(join(archive, id))).filter((name) => name.endsWith('.gz'));
    await appendFile(join(archive, id, file), 'more');
    const { code, out } = await systole(['audit', 'verify-archive', archive]);
    expect([code, out]).toEqual([EXIT.failed, expect.stringMatching(/NOT INTACT.*SHA-256/s)]);
    const read = ['audit', 'read-archive', archive, id];
    expect(await systole(read)).toMatchObject({
      code: EXIT.failed,
      out: '',
      err: expect.stringMatching(/\.gz is not what.*SHA-256/) as string,
    });
    const manifest = join(archive, id, file.replace(/ndjson\.gz$/, 'manifest.json'));
    await writeFile(manifest, 'none');
    expect(await systole(['audit', 'verify-archive', archive])).toMatchObject({
      code: EXIT.failed,
      out: expect.stringMatching(/NOT INTACT.*is no manifest/s) as string,
    });
    await rm(manifest);
    expect(await systole(read)).toMatchObject({
      code: EXIT.usage,
      out: '',
      err: expect.stringMatching(/has no manifest.*--unchecked/) as string,
    });
  });
});
