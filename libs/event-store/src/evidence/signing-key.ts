import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/** The key with which heads are signed can't be used; the message says what to do. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey';
}

/** The private key in a file (PEM, PKCS #8). @throws {UnusableKey} */
export async function readSigningKey(path: string): Promise<KeyObject> {
  const text = await read(path, 'make one with "systole audit make-key FILE"');
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below.
  }
  throw new UnusableKey(`${path} holds no private Ed25519 key (PEM, PKCS #8): make one with "systole audit make-key FILE"`);
}

/** The public key in a file (PEM), as statements carry it: SPKI in DER, base64. A private key's own is taken, too. @throws {UnusableKey} */
export async function readPublicKey(path: string): Promise<string> {
  const text = await read(path, 'give the file of the public key');
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key.export({ type: 'spki', format: 'der' }).toString('base64');
  } catch {
    // Said below.
  }
  throw new UnusableKey(`${path} holds no public Ed25519 key (PEM)`);
}

/**
 * Makes a key: the private one into the file, which must not be there yet and which only its owner may read, the public one beside it, with `.pub` after its name.
 *
 * @returns the public key, as statements carry it
 * @throws {UnusableKey} when the file can't be made
 */
export async function makeSigningKey(path: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  try {
    await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
    await writeFile(`${path}.pub`, publicKey.export({ type: 'spki', format: 'pem' }), { flag: 'wx' });
  } catch (error) {
    throw new UnusableKey(`the key can not be written: ${textOf(error)}; a key that is there is never replaced`);
  }
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

async function read(path: string, otherwise: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UnusableKey(`the key can not be read (${textOf(error)}): ${otherwise}`);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
