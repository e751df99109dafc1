import { afterEach, describe, expect, it, vi } from 'vitest';
import { Age } from './age.js';

/** What a component remembers from one time it is drawn to the next. */
const remembered = vi.hoisted((): { state: { value: unknown }[]; next: number } => ({ state: [], next: 0 }));
vi.mock('preact/hooks', () => ({
  useEffect: () => undefined,
  useState: (first: unknown) => {
    const kept = (remembered.state[remembered.next++] ??= { value: typeof first === 'function' ? (first as () => unknown)() : first });
    return [kept.value, () => undefined];
  },
}));

const drawn = (readAt: number): unknown => {
  remembered.next = 0;
  return Age({ readAt });
};

describe('Age', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('takes a picture that was read since its last tick for a fresh one, also in a tab whose ticks are seconds apart', () => {
    vi.useFakeTimers({ now: 1_000_000 });
    expect(drawn(1_000_000)).toMatchObject({ props: { class: 'quiet age' } });
    vi.setSystemTime(1_004_900);
    expect(drawn(1_004_900)).toMatchObject({ props: { class: 'quiet age' } });
  });

  it('does not call a picture fresh when the clock was set back since', () => {
    vi.useFakeTimers({ now: 1_000_000 });
    expect(drawn(1_060_000)).toMatchObject({ props: { role: 'alert' } });
  });
});
