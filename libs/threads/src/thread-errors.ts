/** The work took longer than it may; its thread was ended, as nothing else stops it. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
  constructor(
    threads: string,
    /** ms */
    readonly limitMs: number,
  ) {
    super(`a ${threads} did not finish within ${limitMs} ms and was ended`);
  }
}

/** The thread that worked on it is there no more, by no doing of its pool. Others take its place: the same can be asked again. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
  constructor(
    message: string,
    /** It took more memory than a thread is given: it would again. */
    readonly outOfMemory: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The thread tells that the work broke, and goes on. */
export class WorkBroke extends Error {
  override readonly name = 'WorkBroke';
}

/** Nobody waits for it any more. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
  constructor() {
    super('whoever waited for it has gone');
  }
}

/** The pool takes no work any more, and what it had is given up. */
export class ThreadsClosed extends Error {
  override readonly name = 'ThreadsClosed';
  constructor(threads: string) {
    super(`the ${threads}s are closed`);
  }
}
