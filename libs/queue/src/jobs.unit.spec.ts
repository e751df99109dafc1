import { describe, expect, it } from 'vitest';
import { readJob, UnreadableJob } from './jobs.js';

describe('a stored job', () => {
  it('is read as it was written', () => {
    expect(readJob('advance', { clusterId: 'c1' })).toEqual({ name: 'advance', data: { clusterId: 'c1' } });
    const timer = { clusterId: 'c1', kind: 'recheck', key: 'c1/recheck', at: 1_700_000_000_000 };
    expect(readJob('timer', timer)).toEqual({ name: 'timer', data: timer });
  });

  it('may carry fields of a newer version, which are left out', () => {
    expect(readJob('advance', { clusterId: 'c1', urgency: 7 })).toEqual({ name: 'advance', data: { clusterId: 'c1' } });
  });

  it.each([
    ['advance', undefined, 'job advance carries no object'],
    ['advance', {}, 'job advance: clusterId must be a non-empty string'],
    ['timer', { clusterId: 'c1', kind: 'recheck', key: '', at: 1 }, 'job timer: key must be a non-empty string'],
    ['timer', { clusterId: 'c1', kind: 'recheck', key: 'k', at: Number.NaN }, 'job timer: at must be a time in epoch ms'],
    ['compact', {}, 'queued job has the unknown name "compact"'],
  ])('of name %s with data %j is refused with the field at fault', (name, data, message) => {
    expect(() => readJob(name, data)).toThrow(UnreadableJob);
    expect(() => readJob(name, data)).toThrow(message);
  });
});
