import { beforeEach, describe, expect, it } from 'vitest';
import type { DispatchSignal } from '../ports/dispatches.js';
import { QuietNodes } from './quiet-nodes.js';

describe('a node for which nothing was handed out', () => {
  const agent = { clusterId: 'c', node: 'n1' };
  let now: number;
  let found: boolean | 'away' | 'hanging';
  let comeBack: () => void;
  let looks: number;
  let ears: Set<(signal: DispatchSignal) => void>;
  let quiet: QuietNodes;

  const signal = (said: DispatchSignal): void => {
    for (const ear of [...ears]) ear(said);
  };
  /** A poll that comes and, unless told otherwise, is answered in vain. @returns what it was told, and whether it was looked for it */
  const poll = async (
    seq: number | undefined,
    { known = [] as readonly string[], incarnation = 1, inVain = true } = {},
  ): Promise<unknown> => {
    const before = looks;
    const asked = { incarnation, known, ...(seq === undefined ? {} : { seq }) };
    const open = await quiet.anyOpen(agent, asked).catch(() => 'away');
    if (inVain) quiet.answeredInVain(agent, asked);
    return [open, looks > before ? 'looked' : 'quiet'];
  };

  beforeEach(async () => {
    now = 0;
    found = false;
    looks = 0;
    ears = new Set();
    const signals = {
      listen: (_: string, __: string, wake: (signal: DispatchSignal) => void) => {
        ears.add(wake);
        return () => ears.delete(wake);
      },
    };
    const anyOpen = (): Promise<boolean> => {
      looks += 1;
      if (found === 'hanging')
        return new Promise(
          (resolve) =>
            (comeBack = () => {
              resolve(true);
            }),
        );
      return found === 'away' ? Promise.reject(new Error('away')) : Promise.resolve(found);
    };
    quiet = new QuietNodes(signals, { anyOpen }, { monotonic: () => now });
    expect(await poll(1)).toEqual([false, 'looked']);
  });

  it('is not looked after with each of its polls', async () => {
    expect([await poll(2), await poll(3)]).toEqual([
      [false, 'quiet'],
      [false, 'quiet'],
    ]);
  });

  it.each(['handed-out', 'missed'] as const)('is looked after when something was %s, also while it did not poll', async (said) => {
    signal(said);
    found = true;
    expect(await poll(2, { inVain: false })).toEqual([true, 'looked']);
  });

  it('is looked after when a poll of it was woken by a look for all: what it is given may come after its answer', async () => {
    expect(await poll(2, { inVain: false })).toEqual([false, 'quiet']);
    quiet.woken(agent);
    quiet.answeredInVain(agent, { incarnation: 1, seq: 2, known: [] });
    expect(await poll(3)).toEqual([false, 'looked']);
  });

  it('is looked after until nothing is open', async () => {
    signal('handed-out');
    found = true;
    expect([await poll(2), await poll(3)]).toEqual([
      [true, 'looked'],
      [true, 'looked'],
    ]);
    found = false;
    expect([await poll(4), await poll(5)]).toEqual([
      [false, 'looked'],
      [false, 'quiet'],
    ]);
  });

  it('is looked after when it was given something last, or is being answered still', async () => {
    expect(await poll(2, { inVain: false })).toEqual([false, 'quiet']);
    expect(await poll(3)).toEqual([false, 'looked']);
  });

  it.each([
    ['another process answered it meanwhile', 3, {}],
    ['it polls once more with the same number', 1, {}],
    ['it does not number its polls', undefined, {}],
    ['it began another life', 2, { incarnation: 2 }],
    ['it names other actions', 2, { known: ['a'] }],
  ] as const)('is looked after when %s', async (_, seq, more) => {
    expect(await poll(seq, more)).toEqual([false, 'looked']);
  });

  it('is looked after when the look before failed', async () => {
    signal('handed-out');
    found = 'away';
    expect(await poll(2)).toEqual(['away', 'looked']);
    found = false;
    expect(await poll(3)).toEqual([false, 'looked']);
  });

  it('is looked after as long as a look has not come back', async () => {
    signal('handed-out');
    found = 'hanging';
    const hanging = quiet.anyOpen(agent, { incarnation: 1, seq: 2, known: [] });
    quiet.answeredInVain(agent, { incarnation: 1, seq: 2, known: [] });
    found = false;
    expect(await poll(3)).toEqual([false, 'looked']);
    comeBack();
    expect(await hanging).toBe(true);
    expect(await poll(4)).toEqual([false, 'looked']);
  });

  it('is looked after every few seconds, whatever is said', async () => {
    now = 4_999;
    expect(await poll(2)).toEqual([false, 'quiet']);
    now = 5_000;
    expect(await poll(3)).toEqual([false, 'looked']);
    expect(await poll(4)).toEqual([false, 'quiet']);
  });

  it('is listened for no longer than it polls', async () => {
    expect(ears.size).toBe(1);
    now = 40_000;
    await quiet.anyOpen({ clusterId: 'c', node: 'n2' }, { incarnation: 1, seq: 1, known: [] });
    expect(ears.size).toBe(1);
    expect(await poll(2)).toEqual([false, 'looked']);
  });
});
