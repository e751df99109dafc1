import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTlsFiles } from './tls-files.js';
import { CertificateAuthority, type CertificatePair } from './testing/certificate-authority.js';
import { WatchedTlsFiles } from './watched-tls-files.js';

let authority: CertificateAuthority;
let one: CertificatePair;
let other: CertificatePair;

beforeAll(() => {
  authority = new CertificateAuthority();
  one = authority.issue('one');
  other = authority.issue('other');
});
afterAll(() => {
  authority.remove();
});

describe('files of certificates', () => {
  it('are refused with the file and what is wrong with it', async () => {
    const rubbish = join(authority.directory, 'rubbish');
    writeFileSync(rubbish, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    for (const [files, says] of [
      [{ certificate: one.certificate }, /alone is not enough/],
      [{ ...one, key: other.key }, /does not belong to the certificate/],
      [{ ...one, key: one.certificate }, /holds no private key in PEM/],
      [{ ...one, certificate: one.key }, /holds no certificate in PEM/],
      [{ authorities: rubbish }, /holds a certificate that can not be read/],
      [{ authorities: `${rubbish}-none` }, /rubbish-none can not be read/],
    ] as const) {
      await expect(readTlsFiles(files)).rejects.toThrow(says);
    }
  });

  it('are taken anew when all of them fit, and not before', async () => {
    const files = { certificate: join(authority.directory, 'used.pem'), key: join(authority.directory, 'used.key') };
    copyFileSync(one.certificate, files.certificate);
    copyFileSync(one.key, files.key);
    const heard: string[] = [];
    const watched = await WatchedTlsFiles.open(files, {
      changed: () => heard.push('changed'),
      unfit: (reason) => heard.push(reason),
    });
    const before = watched.material;
    await watched.look();
    copyFileSync(other.certificate, files.certificate);
    await watched.look();
    await watched.look();
    expect(watched.material).toBe(before);
    copyFileSync(other.key, files.key);
    await watched.look();
    expect(heard).toEqual([expect.stringMatching(/does not belong/), 'changed']);
    expect(watched.material).not.toEqual(before);
    watched.close();
  });

  it('are not taken anew when they have expired, as long as those that are used have not, and that is told', async () => {
    const files = { certificate: join(authority.directory, 'dated.pem'), key: join(authority.directory, 'dated.key') };
    const write = ({ certificate, key }: CertificatePair): void => {
      copyFileSync(certificate, files.certificate);
      copyFileSync(key, files.key);
    };
    write(one);
    const heard: string[] = [];
    const watched = await WatchedTlsFiles.open(files, {
      changed: () => heard.push('changed'),
      unfit: (reason) => heard.push(reason),
    });
    const before = watched.material;
    write(authority.issue('late', undefined, -1));
    await watched.look();
    await watched.look();
    expect(watched.material).toBe(before);
    write(other);
    await watched.look();
    expect(heard).toEqual([expect.stringMatching(/dated\.pem has expired/), 'changed']);
    watched.close();
  });
});
