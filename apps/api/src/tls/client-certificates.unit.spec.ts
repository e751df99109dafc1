import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect, createServer, TLSSocket, type Server } from 'node:tls';
import { CertificateAuthority, type CertificatePair } from '@systole/certificates/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentPrincipal } from '@systole/access';
import { HttpProblem } from '../http/problem.js';
import { ClientCertificates, type AgreedAuthorities } from './client-certificates.js';

const AGENT = { kind: 'agent', node: 'n1' } as AgentPrincipal;
const DAY_MS = 86_400_000;
const text = (path: string): string => readFileSync(path, 'utf8');

let authority: CertificateAuthority;
let other: CertificateAuthority;
let shows: CertificatePair;
let server: Server;
let served: TLSSocket;
let client: TLSSocket;

beforeAll(async () => {
  authority = new CertificateAuthority();
  other = new CertificateAuthority('another authority');
  shows = authority.issue('n1');
  const own = authority.issue('server', 'IP:127.0.0.1');
  const options = { cert: text(own.certificate), key: text(own.key), ca: text(authority.certificate) };
  server = createServer({ ...options, requestCert: true, rejectUnauthorized: false });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  const came = new Promise<TLSSocket>((resolve) => server.once('secureConnection', resolve));
  client = connect({ host: '127.0.0.1', port, ca: options.ca, cert: text(shows.certificate), key: text(shows.key) });
  served = await came;
});
afterAll(async () => {
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
  authority.remove();
  other.remove();
});

describe('the certificate of an agent on a connection that stays', () => {
  const asked = (): IncomingMessage => ({ socket: served, headers: {} }) as unknown as IncomingMessage;
  /** What comes of a request. */
  const outcome = (certificates: ClientCertificates): unknown => {
    try {
      certificates.check(AGENT, asked());
      return 'in';
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      return [error.status, error.code, error.headers['connection'], error.message];
    }
  };

  it('counts until it runs out', () => {
    let now = Date.now();
    const certificates = new ClientCertificates('required', false, undefined, () => now);
    expect(outcome(certificates)).toBe('in');
    now += DAY_MS;
    expect(outcome(certificates)).toBe('in');
    now += 2 * DAY_MS;
    expect(outcome(certificates)).toEqual([403, 'certificate-not-accepted', 'close', expect.stringContaining('it has run out')]);
  });

  it('counts as long as its authority is one', () => {
    const [own, others] = [text(authority.certificate), text(other.certificate)];
    let authorities: AgreedAuthorities = { pem: own, version: 0 };
    const certificates = new ClientCertificates('required', false, () => authorities);
    expect(outcome(certificates)).toBe('in');
    authorities = { pem: `${others}${own}`, version: 1 };
    expect(outcome(certificates)).toBe('in');
    authorities = { pem: others, version: 2 };
    expect(outcome(certificates)).toEqual([503, 'certificate-not-accepted', 'close', expect.stringContaining('authorities have changed')]);
  });
});
