import { describe, expect, it } from 'vitest';
import { judgeWrites, type Acknowledged } from './writes.js';

const write = (number: number, at: number, version: number): Acknowledged => ({ number, askedAt: at - 5, at, version });
const WRITES = [write(1, 100, 7), write(2, 200, 9), write(3, 300, 12)];
const log = (...entries: readonly [number, ...number[]][]): ReadonlyMap<string, readonly number[]> =>
  new Map(entries.map(([number, ...versions]) => [`chaos write ${number}`, versions]));

describe('the judgement of acknowledged writes', () => {
  it('finds nothing where each is in the log with its version, whatever else is there', () => {
    expect(judgeWrites(WRITES, log([1, 7], [2, 9], [3, 12], [4, 15]), [])).toEqual([]);
  });

  it('finds what is lost, doubled or elsewhere', () => {
    expect(judgeWrites(WRITES, log([2, 9, 10], [3, 13]), [])).toEqual([
      'write 1 was acknowledged and is not in the event log',
      'write 2 is in the event log 2 times',
      'write 3 was acknowledged with version 12 and has version 13',
    ]);
  });

  it('excuses what a restored database took, and nothing before or after', () => {
    expect(judgeWrites(WRITES, log(), [{ from: 150, to: 250 }])).toEqual([
      'write 1 was acknowledged and is not in the event log',
      'write 3 was acknowledged and is not in the event log',
    ]);
  });
});
