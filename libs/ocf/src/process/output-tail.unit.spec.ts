import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputTail } from './output-tail.js';

describe('the tail of an output', () => {
  it('is everything while it is short', () => {
    const tail = new OutputTail(10);
    tail.push(Buffer.from('abc'));
    tail.push(Buffer.from('def'));
    expect(tail.text()).toBe('abcdef');
    expect(tail.truncated).toBe(false);
  });

  it('is the last bytes, however the output is cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme-ascii' })), fc.integer({ min: 1, max: 20 }), (chunks, limit) => {
        const tail = new OutputTail(limit);
        for (const chunk of chunks) tail.push(Buffer.from(chunk));
        expect(tail.text()).toBe(chunks.join('').slice(-limit));
      }),
    );
  });

  it('keeps no more than it gives, however much is printed', () => {
    const tail = new OutputTail(10);
    const chunk = Buffer.alloc(64 * 1024 * 1024, 'a');
    // 8 GiB all told: what is more than a buffer can hold could not be put together in the end.
    for (let count = 0; count < 128; count++) tail.push(chunk);
    tail.push(Buffer.from('the end'));
    expect(tail.text()).toBe('aaathe end');
  });

  it('does not begin in the middle of a character', () => {
    const tail = new OutputTail(3);
    tail.push(Buffer.from('aäöb'));
    expect(tail.text()).toBe('öb');
    expect(tail.truncated).toBe(true);
  });
});
