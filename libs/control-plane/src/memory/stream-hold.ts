/** That one process keeps all others from appending to a stream. */
export class StreamHold {
  /** Resolves when it ends, however. */
  readonly over: Promise<void>;
  callOff: (() => void) | undefined;
  #end: () => void = () => undefined;

  constructor(
    readonly clusterId: string,
    /** Ms. */
    readonly withinMs: number,
  ) {
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  end(): void {
    this.callOff?.();
    this.#end();
  }
}
