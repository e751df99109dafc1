import { describe, expect, it } from 'vitest';
import { EMPTY_STATE } from '../journal/state.js';
import { freshState } from '../start.js';
import { SETTINGS } from '../testing/actions.js';
import type { Turn } from '../turn.js';
import { noteLoad, noteLoadThreshold } from './load.js';
import { troublesOf } from './troubles.js';

describe('the load of the machine', () => {
  const begun = (): Turn => ({ state: freshState(SETTINGS, { journal: EMPTY_STATE }, 0), now: 0, wallMs: 0, effects: [] });
  const told = ({ state }: Turn): readonly string[] => troublesOf(state).map(({ code }) => code);

  it('is told when it is beyond the threshold, and until it is well below it', () => {
    const turn = begun();
    noteLoadThreshold(turn, 80);
    const seen = [79, 80, 61, 80, 59, 79, 100].map((percent) => {
      noteLoad(turn, percent);
      return told(turn).length;
    });
    expect(seen).toEqual([0, 1, 1, 1, 0, 0, 1]);
    expect(told(turn)).toEqual(['high-load']);
    noteLoad(turn, undefined);
    expect(told(turn), 'nobody looked').toEqual(['high-load']);
    noteLoadThreshold(turn, undefined);
    expect(told(turn), 'the option is gone').toEqual([]);
  });

  it('is nothing where no server says what is much', () => {
    const turn = begun();
    noteLoad(turn, 1_000_000);
    expect(told(turn)).toEqual([]);
  });
});
