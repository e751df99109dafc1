import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 10;

/**
 * Does something so many times a second for a while, evenly; what is late is made up for, so that who measures does not ask less of one that is slow.
 * @param act gets the number of the turn, from 0
 */
export async function atRate(perSecond: number, seconds: number, act: (turn: number) => void): Promise<void> {
  const begin = performance.now();
  const turns = Math.floor(perSecond * seconds);
  for (let turn = 0; turn < turns;) {
    const due = Math.min(turns, Math.floor(((performance.now() - begin) * perSecond) / 1_000));
    for (; turn < due; turn++) act(turn);
    await sleep(TICK_MS);
  }
}
