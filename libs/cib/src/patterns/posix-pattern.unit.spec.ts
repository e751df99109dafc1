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

  it('takes a list of many names', () => {
    const names = Array.from({ length: 100 }, (_, index) => `web-${String(index)}`);
    expect(posixPattern(`^(${names.join('|')})$`)?.('web-99')).toEqual(['web-99', 'web-99']);
  });

  it('takes the longest of the leftmost matches, as POSIX says', () => {
    expect(posixPattern('(a|ab)(c|bcd)(d*)')?.('abcd')).toEqual(['abcd', 'a', 'bcd', '']);
  });

  it.each(['[', '(', '*', 'a{2,1}', '(?=a)', '('.repeat(20_000), 'a*'.repeat(5_000), '(a?){1000}'])('is undefined for %.20s', (pattern) => {
    expect(posixPattern(pattern)).toBeUndefined();
  });

  it.each(['(a+)+$', '(.*)*(.*)*(.*)*x', '^(aa|a|aaa)*$'])('takes no longer for %s', (pattern) => {
    const begin = process.cpuUsage();
    expect(posixPattern(pattern)?.(`${'a'.repeat(10_000)}b`)).toBeUndefined();
    expect(process.cpuUsage(begin).user).toBeLessThan(2_000_000);
  });
});
