import { UnknownEventType } from '@systole/cluster';
import { LogTooNew, LogWentBack } from '@systole/control-plane';
import { StoreUnavailable, UnknownSchemaVersion, type StoreTrouble } from '@systole/event-store';
import { FoldContradicted } from '@systole/read-models';
import { describe, expect, it } from 'vitest';
import { problemOf } from './problem-of.js';

describe('a log that went back in time', () => {
  const witness = { epoch: 'c', version: 9, hash: 'h' };

  it.each([new FoldContradicted('c', witness), new LogWentBack('c', witness)])(
    'is for whoever reads it a matter of seconds (%s)',
    (error) => {
      expect(problemOf(error)).toMatchObject({ status: 503, code: 'log-went-back' });
    },
  );
});

describe('a log that a newer release wrote', () => {
  it.each([
    new LogTooNew('c', { cause: new UnknownEventType('Newer', 9) }),
    new UnknownEventType('Newer', 9),
    new UnknownSchemaVersion('NodeJoined', 3, 1),
  ])('is for another server to read, or this one once it is upgraded (%s)', (error) => {
    expect(problemOf(error)).toMatchObject({ status: 503, code: 'log-too-new' });
  });
});

describe('a database that does not do what it is asked', () => {
  const fromPg = (code: string) => Object.assign(new Error('database "x" is not currently accepting connections'), { code });

  it.each([
    ['55000', 'not-open'],
    ['57P03', 'not-open'],
    ['3D000', 'not-open'],
    ['53100', 'disk-full'],
    ['25006', 'read-only'],
    ['53300', 'too-many-connections'],
    ['ECONNREFUSED', 'unreachable'],
    ['57P01', 'not-open'],
  ])('is said in words, whichever statement met it (%s)', (code, trouble) => {
    const problem = problemOf(fromPg(code));
    expect(problem).toMatchObject({ status: 503, code: 'database-unavailable', headers: { 'retry-after': '2' } });
    expect(problem?.document('/')).toMatchObject({
      trouble,
      detail: new StoreUnavailable('none', trouble as StoreTrouble, {}).reason + ': try again later',
    });
  });

  it('is told from one that belongs to somebody else', () => {
    expect(problemOf(new StoreUnavailable('none', 'other-installation', {}))).toMatchObject({ status: 503, code: 'other-installation' });
  });

  it('is not made of what only looks like it', () => {
    expect(problemOf(fromPg('42601'))).toBeUndefined();
    expect(problemOf(new TypeError('timeout'))).toBeUndefined();
  });
});
