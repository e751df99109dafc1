import { describe, expect, it } from 'vitest';
import { checkedPrefix } from './configuration.js';

describe('the prefix', () => {
  it.each(['systole_queue', '_q', 'a'.repeat(48)])('%s is accepted by both backends', (prefix) => {
    expect(checkedPrefix(prefix)).toBe(prefix);
  });

  it.each(['', '1st', 'Upper', 'a-b', 'a:b', 'x; DROP SCHEMA public', 'a'.repeat(49)])('%j is refused', (prefix) => {
    expect(() => checkedPrefix(prefix)).toThrow(RangeError);
  });
});
