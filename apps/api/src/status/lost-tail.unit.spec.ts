import { describe, expect, it } from 'vitest';
import { lostNotes, type Loss } from './lost-tail.js';

const SINCE = '2026-01-01T00:00:00.000Z';
const HOUR = 3_600_000;
const witness = (version: number) => ({ previous: 'e1', witness: { epoch: 'e1', version, hash: '00' }, by: 'n1' });
const loss = (began: Loss['began'], changes: Partial<Loss> = {}): Loss => ({ version: 2114, since: SINCE, began, ...changes });
const texts = (...losses: readonly Loss[]): readonly string[] => lostNotes(losses, Date.parse(SINCE) + 20 * HOUR).map(({ text }) => text);

describe('what a log lost that went back in time', () => {
  it('is told as far as somebody knows it', () => {
    expect(texts(loss(witness(2190)))[0]).toContain(
      'versions 2114 to 2190 (as far as was told to n1) are lost. What was ordered then has to be ordered again',
    );
    expect(texts(loss(witness(2100)))[0]).toContain('version 2100, and perhaps others around it, (as far as was told to n1) are lost');
    expect(texts(loss({ previous: 'e1', by: 'user:alice' }))[0]).toContain('nobody knows how much');
  });

  it('is told of each time, for a day each', () => {
    const second = loss(witness(2300), { version: 2200, since: '2026-01-01T10:00:00.000Z' });
    expect(texts(loss(witness(2190)), second)).toEqual([
      expect.stringContaining('versions 2114 to 2190') as string,
      expect.stringContaining('versions 2200 to 2300') as string,
    ]);
    expect(lostNotes([loss(witness(2190)), second], Date.parse(SINCE) + 25 * HOUR)).toMatchObject([
      { text: expect.stringContaining('versions 2200 to 2300') as string },
    ]);
  });

  it('is told from where it began, where a node had told of it by its word alone before it was proven', () => {
    const proof = loss({ ...witness(2190), previous: 'e2', by: 'api' }, { version: 2120 });
    expect(texts(loss(witness(2150)), proof)[1]).toContain('versions 2114 to 2190 (as far as was told to api) are lost. What');
  });

  it('says so where the log does not name what came before, as that was lost as well', () => {
    expect(texts(loss({ ...witness(2190), previous: 'e0' }))[0]).toContain('after a loss of which nothing is left in the log either');
  });
});
