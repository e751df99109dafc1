import { copyFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import { CertificateAuthority, type CertificatePair } from '@systole/certificates/testing';
import { createScratchDatabase, type ScratchDatabase } from '@systole/event-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi, type Api } from '../create-api.js';
import { ADMIN } from '../testing/api-under-test.js';
import { SHOWN_CERTIFICATE_HEADER, headerOf } from './client-certificates.js';

const SERVER_NAMES = 'DNS:localhost,IP:127.0.0.1';

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly json: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly token?: string;
  readonly shows?: CertificatePair;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const listenedBefore = new Set(process.listeners('SIGHUP'));
/** What a SIGHUP does in a process that is the api's alone: other listeners of this one would end it. */
function hangUp(): void {
  for (const listener of process.listeners('SIGHUP')) if (!listenedBefore.has(listener)) listener('SIGHUP');
}

let authority: CertificateAuthority;
let database: ScratchDatabase;
const clients: Record<string, CertificatePair> = {};

beforeAll(async () => {
  authority = new CertificateAuthority();
  database = await createScratchDatabase();
  clients['n1'] = authority.issue('n1');
  clients['n2 by name'] = authority.issue('somebody', 'DNS:n2');
});
afterAll(async () => {
  await database.drop();
  authority.remove();
});

function ask(url: string, method: string, path: string, { token = ADMIN, shows, body, headers = {} }: Asked = {}): Promise<Answer> {
  const shown = shows === undefined ? {} : { cert: readFileSync(shows.certificate), key: readFileSync(shows.key) };
  const sent = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
  return new Promise((resolve, reject) => {
    const options = { method, headers: sent, ca: readFileSync(authority.certificate), ...shown, agent: false };
    const asked = request(`${url}${path}`, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const json = (text.startsWith('{') ? JSON.parse(text) : {}) as Answer['json'];
        resolve({ status: answer.statusCode ?? 0, code: String(json['type']).replace(/^.*\//, ''), json });
      });
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Subject of the certificate that a server shows now. */
function subjectAt(url: string, options: object = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(url);
    const socket: TLSSocket = connect({ host, port: Number(port), ca: readFileSync(authority.certificate), ...options }, () => {
      resolve(socket.getPeerX509Certificate()?.subject ?? '');
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('a server with certificates', () => {
  const files = (): { certificateFile: string; keyFile: string } => ({
    certificateFile: join(authority.directory, 'server.pem'),
    keyFile: join(authority.directory, 'server.key'),
  });
  const install = (pair: CertificatePair): void => {
    copyFileSync(pair.certificate, files().certificateFile);
    copyFileSync(pair.key, files().keyFile);
  };
  let api: Api;
  let agent = '';
  beforeAll(async () => {
    install(authority.issue('first', SERVER_NAMES));
    const tls = { ...files(), clientAuthoritiesFile: authority.certificate };
    api = await createApi({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: ADMIN, tls, operatorsApart: true });
    await ask(api.url, 'POST', '/v1/clusters', { body: { name: 'tls' } });
    const made = await ask(api.url, 'POST', '/v1/tokens', { body: { role: 'agent', name: 'n1', cluster: 'tls', node: 'n1' } });
    agent = String(made.json['secret']);
  });
  afterAll(() => api.close());

  it('serves by HTTPS, to whoever trusts its authority, in no version below 1.2', async () => {
    expect(api.url).toMatch(/^https:/);
    expect((await ask(api.url, 'GET', '/v1/clusters')).status).toBe(200);
    await expect(subjectAt(api.url, { ca: readFileSync(clients['n1']?.certificate ?? '') })).rejects.toThrow(/unable to|self.signed/i);
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(subjectAt(api.url, old)).rejects.toThrow(/protocol version/);
    expect(await subjectAt(api.url, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })).toContain('CN=first');
    await expect(fetch(api.url.replace('https:', 'http:'))).rejects.toThrow();
  });

  it('binds an agent to the node of the certificate that it shows, wherever it is served', async () => {
    const stranger = new CertificateAuthority('another authority');
    const shows: Record<string, CertificatePair> = { ...clients, stranger: stranger.issue('n1') };
    for (const [method, path] of [
      ['POST', '/v1/agent/poll'],
      ['GET', '/v1/agent/cib'],
    ] as const) {
      const codeOf = async (asked: Asked): Promise<string> => {
        const answer = await ask(api.url, method, path, { token: agent, ...(method === 'POST' ? { body: {} } : {}), ...asked });
        return answer.status === 403 ? answer.code : 'in';
      };
      expect(await codeOf({})).toBe('in');
      expect(await codeOf({ shows: shows['n1'] as CertificatePair })).toBe('in');
      expect(await codeOf({ shows: shows['n2 by name'] as CertificatePair })).toBe('certificate-for-another-node');
      expect(await codeOf({ shows: shows['stranger'] as CertificatePair })).toBe('certificate-not-accepted');
      const claims = { [SHOWN_CERTIFICATE_HEADER]: headerOf({ names: ['n1'] }) };
      expect(await codeOf({ shows: shows['stranger'] as CertificatePair, headers: claims })).toBe('certificate-not-accepted');
      expect(await codeOf({ headers: { [SHOWN_CERTIFICATE_HEADER]: headerOf({ names: ['other'] }) } })).toBe('in');
    }
    stranger.remove();
    const refused = async (): Promise<unknown> => (await ask(api.url, 'GET', '/v1/audit?type=RequestRefused&actor=agent:n1')).json['items'];
    await expect.poll(refused, { timeout: 5_000 }).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({ problem: 'certificate-not-accepted', tokenId: expect.any(String) as string }) as unknown,
      }),
    );
  });

  it('takes new certificates on SIGHUP, and none that do not fit', async () => {
    copyFileSync(authority.issue('half', SERVER_NAMES).certificate, files().certificateFile);
    hangUp();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await subjectAt(api.url)).toContain('CN=first');
    install(authority.issue('second', SERVER_NAMES));
    hangUp();
    await expect.poll(() => subjectAt(api.url)).toContain('CN=second');
    expect((await ask(api.url, 'GET', '/v1/clusters')).status).toBe(200);
  });

  it('can demand certificates of agents, and of nobody else', async () => {
    const tls = { ...files(), clientAuthoritiesFile: authority.certificate, agentCertificates: 'required' as const };
    const strict = await createApi({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: ADMIN, tls });
    try {
      const poll = (asked: Asked): Promise<Answer> => ask(strict.url, 'POST', '/v1/agent/poll', { token: agent, body: {}, ...asked });
      expect(await poll({})).toMatchObject({ status: 403, code: 'certificate-needed' });
      expect((await poll({ shows: clients['n1'] as CertificatePair })).status).toBe(422);
      expect((await ask(strict.url, 'GET', '/v1/clusters')).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  it('does not start with a key of another certificate', async () => {
    const tls = { ...files(), keyFile: clients['n1']?.key ?? '' };
    const starting = createApi({ databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: ADMIN, tls });
    await expect(starting).rejects.toThrow(/the key in .* does not belong to the certificate in .*server\.pem/);
  });
});
