import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RecentHashes } from './recent-hashes.js';

const MOST = 256;
const hashOf = (version: number): string => createHash('sha256').update(String(version)).digest('hex');

/** Reads on from a version. */
function read(from: number, to: number): RecentHashes {
  const hashes = new RecentHashes(MOST);
  for (let version = from; version <= to; version++) hashes.set(version, hashOf(version));
  return hashes;
}

describe('the hashes of the newest events', () => {
  it.each([
    [1, 1],
    [1, 16],
    [1, 17],
    [1, 255],
    [1, 256],
    [1, 257],
    [1, 1_000],
    [70_001, 70_040],
    [4_294_967_000, 4_294_967_900],
  ])('from version %i to %i are kept, at most so many, and no others', (from, to) => {
    const hashes = read(from, to);
    const kept = Math.max(from, to - MOST + 1);
    for (let version = from - 40; version <= to + 40; version++)
      expect(hashes.get(version)).toBe(version >= kept && version <= to && version >= from ? hashOf(version) : undefined);
  });

  it('of a version that is read twice stand once', () => {
    const hashes = read(1, 20);
    hashes.set(20, hashOf(21));
    expect([hashes.get(19), hashes.get(20), hashes.get(21)]).toEqual([hashOf(19), hashOf(21), undefined]);
  });

  it('take little where little was heard, and never more than a bound', () => {
    expect(read(1, 10).bytes).toBeLessThan(1_000);
    expect(read(1, 2_000).bytes).toBe(read(1, MOST).bytes);
  });
});
