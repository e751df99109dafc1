import { RE2JS } from 're2js';
import { afterEach, describe, expect, it, vi } from 'vitest';
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

  describe('and what it compiles', () => {
    afterEach(() => vi.restoreAllMocks());

    it.each([
      'a{1,1000}b{1,1000}',
      '(a{1,1000}|b{1,1000})'.repeat(20),
      '(?:a{1,1000}|b{1,1000})'.repeat(20),
      '\\p{L}{1,1000}'.repeat(100),
      '((a{2,30}){2,30}b){2,30}',
      '\\Q[\\Ea{1,1000}b{1,1000}',
      '[^]a-z]a{1000}b{1000}',
      '[[:alpha:]a[]a{1000}b{1000}',
      '(?i)a{1000}b{1000}',
      '(?<n>a{600}){3}',
      '[\u0100-\uffff]'.repeat(100),
      '[\\x{100}-\\x{10ffff}]'.repeat(50),
      '\\p{L}|\\P{L}|'.repeat(100),
    ])('does not begin with what is too large (%#)', (pattern) => {
      const compile = vi.spyOn(RE2JS, 'compile');
      expect(posixPattern(pattern, { ignoreCase: true })).toBeUndefined();
      expect(compile).not.toHaveBeenCalled();
    });

    it.each([
      ['a{1,700}', 'a'],
      ['(?:ab){500}', 'ab'.repeat(500)],
      ['[a-z]{2,60}-[0-9]{1,9}', 'web-1'],
      ['(a{2,9}|b{2,9}){1,9}', 'aabb'],
      ['\\Qa{1000}{1000}{1000}\\E', 'a{1000}{1000}{1000}'],
      ['[{1000}]x', '1x'],
      ['(a{1000}b{1000}){0}c', 'c'],
      ['\\p{L}{1,60}[à-ÿ]', 'xé'],
      ['[]{1000}[:digit:]-]+', ']'],
    ])('takes %s', (pattern, text) => {
      expect(posixPattern(pattern, { ignoreCase: true })?.(text)?.[0]).toBe(text);
    });

    it.each(['^kept-[0-9]{1,3}$', 'kept(', '(kept?){700}'])('compiles %s once', (pattern) => {
      const compile = vi.spyOn(RE2JS, 'compile');
      const [first, again] = [posixPattern(pattern), posixPattern(pattern)];
      expect(again).toBe(first);
      expect(compile.mock.calls.length).toBeLessThanOrEqual(1);
    });

    it('does not take one pattern for another that differs by case alone', () => {
      expect(posixPattern('^either$', { ignoreCase: true })?.('EITHER')).toEqual(['EITHER']);
      expect(posixPattern('^either$')?.('EITHER')).toBeUndefined();
    });

    it('keeps no more than so many, and those that are asked for', () => {
      const large = (index: number) => `[${'x'.repeat(1_900)}${String(index)}`;
      posixPattern('^asked$');
      for (let index = 0; index < 120; index += 1) {
        posixPattern(large(index));
        posixPattern('^asked$');
      }
      const compile = vi.spyOn(RE2JS, 'compile');
      posixPattern('^asked$');
      posixPattern(large(119));
      expect(compile).not.toHaveBeenCalled();
      posixPattern(large(0));
      expect(compile).toHaveBeenCalledOnce();
    });
  });
});
