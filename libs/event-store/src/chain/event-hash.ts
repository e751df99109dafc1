import { hash } from 'node:crypto';

/** The prev_hash of a stream's first event. */
export const GENESIS_HASH = '0'.repeat(64);

const HASH_BYTES = GENESIS_HASH.length / 2;
/** UTF-8 takes at most so many bytes for a UTF-16 code unit. */
const BYTES_A_UNIT = 3;

/** Where the text of an event follows the hash of the one before, so that nothing is made for each of a million; longer ones are few. */
const SCRATCH = Buffer.alloc(256 * 1024);

/**
 * The hash of an event: sha256 of the bytes of the hash before it and its canonical text.
 *
 * @param previousHash lower-case hexadecimal
 * @param text UTF-8, where it comes as bytes
 * @returns lower-case hexadecimal
 * @throws {RangeError} when there is no hash where the one before should be
 */
export function eventHash(previousHash: string, text: string | Uint8Array): string {
  const most = HASH_BYTES + text.length * (typeof text === 'string' ? BYTES_A_UNIT : 1);
  const bytes = most <= SCRATCH.length ? SCRATCH : Buffer.allocUnsafe(most);
  if (bytes.write(previousHash, 0, HASH_BYTES, 'hex') !== HASH_BYTES)
    throw new RangeError(`${JSON.stringify(previousHash)} is no hash of an event`);
  let length = text.length;
  if (typeof text === 'string') length = bytes.write(text, HASH_BYTES);
  else bytes.set(text, HASH_BYTES);
  return hash('sha256', bytes.subarray(0, HASH_BYTES + length), 'hex');
}
