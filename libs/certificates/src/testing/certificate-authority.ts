import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Paths of a certificate and its key. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** An authority for tests, whose certificates are made by `openssl` in a directory of its own. */
export class CertificateAuthority {
  readonly directory = mkdtempSync(join(tmpdir(), 'systole-ca-'));
  /** Its own certificate. */
  readonly certificate = join(this.directory, 'ca.pem');
  readonly #key = join(this.directory, 'ca.key');
  #made = 0;

  constructor(name = 'test authority') {
    this.#openssl('req', '-x509', ...NEW_KEY, '-keyout', this.#key, '-out', this.certificate, '-days', '2', '-subj', `/CN=${name}`);
  }

  /** @param name of the subject @param subjectAltName as OpenSSL writes it, e.g. `DNS:localhost,IP:127.0.0.1` @param days that it is good for; below 0: it has expired */
  issue(name: string, subjectAltName?: string, days = 2): CertificatePair {
    const stem = join(this.directory, `issued-${String(++this.#made)}`);
    const [request, extensions] = [`${stem}.csr`, `${stem}.ext`];
    const pair = { certificate: `${stem}.pem`, key: `${stem}.key` };
    this.#openssl('req', ...NEW_KEY, '-keyout', pair.key, '-out', request, '-subj', `/CN=${name}`);
    writeFileSync(extensions, subjectAltName === undefined ? 'basicConstraints=CA:FALSE\n' : `subjectAltName=${subjectAltName}\n`);
    const signed = ['-CA', this.certificate, '-CAkey', this.#key, '-CAcreateserial', '-days', String(days), '-extfile', extensions];
    this.#openssl('x509', '-req', '-in', request, '-out', pair.certificate, ...signed);
    return pair;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #openssl(...args: readonly string[]): void {
    execFileSync('openssl', [...args], { stdio: 'pipe' });
  }
}

/** Elliptic curves: made in no time. */
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
