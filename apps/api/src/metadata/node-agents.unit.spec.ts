import { describe, expect, it } from 'vitest';
import { parameterOf } from './node-agents.js';

describe('a parameter as findings read it', () => {
  const isRequired = (fallback: object): boolean => parameterOf({ name: 'ip', required: true, deprecated: false, ...fallback }).required;

  it('is required where nothing stands in for it: an empty default is none', () => {
    expect(isRequired({})).toBe(true);
    expect(isRequired({ default: '' })).toBe(true);
    expect(isRequired({ default: '192.0.2.1' })).toBe(false);
    expect(parameterOf({ name: 'nic', required: false, deprecated: false }).required).toBe(false);
  });
});
