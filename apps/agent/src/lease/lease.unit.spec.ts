import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Lease } from './lease.js';

describe('a lease', () => {
  let lost: number;
  let lease: Lease;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    lost = 0;
    lease = new Lease(
      () => performance.now(),
      () => (lost += 1),
    );
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts from the sending of the request, not from its answer', () => {
    const sentAt = lease.now();
    vi.advanceTimersByTime(3_000);
    lease.renew(sentAt, 10_000);
    expect(lease.remainingMs()).toBe(7_000);
  });

  it('makes the agent act before it ends', () => {
    lease.renew(lease.now(), 10_000);
    vi.advanceTimersByTime(7_499);
    expect(lost).toBe(0);
    vi.advanceTimersByTime(2);
    expect(lost).toBe(1);
    expect(lease.remainingMs()).toBeGreaterThan(2_400);
  });

  it('goes on for as long as it is renewed', () => {
    for (let round = 0; round < 10; round += 1) {
      lease.renew(lease.now(), 10_000);
      vi.advanceTimersByTime(5_000);
    }
    expect(lost).toBe(0);
  });

  it('is not shortened by an answer that arrives out of order', () => {
    const early = lease.now();
    vi.advanceTimersByTime(5_000);
    lease.renew(lease.now(), 10_000);
    lease.renew(early, 10_000);
    expect(lease.remainingMs()).toBe(10_000);
  });

  it('that is older than itself is lost at once', () => {
    lease.renew(lease.now() - 60_000, 10_000);
    vi.advanceTimersByTime(0);
    expect(lost).toBe(1);
  });

  it('that was given up is not lost', () => {
    lease.renew(lease.now(), 10_000);
    lease.drop();
    vi.advanceTimersByTime(60_000);
    expect(lost).toBe(0);
    expect(lease.remainingMs()).toBe(0);
  });
});
