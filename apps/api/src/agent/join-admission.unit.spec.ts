import { ServerOverloaded } from '@systole/control-plane';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JoinAdmission } from './join-admission.js';

describe('the admission of agents', () => {
  let openForMs = Number.POSITIVE_INFINITY;
  let share = 0;
  let admission: JoinAdmission;

  beforeEach(() => {
    vi.useFakeTimers();
    openForMs = Number.POSITIVE_INFINITY;
    share = 0;
    admission = new JoinAdmission(
      () => openForMs,
      () => share,
    );
  });

  afterEach(() => {
    admission.close();
    vi.useRealTimers();
  });

  function passSeconds(seconds: number, pollsPerSecond: number): void {
    for (let second = 0; second < seconds; second++) {
      for (let poll = 0; poll < pollsPerSecond; poll++) admission.polled();
      vi.advanceTimersByTime(1_000);
    }
  }

  const refusal = (admit: () => void): unknown => {
    try {
      admit();
      return undefined;
    } catch (error) {
      return error;
    }
  };

  it('refuses new nodes where polls fill the thread, and says what to do; those that were there may join again', () => {
    share = 0.97;
    passSeconds(60, 1_200);
    const full = refusal(() => {
      admission.admitNew();
    });
    expect(full).toBeInstanceOf(ServerOverloaded);
    expect(String(full)).toContain('as many agents as it can');
    expect(String(full)).toMatch(/SYSTOLE_SERVERS.*once they join anew/);
    expect(full).toMatchObject({ retryAfterMs: expect.toSatisfy((ms: number) => ms >= 4_000 && ms < 8_000) as number });
    expect(
      refusal(() => {
        admission.admit();
      }),
    ).toBeUndefined();
  });

  it('lets new nodes in where something else fills it, or it has time left', () => {
    share = 1;
    passSeconds(60, 100);
    admission.admitNew();
    share = 0.7;
    passSeconds(60, 1_200);
    admission.admitNew();
  });

  it('does not mind what passes within seconds', () => {
    passSeconds(60, 1_200);
    share = 1;
    passSeconds(3, 1_200);
    admission.admitNew();
  });

  it('refuses everybody while agents are kept waiting, and for a moment after', () => {
    openForMs = 2_900;
    expect(
      refusal(() => {
        admission.admit();
      }),
    ).toBeInstanceOf(ServerOverloaded);
    openForMs = 3_000;
    admission.admit();
    admission.admitNew();
  });
});
