import { describe, expect, it } from 'vitest';
import { Silence } from './silence.js';

describe('the silence of another thread', () => {
  it('lasts until something is heard', () => {
    const silence = new Silence(1_000, 0);
    expect([1_000, 2_000, 3_100].map((now) => silence.look(now))).toEqual([1_000, 2_000, 3_100]);
    silence.end();
    expect(silence.forMs).toBe(0);
    expect(silence.look(4_100)).toBe(1_000);
  });

  it('is not longer for a minute in which nobody was awake, an hour, or many of them', () => {
    const silence = new Silence(1_000, 0);
    expect(silence.look(60_000)).toBe(2_000);
    silence.end();
    expect(silence.look(3_660_000)).toBe(2_000);
    let now = 3_660_000;
    for (let freeze = 0; freeze < 100; freeze++) {
      now += 30_000;
      silence.look(now);
      silence.end();
    }
    expect(silence.forMs).toBe(0);
  });
});
