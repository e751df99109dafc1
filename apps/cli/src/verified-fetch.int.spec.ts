import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CertificateAuthority } from '@systole/certificates/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from './exit-code.js';
import { run } from './program.js';

const asked: string[] = [];
let authority: CertificateAuthority;
let server: Server;
let url: string;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'systole-verified-'));
  authority = new CertificateAuthority();
  const { certificate, key } = authority.issue('server', 'IP:127.0.0.1');
  server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push(`${request.method ?? ''} ${request.headers.authorization ?? ''} ${body}`);
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(request.method === 'POST' ? { id: 'i', name: 'alice', role: 'viewer', secret: 's' } : { items: [] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.close();
  authority.remove();
  rmSync(directory, { recursive: true, force: true });
});

async function systole(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let [out, err] = ['', ''];
  const code = await run(args, {
    environment: { SYSTOLE_CONFIG: join(directory, 'config.json') },
    home: directory,
    stdin: Readable.from(['the-token']),
    write: (text) => void (out += text),
    complain: (line) => void (err += `${line}\n`),
    interactive: false,
    interrupted: new AbortController().signal,
  });
  return { code, out, err };
}

describe('a server with a certificate of an authority of its own', () => {
  it('is not believed without that', async () => {
    const { code, err } = await systole('login', url);
    expect(code).not.toBe(EXIT.ok);
    expect(err).toMatch(/cannot be reached: .*(unable to|self.signed)/);
    expect(asked).toEqual([]);
  });

  it('is, from the login on, with it', async () => {
    expect(await systole('login', url, '--ca', authority.certificate)).toMatchObject({ code: EXIT.ok, err: '' });
    expect(await systole('token', 'create', 'alice', '--role', 'viewer')).toMatchObject({ code: EXIT.ok, out: 's\n' });
    expect(asked).toEqual(['GET Bearer the-token ', 'POST Bearer the-token {"role":"viewer","name":"alice"}']);
  });

  it('is asked for nothing when the file is not what it should be, or the server is plain HTTP', async () => {
    const file = join(directory, 'empty');
    writeFileSync(file, '');
    expect(await systole('login', url, '--ca', file)).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('holds no certificate') as string,
    });
    const plain = await systole('login', url.replace('https', 'http'), '--ca', authority.certificate);
    expect(plain).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('plain HTTP') as string });
    expect(asked).toHaveLength(2);
  });
});
