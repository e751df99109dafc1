import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpProblem } from './problem.js';

/** Characters from which on a body counts as large: reading it takes a millisecond and more. */
export const LARGE_CHARS = 64 * 1024;
/** So many large bodies of one owner may wait for their turn; one in its senses has one at a time. */
const MOST_WAITING = 8;

/** Lets each owner's large bodies be worked on one after another, and everybody else's requests be answered between two of them. */
export class LargeBodies {
  /** By owner those that wait; one whose list is empty is being worked on. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Waits for the turn of one body. @returns ends the turn; more than once does nothing @throws {HttpProblem} 429 when too many wait already */
  async turn(owner: string): Promise<() => void> {
    const waiting = this.#waiting.get(owner);
    if (waiting === undefined) {
      this.#waiting.set(owner, []);
    } else if (waiting.length >= MOST_WAITING) {
      throw new HttpProblem(429, 'too-many-bodies', 'too many large bodies of this token wait already: wait for answers', {
        headers: { 'retry-after': '2' },
      });
    } else {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await nextTurn();
    }
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const next = this.#waiting.get(owner)?.shift();
      if (next === undefined) this.#waiting.delete(owner);
      else next();
    };
  }
}
