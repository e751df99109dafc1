import type { MasterKeys } from './master-keys.js';
import { rewrap, seal, unseal, type SealedValue } from './sealed-value.js';

/** What a sealed text begins with; none that is sealed begins so by itself. */
const PREFIX = 'sealed:1:';

/**
 * A text as one column holds it: sealed as the values of secrets are, where there is a key; as it is where there is none.
 *
 * @param place of the text: at another one it does not open
 */
export function sealText(text: string, place: string, { current }: MasterKeys): string {
  return current === undefined ? text : written(seal(text, place, current));
}

/** Texts that were stored before there was a key are as they are. @returns undefined when none of the keys opens it */
export function unsealText(sealed: string, place: string, keys: MasterKeys): string | undefined {
  if (!sealed.startsWith(PREFIX)) return sealed;
  const value = read(sealed);
  return value === undefined ? undefined : unseal(value, place, keys);
}

/** The same text under the present key; one that was stored as it is, sealed. @returns undefined when none of the keys opens it */
export function resealText(sealed: string, place: string, keys: MasterKeys): string | undefined {
  const { current } = keys;
  if (current === undefined) return unsealText(sealed, place, keys) === undefined ? undefined : sealed;
  if (!sealed.startsWith(PREFIX)) return sealText(sealed, place, keys);
  const value = read(sealed);
  if (value === undefined || value.keyId === current.id) return value === undefined ? undefined : sealed;
  const wrapped = rewrap(value, place, keys, current);
  return wrapped === undefined ? undefined : written({ ...value, ...wrapped });
}

function written({ keyId, wrappedKey, value }: SealedValue): string {
  return `${PREFIX}${keyId}:${wrappedKey.toString('base64')}:${value.toString('base64')}`;
}

function read(sealed: string): SealedValue | undefined {
  const [keyId, wrappedKey, value] = sealed.slice(PREFIX.length).split(':');
  if (keyId === undefined || wrappedKey === undefined || value === undefined) return undefined;
  return { keyId, wrappedKey: Buffer.from(wrappedKey, 'base64'), value: Buffer.from(value, 'base64') };
}
