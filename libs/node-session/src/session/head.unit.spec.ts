import type { Head } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { EMPTY_STATE } from '../journal/state.js';
import { freshState } from '../start.js';
import { SETTINGS } from '../testing/actions.js';
import type { Turn } from '../turn.js';
import { noteHead } from './head.js';

/** What an agent keeps that is told one head after the other. */
function kept(...heads: readonly Head[]): { readonly shown: unknown; readonly journaled: unknown } {
  const turn: Turn = { state: freshState(SETTINGS, { journal: EMPTY_STATE }, 0), now: 0, wallMs: 0, effects: [] };
  for (const head of heads) noteHead(turn, head);
  return { shown: turn.state.witness, journaled: turn.state.journal.ahead.witness?.witness };
}

const head = (version: number, seal?: string): Head => ({
  epoch: 'e',
  version,
  hash: `h${String(version)}`,
  ...(seal === undefined ? {} : { seal }),
});

describe('the head of the log that an agent keeps', () => {
  it('is kept and shown with the seal that it was told with', () => {
    expect(kept(head(1, 's1'))).toEqual({ shown: head(1, 's1'), journaled: head(1, 's1') });
    expect(kept(head(1, 's1'), head(2, 's2')).shown).toEqual(head(2, 's2'));
  });

  it('is never an older one, sealed or not', () => {
    expect(kept(head(2), head(1, 's1')).shown).toEqual(head(2));
    expect(kept(head(2, 's2'), head(1, 's1')).shown).toEqual(head(2, 's2'));
  });

  it('gets its seal when a server can seal it, and keeps it when the next one can not', () => {
    expect(kept(head(1), head(1, 's1')).shown).toEqual(head(1, 's1'));
    expect(kept(head(1, 's1'), head(1)).shown).toEqual(head(1, 's1'));
    expect(kept(head(1), { ...head(1, 's1'), hash: 'rewritten' }).shown).toEqual(head(1));
  });
});
