import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginningOf, carriable, carriableText, endOf } from './text.js';

/** Any sequence of UTF-16 code units, with lone surrogates and control characters more often than chance has them. */
const codeUnits = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x20 }), fc.integer({ min: 0xd7ff, max: 0xe001 })))
  .map((units) => String.fromCharCode(...units));

const wholeCharacters = fc.array(fc.constantFrom('a', 'ü', '€', '😀')).map((characters) => characters.join(''));

describe('what a program prints', () => {
  it('stays as it is where XML, JSON and PostgreSQL can carry it', () => {
    const text = 'tab\tline\r\nü € 😀 \u007f\u0085 \ufffd \u{1fffe}';
    expect(carriableText(text)).toBe(text);
  });

  it('shows control characters by their pictures', () => {
    expect(carriableText('\u001b[31mred\u0000\u000b')).toBe('\u241b[31mred\u2400\u240b');
  });

  it('shows what is no character as U+FFFD', () => {
    expect(carriableText('a\ud800b\udc00\ufffe\uffff\ud800')).toBe('a\ufffdb\ufffd\ufffd\ufffd\ufffd');
  });

  it('becomes well-formed, as long as before, and the same when it is done again', () => {
    fc.assert(
      fc.property(codeUnits, (text) => {
        const carried = carriableText(text);
        expect(carried.isWellFormed()).toBe(true);
        expect(carried).toHaveLength(text.length);
        expect(carriableText(carried)).toBe(carried);
      }),
    );
  });

  it('is replaced wherever it is in a message', () => {
    expect(carriable({ a: ['\u0000', { '\u0001': '\ud800' }], n: 1, none: null, yes: true })).toEqual({
      a: ['\u2400', { '\u2401': '\ufffd' }],
      n: 1,
      none: null,
      yes: true,
    });
  });
});

describe('a cut', () => {
  it('is where it is asked for', () => {
    expect(beginningOf('abc', 2)).toBe('ab');
    expect(endOf('abc', 2)).toBe('bc');
    expect(beginningOf('abc', 5)).toBe('abc');
    expect(endOf('abc', 5)).toBe('abc');
  });

  it('does not halve a character', () => {
    expect(beginningOf('a😀b', 2)).toBe('a');
    expect(endOf('a😀b', 2)).toBe('b');
    fc.assert(
      fc.property(wholeCharacters, fc.nat(20), (text, length) => {
        for (const part of [beginningOf(text, length), endOf(text, length)]) {
          expect(part.isWellFormed()).toBe(true);
          expect(part.length).toBeLessThanOrEqual(length);
          expect(part.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1);
        }
      }),
    );
  });
});
