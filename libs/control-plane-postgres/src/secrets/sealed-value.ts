import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KEY_BYTES, type MasterKey, type MasterKeys } from './master-keys.js';

/** A value as it is stored: under a key of its own, which is wrapped with a master key. Without the wrapped key nobody reads it. */
export interface SealedValue {
  readonly keyId: string;
  readonly wrappedKey: Buffer;
  readonly value: Buffer;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Values are filled up to a multiple of so many bytes, so that their length says little. */
const BLOCK_BYTES = 64;

/** @param place of the value: at another one it does not open */
export function seal(value: string, place: string, master: MasterKey): SealedValue {
  const key = randomBytes(KEY_BYTES);
  return { keyId: master.id, wrappedKey: wrap(key, place, master), value: encrypt(filledUp(value), key, `value ${place}`) };
}

/** @returns undefined when none of the keys opens it, or it is not what was stored there */
export function unseal({ keyId, wrappedKey, value }: SealedValue, place: string, keys: MasterKeys): string | undefined {
  const key = unwrap({ keyId, wrappedKey }, place, keys);
  const filled = key === undefined ? undefined : decrypt(value, key, `value ${place}`);
  return filled?.toString('utf8').replace(/\0+$/, '');
}

/** The same value's key under another master key. @returns undefined when none of the keys opens it */
export function rewrap(
  sealed: Pick<SealedValue, 'keyId' | 'wrappedKey'>,
  place: string,
  keys: MasterKeys,
  master: MasterKey,
): Pick<SealedValue, 'keyId' | 'wrappedKey'> | undefined {
  const key = unwrap(sealed, place, keys);
  return key === undefined ? undefined : { keyId: master.id, wrappedKey: wrap(key, place, master) };
}

function wrap(key: Buffer, place: string, master: MasterKey): Buffer {
  return encrypt(key, master.key, `key ${place}`);
}

function unwrap({ keyId, wrappedKey }: Pick<SealedValue, 'keyId' | 'wrappedKey'>, place: string, keys: MasterKeys): Buffer | undefined {
  const master = keys.find(keyId);
  return master === undefined ? undefined : decrypt(wrappedKey, master.key, `key ${place}`);
}

/** A value of a configuration never holds a NUL. */
function filledUp(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([bytes, Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES)]);
}

function encrypt(clear: Buffer, key: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(sealed: Buffer, key: Buffer, context: string): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    // What was changed, or was stored for something else, has another tag.
    return undefined;
  }
}
