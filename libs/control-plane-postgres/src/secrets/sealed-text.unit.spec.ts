import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MasterKeys, NO_KEYS } from './master-keys.js';
import { resealText, sealText, unsealText } from './sealed-text.js';

const old = { id: 'old', key: randomBytes(32) };
const now = { id: 'now', key: randomBytes(32) };

describe('a text that is sealed in one column', () => {
  it('opens with its key, at its place, and holds nothing of the text', () => {
    const sealed = sealText('whsec_abc', 'webhook 1', new MasterKeys([old]));
    expect(sealed).not.toContain('abc');
    expect(unsealText(sealed, 'webhook 1', new MasterKeys([now, old]))).toBe('whsec_abc');
    expect(unsealText(sealed, 'webhook 2', new MasterKeys([old]))).toBeUndefined();
    expect(unsealText(sealed, 'webhook 1', new MasterKeys([now]))).toBeUndefined();
    expect(unsealText(sealed, 'webhook 1', NO_KEYS)).toBeUndefined();
    expect(unsealText('sealed:1:old:x', 'webhook 1', new MasterKeys([old]))).toBeUndefined();
  });

  it('stays as it is where there is no key, and is read so also where there is one', () => {
    expect(sealText('whsec_abc', 'webhook 1', NO_KEYS)).toBe('whsec_abc');
    expect(unsealText('whsec_abc', 'webhook 1', new MasterKeys([now]))).toBe('whsec_abc');
  });

  it('comes under the present key, also from none, and only once', () => {
    const keys = new MasterKeys([now, old]);
    for (const before of [sealText('whsec_abc', 'p', new MasterKeys([old])), 'whsec_abc']) {
      const after = resealText(before, 'p', keys);
      expect(after).not.toBe(before);
      expect(unsealText(after ?? '', 'p', new MasterKeys([now]))).toBe('whsec_abc');
      expect(resealText(after ?? '', 'p', keys)).toBe(after);
    }
    expect(resealText(sealText('whsec_abc', 'p', new MasterKeys([old])), 'p', new MasterKeys([now]))).toBeUndefined();
  });
});
