import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { illFormedIn } from './percent-encoding.js';

describe('a text with bytes as %XX', () => {
  it.each([
    ['a%zzb', 1, '%zz'],
    ['100%', 3, '%'],
    ['%4', 0, '%4'],
    ['a%FFb', 1, '%FF'],
    ['%C3%A4%C3x', 6, '%C3'],
    ['%E2%82', 0, '%E2%82'],
    ['%ED%A0%80', 0, '%ED%A0%80'],
    ['%C0%AF', 0, '%C0%AF'],
    ['%F5%80%80%80', 0, '%F5%80%80%80'],
    ['%A4', 0, '%A4'],
  ])('%s is wrong after %i characters', (text, at, wrong) => {
    expect(illFormedIn(text)).toMatchObject({ at, text: wrong });
  });

  it('is right however any text is written with them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(illFormedIn(encodeURIComponent(text.toWellFormed()))).toBeUndefined();
      }),
    );
  });
});
