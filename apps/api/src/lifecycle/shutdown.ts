import type { Response } from 'express';
import { whenClosed } from '../http/request-context.js';

/** Tells the long answers (polls, event streams, waits) that the server is going down. */
export class Shutdown {
  readonly #controller = new AbortController();
  /** Of answers that wait. A signal of all of them would search its listeners for each. */
  readonly #waiting = new Set<AbortController>();

  /** Aborts when the server begins to close. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts when the server begins to close, or the client has gone before its answer was complete. */
  orGone(response: Response): AbortSignal {
    const controller = new AbortController();
    if (this.signal.aborted) controller.abort(this.signal.reason);
    this.#waiting.add(controller);
    whenClosed(response, () => {
      this.#waiting.delete(controller);
      if (!response.writableFinished) controller.abort(new Error('the client closed the connection'));
    });
    return controller.signal;
  }

  begin(): void {
    const reason = new Error('the server is closing');
    this.#controller.abort(reason);
    for (const controller of this.#waiting) controller.abort(reason);
  }
}
