import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** A component drawn again and again, with what it remembers from one time to the next. */
async function drawing(): Promise<(readAt: number) => unknown> {
  const state: { value: unknown }[] = [];
  let next = 0;
  vi.doMock('preact/hooks', () => ({
    useEffect: () => undefined,
    useState: (first: unknown) => {
      const kept = (state[next++] ??= { value: typeof first === 'function' ? (first as () => unknown)() : first });
      return [kept.value, () => undefined];
    },
  }));
  const { Age } = await import('./age.js');
  return (readAt) => {
    next = 0;
    return Age({ readAt });
  };
}

describe('Age', () => {
  // Other files of the same process have loaded the component with the real hooks, or will.
  beforeEach(() => {
    vi.resetModules();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.doUnmock('preact/hooks');
    vi.resetModules();
  });

  it('takes a picture that was read since its last tick for a fresh one, also in a tab whose ticks are seconds apart', async () => {
    const drawn = await drawing();
    vi.useFakeTimers({ now: 1_000_000 });
    expect(drawn(1_000_000)).toMatchObject({ props: { class: 'quiet age' } });
    vi.setSystemTime(1_004_900);
    expect(drawn(1_004_900)).toMatchObject({ props: { class: 'quiet age' } });
  });

  it('does not call a picture fresh when the clock was set back since', async () => {
    const drawn = await drawing();
    vi.useFakeTimers({ now: 1_000_000 });
    expect(drawn(1_060_000)).toMatchObject({ props: { role: 'alert' } });
  });
});
