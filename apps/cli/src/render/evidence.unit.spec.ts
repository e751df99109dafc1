import type { EvidenceVerdict } from '@systole/event-store';
import { describe, expect, it } from 'vitest';
import { renderVerdict } from './evidence.js';

const INTACT: EvidenceVerdict = {
  intact: true,
  restored: false,
  events: 97,
  streams: 3,
  statements: 2,
  signedUntil: '2026-01-01T00:00:00.000Z',
  published: 2,
  unsignedEvents: 0,
  unsignedStreams: 0,
  keys: ['0123456789abcdef'],
  keysCompared: true,
  streamsLeftOut: 0,
  faults: [],
};

describe('what the verification of evidence found', () => {
  it('is told in two lines where everything is covered', () => {
    expect(renderVerdict(INTACT)).toEqual([
      'Intact: 97 events in 3 streams, 2 signed statements.',
      'Signed until 2026-01-01T00:00:00.000Z; the statements cover all events.',
    ]);
  });

  it('says how much no statement covers, and since when', () => {
    const cut = { ...INTACT, unsignedEvents: 44, unsignedStreams: 2, unsignedSince: '2026-01-01T00:00:01.000Z' };
    expect(renderVerdict(cut).join('\n')).toContain(
      'NO STATEMENT COVERS 44 of the 97 events, in 2 of the 3 streams, from 2026-01-01T00:00:01.000Z on',
    );
  });

  it('tells a restore from tampering', () => {
    const fault = { fault: 'lost-tail', streamId: 'c', version: 6, statement: 2, detail: 'from version 6 on …' } as const;
    expect(renderVerdict({ ...INTACT, intact: false, restored: true, faults: [fault] }).slice(0, 2)).toEqual([
      'NOT INTACT, RESTORED as the log itself tells: 97 events in 3 streams, 2 signed statements.',
      '  lost-tail of c at version 6 by statement 2: from version 6 on …',
    ]);
  });

  it('says that nothing published was compared', () => {
    expect(renderVerdict({ ...INTACT, published: 0 }).join('\n')).toContain('NO PUBLISHED STATEMENT WAS COMPARED');
  });
});
