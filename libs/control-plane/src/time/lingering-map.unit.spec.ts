import { describe, expect, it } from 'vitest';
import { LingeringMap } from './lingering-map.js';

describe('a map of what lingers', () => {
  const begin = (): { readonly map: LingeringMap<number>; readonly pass: (ms: number) => void } => {
    let now = 5;
    return { map: new LingeringMap<number>({ monotonic: () => now }, 100), pass: (ms) => (now += ms) };
  };

  it('keeps what is read or written, for its time at least', () => {
    const { map, pass } = begin();
    map.set('read', 1);
    map.set('written', 1);
    for (let turn = 2; turn < 20; turn++) {
      pass(99);
      expect(map.get('read')).toBe(1);
      expect(map.get('written')).toBe(turn - 1);
      map.set('written', turn);
    }
    expect(map.size).toBe(2);
  });

  it('forgets what was not touched for twice its time, and what is deleted at once', () => {
    const { map, pass } = begin();
    map.set('a', 1);
    pass(99);
    map.set('b', 2);
    pass(100);
    expect(map.size).toBe(2);
    map.delete('b');
    expect(map.get('b')).toBeUndefined();
    pass(100);
    expect([map.get('a'), map.size]).toEqual([undefined, 0]);
    map.set('c', 3);
    pass(200);
    expect(map.get('c')).toBeUndefined();
    map.set('d', 4);
    map.clear();
    expect(map.size).toBe(0);
  });

  it('is as large as what is active, however many come and go', () => {
    const { map, pass } = begin();
    let largest = 0;
    for (let turn = 0; turn < 10_000; turn++) {
      map.set(String(turn), turn);
      pass(1);
      largest = Math.max(largest, map.size);
    }
    expect(largest).toBeLessThanOrEqual(200);
  });
});
