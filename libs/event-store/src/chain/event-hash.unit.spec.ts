import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { eventHash, GENESIS_HASH } from './event-hash.js';

const PREVIOUS = createHash('sha256').update('before').digest();

it.each(['', 'a', 'é😀\u2028', 'x'.repeat(300_000), '😀'.repeat(200_000)])('is sha256 of the bytes before and the text (%#)', (text) => {
  const expected = createHash('sha256').update(PREVIOUS).update(text, 'utf8').digest('hex');
  expect(eventHash(PREVIOUS.toString('hex'), text)).toBe(expected);
  expect(eventHash(PREVIOUS.toString('hex'), Buffer.from(text))).toBe(expected);
});

it.each(['', 'ab', `${GENESIS_HASH}00`.slice(1, -1).replace(/^./, 'z'), 'g'.repeat(64)])(
  'takes nothing else for a hash: %j',
  (previous) => {
    expect(() => eventHash(previous, 'text')).toThrow(RangeError);
  },
);
