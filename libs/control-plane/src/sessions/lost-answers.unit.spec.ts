import { describe, expect, it } from 'vitest';
import { LostAnswers } from './lost-answers.js';

const N1 = { clusterId: 'c', node: 'n1', tokenId: 't', actor: 'agent:n1' };
const head = (version: number) => ({ epoch: 'e', version, hash: `h${String(version)}` });

function polling() {
  let now = 0;
  const answers = new LostAnswers({ monotonic: () => now });
  /** A poll that shows one head is answered with another a second later. */
  const poll = (shown: number | undefined, told: number, incarnation = 1): readonly string[] => {
    const troubles = answers.heard(N1, incarnation, shown === undefined ? undefined : head(shown));
    answers.answered(N1, incarnation, head(told));
    now += 1_000;
    return troubles.map(({ code }) => code);
  };
  const last = (polls: number, shown: number | undefined, told: number): readonly string[] =>
    Array.from({ length: polls }, () => poll(shown, told)).at(-1) ?? [];
  return { poll, last };
}

describe('an agent whose answers are lost', () => {
  it('is found when it shows an old head for long, and forgotten when it shows a newer one', () => {
    const { poll, last } = polling();
    expect(last(20, 5, 9)).toEqual([]);
    expect(last(3, 5, 10)).toEqual(['answers-lost']);
    expect(poll(10, 10)).toEqual([]);
    expect(last(30, 10, 10)).toEqual([]);
  });

  it('is none that lags behind a log that moves, that joined anew, or that shows nothing', () => {
    const lagging = polling();
    for (let version = 1; version < 60; version++) expect(lagging.poll(version, version + 5)).toEqual([]);
    const { poll, last } = polling();
    last(15, 5, 9);
    expect(poll(5, 9, 2)).toEqual([]);
    expect(polling().last(60, undefined, 9)).toEqual([]);
  });
});
