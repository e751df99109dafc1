/** The promise did not settle in time. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/**
 * The promise's outcome, or a rejection with {@link DeadlineExceeded} after `ms`. A later rejection of the abandoned promise is swallowed.
 * @param ms milliseconds
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new DeadlineExceeded(`no answer within ${Math.round(ms)} ms`));
    }, ms);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Tries again, with a pause, until it succeeds or the time is up. */
export interface RetryWindow {
  readonly windowMs: number;
  readonly pauseMs: number;
  /** Stops trying at once when it returns true. */
  readonly abandoned: () => boolean;
}

/** What `run` resolves to; rejects with its last error once the window is over or abandoned. `run` itself must end within the ms it is given. */
export async function retryWithin<T>({ windowMs, pauseMs, abandoned }: RetryWindow, run: (remainingMs: number) => Promise<T>): Promise<T> {
  const end = performance.now() + windowMs;
  for (;;) {
    const remaining = Math.max(1, end - performance.now());
    try {
      return await run(remaining);
    } catch (error) {
      if (abandoned() || performance.now() + pauseMs >= end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
