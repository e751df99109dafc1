import type { ServerResponse } from 'node:http';
import type { Ending } from '@systole/control-plane';
import { whenClosed } from '../http/request-context.js';

/** Tells the long answers (polls, event streams, waits) that the server is going down. */
export class Shutdown {
  readonly #controller = new AbortController();
  /** Of answers that wait. A signal of all of them would search its listeners for each. */
  readonly #waiting = new Set<AnswerEnding>();

  /** Aborts when the server begins to close. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts when the server begins to close, or the client has gone before its answer was complete. */
  orGone(response: ServerResponse): Ending {
    const ending = new AnswerEnding();
    if (this.signal.aborted) ending.abort();
    this.#waiting.add(ending);
    whenClosed(response, () => {
      this.#waiting.delete(ending);
      if (!response.writableFinished) ending.abort();
    });
    return ending;
  }

  begin(): void {
    this.#controller.abort(new Error('the server is closing'));
    for (const ending of this.#waiting) ending.abort();
  }
}

/** As much of an AbortSignal as a wait needs: each poll has one, and a signal costs as much as the rest of its wait. */
class AnswerEnding implements Ending {
  #aborted = false;
  readonly #listeners = new Set<() => void>();

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** More than once does nothing. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
