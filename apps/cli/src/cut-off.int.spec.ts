import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from './exit-code.js';
import { run } from './program.js';
import { writeWhole } from './whole-file.js';

let directory: string;
let server: Server;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'systole-cut-'));
  // Begins each answer, and goes away.
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write('{"version":1}\n', () => setTimeout(() => response.destroy(), 50));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true, force: true });
});

async function systole(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let out = '';
  let err = '';
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const code = await run(['--server', url, '--token', 't', ...args], {
    environment: { SYSTOLE_CONFIG: join(directory, 'config.json') },
    home: directory,
    stdin: Readable.from(['']),
    write: (text) => (out += text),
    complain: (line) => (err += `${line}\n`),
    interactive: false,
    size: () => undefined,
    interrupted: new AbortController().signal,
  });
  return { code, out, err };
}

describe('an export that is cut off', () => {
  it('leaves nothing under the name of its file that could be taken for the whole', async () => {
    const path = join(directory, 'evidence.ndjson');
    for (const before of [undefined, 'of yesterday']) {
      if (before !== undefined) await writeFile(path, before);
      const { code, err } = await systole('audit', 'evidence', '--output', path);
      expect([code, err]).toEqual([EXIT.failed, expect.stringContaining('cut off after 14 bytes')]);
      expect(await readFile(path, 'utf8').catch(() => undefined)).toBe(before);
    }
    expect(await readdir(directory)).toEqual(['evidence.ndjson']);
  });

  it('is said to be, also where a shell redirects it', async () => {
    for (const args of [
      ['audit', 'evidence'],
      ['audit', 'list', '--format', 'csv'],
    ]) {
      const { code, out, err } = await systole(...args);
      expect([code, out, err]).toEqual([EXIT.failed, '{"version":1}\n', expect.stringContaining('what came of it is not complete')]);
    }
  });
});

describe('a file that is written as a whole', () => {
  it('keeps its mode unless what is secret goes into it, is found through links, and what is no file is written as it is', async () => {
    const path = join(directory, 'kept');
    const link = join(directory, 'link');
    await writeFile(path, 'old');
    await chmod(path, 0o640);
    await symlink(path, link);
    await writeWhole(link, (put) => put('new'));
    expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['new', 0o640]);
    await writeWhole(join(directory, 'secret'), (put) => put('s'), 0o600);
    expect((await stat(join(directory, 'secret'))).mode & 0o777).toBe(0o600);
    for (const [before, after] of [
      [0o644, 0o600],
      [0o400, 0o400],
    ] as const) {
      await chmod(path, before);
      await writeWhole(link, (put) => put('s'), 0o600);
      expect((await stat(path)).mode & 0o777).toBe(after);
    }
    await writeWhole('/dev/null', (put) => put('gone'));
    expect((await stat('/dev/null')).isFile()).toBe(false);
  });
});
