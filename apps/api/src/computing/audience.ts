import { HttpProblem } from '../http/problem.js';

/** Those who wait for something that is computed once for all of them: it goes on as long as one is left. */
export class Audience {
  readonly #gone = new AbortController();
  #size = 0;

  /** Aborts when the last of them has gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Whether what they waited for was given up. */
  get isGone(): boolean {
    return this.gone.aborted;
  }

  /**
   * @param gone ends the wait, of this one; who has none waits to the end
   * @throws {HttpProblem} 503 when it has ended so; and what the answer throws
   */
  async wait<T>(answer: Promise<T>, gone?: AbortSignal): Promise<T> {
    this.#size += 1;
    if (gone === undefined) return answer;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(new HttpProblem(503, 'caller-gone', 'the caller has gone'));
        this.#size -= 1;
        if (this.#size === 0) this.#gone.abort();
      };
      const stay = (): void => {
        gone.removeEventListener('abort', leave);
      };
      answer.finally(stay).then(resolve, reject);
      if (gone.aborted) leave();
      else gone.addEventListener('abort', leave, { once: true });
    });
  }
}
