import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpProblem } from './problem.js';

/** Characters from which on a body counts as large: with what it asks for it may take a millisecond and more. */
export const LARGE_CHARS = 16 * 1024;
/** So many large bodies of one owner may wait for their turn; one in its senses has one at a time. */
const MOST_WAITING = 8;

/** Lets each owner's large bodies be worked on one after another, and of all owners' only one be read in one turn of the event loop: everything else has its turn between two of them. */
export class LargeBodies {
  /** By owner those that wait; one whose list is empty is being worked on. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Until the turn of the loop is over in which the last one is read. */
  #read: Promise<void> = Promise.resolve();

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
    await this.#turnOfLoop();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const next = this.#waiting.get(owner)?.shift();
      if (next === undefined) this.#waiting.delete(owner);
      else next();
    };
  }
  async #turnOfLoop(): Promise<void> {
    const before = this.#read;
    this.#read = before.then(() => nextTurn());
    await before;
  }
}
