import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ageOf } from '../model/age.js';

const TICK_MS = 1_000;

/** How old what is shown is: a quiet word while it is fresh, a warning when it is not. */
export function Age({ readAt }: { readonly readAt: number }): VNode {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      setTick((ticks) => ticks + 1);
    }, TICK_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);
  // Not the tick's: a picture that was read since the last one would be of the future.
  const { stale, text } = ageOf(readAt, Date.now());
  return stale ? (
    <p class="trouble" role="alert">
      {text}
    </p>
  ) : (
    <p class="quiet age">{text}</p>
  );
}
