import type { RecordedEvent } from '@systole/event-store';
import { describe, expect, it } from 'vitest';
import { WebhookFilter, type Wanted } from './webhook-filter.js';

const EVERYTHING: Wanted = { clusters: null, audit: false, types: null, subjects: null, actor: null, severity: 'any' };
const LOST = { type: 'NodeLeaseLost', data: { node: 'n1', incarnation: 1 }, subjects: ['n1'] };

function event(given: Partial<RecordedEvent>): RecordedEvent {
  return {
    ...{ globalPosition: 1, streamId: 'c1', version: 1, schemaVersion: 1, actor: 'worker', command: 'x', correlationId: 'r' },
    ...{ occurredAt: '2026-01-01T00:00:00.000Z', prevHash: '', hash: 'h', ...LOST },
    ...given,
  };
}

describe('which events a webhook gets', () => {
  const gets = (wanted: Partial<Wanted>, given: Partial<RecordedEvent> = {}): boolean =>
    new WebhookFilter({ ...EVERYTHING, ...wanted }).lets(event(given));
  const refused = { streamId: 'server/audit', type: 'RequestRefused', data: {} };

  it('are those of the clusters that it is for, and never what the server keeps for itself', () => {
    expect([gets({}), gets({ clusters: ['c1'] }), gets({ clusters: ['c2'] })]).toEqual([true, true, false]);
    expect(gets({ audit: true }, { streamId: 'server/evidence' })).toBe(false);
    expect(gets({ audit: true }, { streamId: 'c1/snapshots' })).toBe(false);
  });

  it('are entries of the audit where that is asked for, whatever the clusters', () => {
    expect([gets({}, refused), gets({ audit: true, clusters: ['c2'] }, refused)]).toEqual([false, true]);
  });

  it('fulfil all conditions', () => {
    expect([gets({ types: ['NodeLeaseLost'] }), gets({ types: ['NodeJoined'] })]).toEqual([true, false]);
    expect([gets({ subjects: ['node:n1'] }), gets({ subjects: ['resource:n1'] }), gets({ subjects: ['n1', 'n2'] })]).toEqual([
      true,
      false,
      false,
    ]);
    expect([gets({ actor: 'worker' }), gets({ actor: 'user:alice' })]).toEqual([true, false]);
  });

  it('tell of something wrong where only that is asked for', () => {
    const wrong = { severity: 'wrong', audit: true } as const;
    expect([gets(wrong), gets(wrong, refused)]).toEqual([true, true]);
    expect(gets(wrong, { streamId: 'server/audit', type: 'TokenIssued', data: {} })).toBe(false);
    expect(gets(wrong, { type: 'QuorumChanged', data: { quorate: true, votes: 2, expected: 3 } })).toBe(false);
    expect(gets(wrong, { type: 'QuorumChanged', data: { quorate: false, votes: 1, expected: 3 } })).toBe(true);
  });
});
