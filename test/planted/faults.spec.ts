import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plant } from './fault.js';
import { FAULTS } from './faults/index.js';

const root = new URL('../../', import.meta.url);

describe('the planted faults', () => {
  it('are at least thirty, each under a name of its own', () => {
    expect(FAULTS.length).toBeGreaterThanOrEqual(30);
    expect(new Set(FAULTS.map(({ id }) => id)).size).toBe(FAULTS.length);
  });

  it.each(FAULTS.map((fault) => [fault.id, fault] as const))('%s can still be planted, and its suite is there', (_, fault) => {
    expect(plant(fault, readFileSync(new URL(fault.file, root), 'utf8'))).not.toContain(fault.right);
    expect(existsSync(new URL(fault.foundBy.file, root))).toBe(true);
  });
});
