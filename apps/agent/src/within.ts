/** How long something may still take after the agent was told to end, ms. */
const LONGEST_AFTER_STOP_MS = 5_000;

/** What something comes to, when that takes no longer; later it is nobody's business. @throws what it throws in time */
export async function within<T>(ms: number, work: Promise<T>): Promise<{ readonly value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, ms);
  });
  try {
    return await Promise.race([work.then((value) => ({ value })), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** What something comes to; undefined when it has not come to anything a while after `stop`. */
export async function unlessStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  const stopped = new Promise<'stopped'>((resolve) => {
    const onStop = (): void => {
      resolve('stopped');
    };
    if (stop.aborted) onStop();
    else stop.addEventListener('abort', onStop, { once: true });
  });
  const first = await Promise.race([work.then((value) => ({ value })), stopped]);
  if (first !== 'stopped') return first.value;
  return (await within(LONGEST_AFTER_STOP_MS, work))?.value;
}
