import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ageOf } from '../model/age.js';

const TICK_MS = 1_000;

/** How old what is shown is: a quiet word while it is fresh, a warning when it is not. */
export function Age({ readAt }: { readonly readAt: number }): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, TICK_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);
  const { stale, text } = ageOf(readAt, now);
  return stale ? (
    <p class="trouble" role="alert">
      {text}
    </p>
  ) : (
    <p class="quiet age">{text}</p>
  );
}
