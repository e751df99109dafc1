import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { garbageCollector, giveBackIdleMemory } from './idle-memory.js';

const MIB = 1024 * 1024;

describe('the memory of a thread', () => {
  let utilization = 0;
  let heapBytes = 0;
  let collected = 0;
  let end: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    [utilization, heapBytes, collected] = [0.5, 200 * MIB, 0];
    end = giveBackIdleMemory({
      utilization: () => ({ idle: 0, active: 0, utilization }),
      heapBytes: () => heapBytes,
      collect: () => {
        collected += 1;
        heapBytes = 20 * MIB;
      },
    });
  });
  afterEach(() => {
    end();
    vi.useRealTimers();
  });

  it('is kept while the thread is at work, and given back once when it has nothing to do', () => {
    vi.advanceTimersByTime(60_000);
    expect(collected).toBe(0);
    utilization = 0.0005;
    vi.advanceTimersByTime(60_000);
    expect(collected).toBe(1);
    heapBytes = 30 * MIB;
    vi.advanceTimersByTime(60_000);
    expect(collected).toBe(1);
    heapBytes = 90 * MIB;
    vi.advanceTimersByTime(30_000);
    expect(collected).toBe(2);
  });
});

describe('collecting garbage', () => {
  it('gives back what nobody holds any more', () => {
    const collect = garbageCollector();
    const take = (): number => Array.from({ length: 500_000 }, (_, index) => ({ index, text: `x${index}` })).length;
    expect(take()).toBe(500_000);
    const before = process.memoryUsage().heapUsed;
    collect();
    expect(process.memoryUsage().heapUsed).toBeLessThan(before - 20 * MIB);
  });
});
