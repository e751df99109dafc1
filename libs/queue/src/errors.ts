/**
 * The backend did not accept, or could not be reached, within the time that `QueueTiming` allows. The request may still have reached it, so
 * repeating it must be (and is) harmless. Callers need not keep what they wanted to enqueue: what is due is derived again from the event stream.
 */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';

  constructor(
    readonly backend: 'postgres' | 'redis',
    /** What was tried, e.g. `enqueue advance`. */
    readonly operation: string,
    /** How long it was tried, in ms. */
    readonly waitedMs: number,
    cause: unknown,
  ) {
    const setting = backend === 'postgres' ? 'DATABASE_URL' : 'REDIS_URL';
    super(
      `queue (${backend}) unavailable: could not ${operation} within ${waitedMs} ms (${describeError(cause)}); check that the server of ${setting} answers`,
      {
        cause,
      },
    );
  }
}

/** A call after `close()`. */
export class QueueClosed extends Error {
  override readonly name = 'QueueClosed';

  constructor(readonly operation: string) {
    super(`queue closed: cannot ${operation}; open it again with openQueues()`);
  }
}

/** One line about anything thrown; connection errors of Node may have an empty message and only a code. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeError).join('; ');
  // ioredis's own words speak of its options.
  if (error instanceof Error && error.name === 'MaxRetriesPerRequestError') return 'the connection broke, and no new one is taken';
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return String(error);
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
