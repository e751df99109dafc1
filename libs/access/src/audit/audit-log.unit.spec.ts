import { InvalidEvent, type AppendResult, type EventsOfOne } from '@systole/event-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEvent } from './audit-event.js';
import { AuditLog, NOBODY, type RepeatedEntry } from './audit-log.js';

const META = { actor: 'user:bob', command: 'refuse', correlationId: 'r-1' };

function refused(path: string): RepeatedEntry {
  return { type: 'RequestRefused', data: { method: 'GET', path, status: 403, address: '192.0.2.1', problem: 'role-too-low' } };
}

describe('the writer of the audit', () => {
  let appends: (readonly EventsOfOne<AuditEvent>[])[];
  let failing: Error | undefined;
  let now: number;
  let log: AuditLog;
  const store = {
    appendParts: (_: string, __: unknown, parts: readonly EventsOfOne<AuditEvent>[]): Promise<AppendResult> => {
      const unstorable = parts.some(({ events }) => events.some(({ data }) => JSON.stringify(data).includes('unstorable')));
      if (unstorable) return Promise.reject(new InvalidEvent('/data', 'is not storable'));
      if (failing !== undefined) return Promise.reject(failing);
      appends.push(parts);
      return Promise.resolve({
        streamId: 's',
        firstVersion: 1,
        lastVersion: 1,
        globalPositions: [],
        occurredAt: '',
        hashAfter: (hash) => hash,
      });
    },
  };
  const told = (): readonly unknown[] => appends.flatMap((parts) => parts.flatMap(({ events }) => events.map(({ data }) => data)));

  beforeEach(() => {
    appends = [];
    failing = undefined;
    now = 0;
    log = new AuditLog(store, { program: 'api', everyMs: 3_600_000, monotonic: () => now });
  });
  afterEach(() => log.close());

  it('appends many entries at once, each with who caused it', async () => {
    for (let i = 0; i < 1_200; i++)
      log.note({ type: 'TokenWithdrawn', data: { tokenId: String(i) } }, { ...META, correlationId: `r-${i}` });
    expect(appends).toEqual([]);
    await log.flush();
    expect(appends.map((parts) => parts.length)).toEqual([500, 500, 200]);
    expect(appends[2]?.[199]).toMatchObject({ events: [{ subjects: ['1199'] }], meta: { correlationId: 'r-1199' } });
  });

  it('tells the first of a kind at once, and of the others a minute later how many there were', async () => {
    for (const path of ['/a', '/b', '/c']) log.noteRepeated('bob', refused(path), META);
    log.noteRepeated('carol', refused('/d'), META);
    await log.flush();
    expect(told()).toMatchObject([{ path: '/a' }, { path: '/d' }]);
    now = 59_000;
    await log.flush();
    expect(told()).toHaveLength(2);
    now = 60_000;
    await log.flush();
    expect(told().slice(2)).toMatchObject([{ path: '/c', times: 2 }]);
    // A quiet minute later it is told at once again.
    now = 120_001;
    await log.flush();
    log.noteRepeated('bob', refused('/e'), META);
    await log.flush();
    expect(told().slice(3)).toMatchObject([{ path: '/e' }]);
  });

  it('tells what was counted when it ends', async () => {
    for (const path of ['/a', '/b', '/c']) log.noteRepeated('bob', refused(path), META);
    await log.close();
    expect(told()).toMatchObject([{ path: '/a' }, { path: '/c', times: 2 }]);
  });

  it('says how many entries there was no room for', async () => {
    failing = new Error('the database is away');
    for (let i = 0; i < 5_007; i++) log.note({ type: 'TokenWithdrawn', data: { tokenId: String(i) } }, META);
    await log.flush();
    expect(appends).toEqual([]);
    failing = undefined;
    await log.flush();
    await log.flush();
    expect(told()).toHaveLength(5_001);
    expect(told().at(-1)).toMatchObject({ program: 'api', entries: { TokenWithdrawn: 7 } });
  });

  it('tells a thousand kinds apart, and counts what is beyond', async () => {
    for (let i = 0; i < 1_003; i++) log.noteRepeated(String(i), refused('/a'), META);
    await log.flush();
    await log.flush();
    expect(told().at(-1)).toMatchObject({ entries: { RequestRefused: 3 } });
  });

  it('has room for what others do while somebody without a token asks without end', async () => {
    for (let i = 0; i < 5_000; i++) log.noteRepeated(`401 ${String(i)}`, refused('/a'), { ...META, actor: NOBODY });
    failing = new Error('the database is away');
    await log.flush();
    log.noteRepeated('read', { type: 'ConfigurationRead', data: refused('/secret').data }, META);
    log.note({ type: 'TokenWithdrawn', data: { tokenId: 't' } }, META);
    failing = undefined;
    await log.flush();
    await log.flush();
    expect(told().slice(-3)).toMatchObject([{ path: '/secret' }, { tokenId: 't' }, { entries: { RequestRefused: 4_000 } }]);
    expect(told()).toHaveLength(1_003);
  });

  it('leaves out what can not be stored at all, and keeps the others', async () => {
    for (const path of ['/a', '/unstorable', '/b']) log.noteRepeated(path, refused(path), META);
    await log.flush();
    await log.flush();
    expect(told()).toMatchObject([{ path: '/a' }, { path: '/b' }, { entries: { RequestRefused: 1 } }]);
  });
});
