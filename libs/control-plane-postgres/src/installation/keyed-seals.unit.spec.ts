import crypto from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const HEAD = { epoch: 'e', version: 3, hash: 'abc' };

describe('seals by a key', () => {
  it('are made once for what all nodes of a cluster are told, and are the same as without that', async () => {
    const hmac = vi.fn(crypto.createHmac);
    vi.resetModules();
    vi.doMock('node:crypto', () => ({ ...crypto, createHmac: hmac }));
    onTestFinished(() => {
      vi.doUnmock('node:crypto');
      vi.resetModules();
    });
    const { KeyedSeals } = await import('./keyed-seals.js');
    const [seals, others] = [new KeyedSeals(Buffer.alloc(32, 1)), new KeyedSeals(Buffer.alloc(32, 1))];
    const told = seals.sealed('c', HEAD);
    expect(hmac).toHaveBeenCalledTimes(1);
    for (let poll = 0; poll < 3; poll++) {
      expect(seals.judge('c', told)).toBe('right');
      expect(seals.sealed('c', { ...HEAD })).toEqual(told);
    }
    expect(hmac).toHaveBeenCalledTimes(1);
    expect(others.judge('c', told)).toBe('right');
    expect(others.sealed('c', HEAD)).toEqual(told);
  });

  it('are judged right of earlier heads, and wrong of what was changed, of other clusters and of longer or shorter ones', async () => {
    const { KeyedSeals } = await import('./keyed-seals.js');
    const seals = new KeyedSeals(Buffer.alloc(32, 1));
    const earlier = seals.sealed('c', HEAD);
    const newer = seals.sealed('c', { ...HEAD, version: 4 });
    expect(seals.judge('c', earlier)).toBe('right');
    expect(seals.judge('c', newer)).toBe('right');
    expect(seals.judge('c', { ...newer, seal: earlier.seal ?? '' })).toBe('wrong');
    expect(seals.judge('c', { ...newer, version: 5 })).toBe('wrong');
    expect(seals.judge('d', newer)).toBe('wrong');
    expect(seals.judge('c', { ...newer, seal: `${newer.seal ?? ''}x` })).toBe('wrong');
  });
});
