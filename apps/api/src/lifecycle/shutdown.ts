/** Tells the long answers (polls, event streams, waits) that the server is going down. */
export class Shutdown {
  readonly #controller = new AbortController();

  /** Aborts when the server begins to close. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(): void {
    this.#controller.abort(new Error('the server is closing'));
  }
}
