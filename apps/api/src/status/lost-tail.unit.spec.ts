import { describe, expect, it } from 'vitest';
import { lostNotes } from './lost-tail.js';

const epoch = { id: 'e2', version: 2114, since: '2026-01-01T00:00:00.000Z', reason: 'r', earlier: [], tellings: {} };
const text = (began: Parameters<typeof lostNotes>[1]): string => lostNotes(epoch, began).map((note) => note.text)[0] ?? '';
const witness = (version: number) => ({ witness: { epoch: 'e1', version, hash: '00' }, by: 'n1' });

describe('what a log lost that went back in time', () => {
  it('is told as far as somebody knows it', () => {
    expect(text(witness(2190))).toContain(
      'versions 2114 to 2190 (as far as was told to n1) are lost. What was ordered then has to be ordered again',
    );
    expect(text(witness(2100))).toContain('version 2100, and perhaps others around it, (as far as was told to n1) are lost');
    expect(text({ by: 'user:alice' })).toContain('nobody knows how much');
    expect(text(undefined)).toContain('nobody knows how much');
  });
});
