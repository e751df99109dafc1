import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Paths of PEM files. A certificate and its key come together. */
export interface TlsFiles {
  /** The own certificate, and after it those between it and its authority. */
  readonly certificate?: string;
  /** Its private key, without a passphrase. */
  readonly key?: string;
  /** Certificates of the authorities by which others are verified. */
  readonly authorities?: string;
}

/** What stands in such files, as `node:tls` takes it. */
export interface TlsMaterial {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** A file is not there, is not what it should be, or does not go with another. */
export class UnfitCertificate extends Error {
  override readonly name = 'UnfitCertificate';
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Why the own certificate is of no use at a moment (epoch ms); undefined when it is, or there is none. */
export function outdated({ cert }: TlsMaterial, { certificate = '' }: TlsFiles, now: number): string | undefined {
  const [own] = cert === undefined ? [] : certificatesIn(certificate, cert);
  if (own === undefined) return undefined;
  if (Date.parse(own.validTo) <= now) return `the certificate in ${certificate} has expired: it was good until ${own.validTo}`;
  return Date.parse(own.validFrom) > now ? `the certificate in ${certificate} is not good before ${own.validFrom}` : undefined;
}

/** Reads and checks them. @throws {UnfitCertificate} naming the file, and what is wrong with it */
export async function readTlsFiles({ certificate, key, authorities }: TlsFiles): Promise<TlsMaterial> {
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UnfitCertificate(`${certificate ?? key ?? ''} alone is not enough: a certificate and its key are given together`);
  }
  const pair = certificate === undefined || key === undefined ? {} : await pairIn(certificate, key);
  if (authorities === undefined) return pair;
  const ca = await textOf(authorities);
  certificatesIn(authorities, ca);
  return { ...pair, ca };
}

async function pairIn(certificate: string, key: string): Promise<TlsMaterial> {
  const pair = { cert: await textOf(certificate), key: await textOf(key) };
  const [own] = certificatesIn(certificate, pair.cert);
  let secret;
  try {
    secret = createPrivateKey(pair.key);
  } catch {
    // What the library says may be a piece of the key.
    throw new UnfitCertificate(`${key} holds no private key in PEM that can be read without a passphrase`);
  }
  if (own?.checkPrivateKey(secret) !== true) {
    throw new UnfitCertificate(`the key in ${key} does not belong to the certificate in ${certificate}`);
  }
  return pair;
}

/** @throws {UnfitCertificate} when there is none, or one can't be read */
function certificatesIn(path: string, text: string): readonly X509Certificate[] {
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) throw new UnfitCertificate(`${path} holds no certificate in PEM`);
  try {
    return found.map((pem) => new X509Certificate(pem));
  } catch {
    throw new UnfitCertificate(`${path} holds a certificate that can not be read`);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UnfitCertificate(`${path} can not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
