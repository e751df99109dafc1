import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MasterKeys, type MasterKey } from './master-keys.js';
import { rewrap, seal, unseal } from './sealed-value.js';

const keyOf = (id: string): MasterKey => ({ id, key: randomBytes(32) });
const [first, second] = [keyOf('first'), keyOf('second')];

describe('a sealed value', () => {
  it('is read with the key that it was sealed with, and with no other', () => {
    const sealed = seal('geheim – 🔑', 'here', first);
    expect(unseal(sealed, 'here', new MasterKeys([second, first]))).toBe('geheim – 🔑');
    expect(unseal(sealed, 'here', new MasterKeys([second]))).toBeUndefined();
    // Another key that says it is that one.
    expect(unseal(sealed, 'here', new MasterKeys([keyOf('first')]))).toBeUndefined();
  });

  it('does not open in another place, changed, or cut off', () => {
    const sealed = seal('geheim', 'here', first);
    const keys = new MasterKeys([first]);
    expect(unseal(sealed, 'there', keys)).toBeUndefined();
    const changed = Buffer.from(sealed.value);
    changed[20] = (changed[20] ?? 0) ^ 1;
    expect(unseal({ ...sealed, value: changed }, 'here', keys)).toBeUndefined();
    expect(unseal({ ...sealed, value: sealed.value.subarray(0, 10) }, 'here', keys)).toBeUndefined();
    expect(unseal({ ...sealed, wrappedKey: sealed.value }, 'here', keys)).toBeUndefined();
  });

  it('says neither what it is nor how long', () => {
    const [short, longer] = [seal('a', 'here', first), seal('a'.repeat(60), 'here', first)];
    expect(short.value.length).toBe(longer.value.length);
    expect(seal('a', 'here', first).value.equals(short.value)).toBe(false);
    expect(seal('', 'here', first).value.length).toBeGreaterThan(0);
    expect(unseal(seal('', 'here', first), 'here', new MasterKeys([first]))).toBe('');
  });

  it('goes over to another master key, after which the first one opens it no more', () => {
    const sealed = seal('geheim', 'here', first);
    const wrapped = rewrap(sealed, 'here', new MasterKeys([second, first]), second);
    expect(wrapped?.keyId).toBe('second');
    const again = { ...sealed, ...wrapped };
    expect(unseal(again, 'here', new MasterKeys([second]))).toBe('geheim');
    expect(unseal(again, 'here', new MasterKeys([first]))).toBeUndefined();
    expect(rewrap(sealed, 'here', new MasterKeys([second]), second)).toBeUndefined();
  });
});
