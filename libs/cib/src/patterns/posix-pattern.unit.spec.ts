import { describe, expect, it } from 'vitest';
import { posixPattern } from './posix-pattern.js';

describe('posixPattern', () => {
  it.each([
    ['db', 'my-db-1', ['db']],
    ['^db', 'my-db-1', undefined],
    ['^vm-([0-9]+)(-x)?$', 'vm-12', ['vm-12', '12', undefined]],
    ['[[:upper:]]+', 'abCDe', ['CD']],
    ['.*', '', ['']],
  ])('%s on %j', (pattern, id, groups) => {
    expect(posixPattern(pattern)?.(id)).toEqual(groups);
  });

  it('takes the longest of the leftmost matches, as POSIX says', () => {
    expect(posixPattern('(a|ab)(c|bcd)(d*)')?.('abcd')).toEqual(['abcd', 'a', 'bcd', '']);
  });

  it.each(['[', '(', '*', 'a{2,1}', '(?=a)', '('.repeat(20_000)])('is undefined for %.20s', (pattern) => {
    expect(posixPattern(pattern)).toBeUndefined();
  });

  it.each(['(a+)+$', '(.*)*(.*)*(.*)*x', '^(aa|a|aaa)*$'])('takes no longer for %s', (pattern) => {
    const begin = process.cpuUsage();
    expect(posixPattern(pattern)?.(`${'a'.repeat(10_000)}b`)).toBeUndefined();
    expect(process.cpuUsage(begin).user).toBeLessThan(2_000_000);
  });
});
