import { describe, expect, it } from 'vitest';
import { TokenLookUps } from './token-look-ups.js';

describe('looking for tokens', () => {
  const digests = Array.from({ length: 1_200 }, (_, index) => Buffer.from([index >> 8, index & 255]));

  it('gives each its own token, with few queries for many', async () => {
    let queries = 0;
    const lookUps = new TokenLookUps(async (asked) => {
      queries += 1;
      await Promise.resolve();
      return new Map(
        asked
          .map((digest) => digest.toString('hex'))
          .filter((hex) => hex.endsWith('0'))
          .map((hex) => [hex, `token ${hex}`]),
      );
    });
    const found = await Promise.all(digests.map((digest) => lookUps.find(digest)));
    expect(found).toEqual(digests.map((digest) => (digest.toString('hex').endsWith('0') ? `token ${digest.toString('hex')}` : undefined)));
    expect(queries).toBeLessThanOrEqual(4);
  });

  it('fails for those who asked only, and goes on', async () => {
    let queries = 0;
    const lookUps = new TokenLookUps(() => {
      queries += 1;
      return queries === 1 ? Promise.reject(new Error('away')) : Promise.resolve(new Map<string, string>());
    });
    await expect(lookUps.find(Buffer.alloc(1))).rejects.toThrow('away');
    expect(await lookUps.find(Buffer.alloc(1))).toBeUndefined();
  });
});
