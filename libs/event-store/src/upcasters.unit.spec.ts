import { describe, expect, it } from 'vitest';
import { UnknownSchemaVersion } from './errors.js';
import { Upcasters } from './upcasters.js';

const upcasters = new Upcasters({ Moved: [(data) => [data, 2], (data) => [data, 3]] });

describe('Upcasters', () => {
  it('takes an event through every step from its version to the current one', () => {
    expect(upcasters.currentVersion('Moved')).toBe(3);
    expect(upcasters.upcast('Moved', 1, 'x')).toEqual([['x', 2], 3]);
    expect(upcasters.upcast('Moved', 2, 'x')).toEqual(['x', 3]);
    expect(upcasters.upcast('Moved', 3, 'x')).toBe('x');
  });

  it('leaves types without steps alone', () => {
    expect(upcasters.currentVersion('Other')).toBe(1);
    expect(upcasters.upcast('Other', 1, 'x')).toBe('x');
  });

  it('refuses an event of a newer release', () => {
    expect(() => upcasters.upcast('Moved', 4, 'x')).toThrow(new UnknownSchemaVersion('Moved', 4, 3));
  });
});
