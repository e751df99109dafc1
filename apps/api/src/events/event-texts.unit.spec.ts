import type { RecordedEvent } from '@systole/event-store';
import type { ClusterEvent } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { csvField, EVENT_TEXTS } from './event-texts.js';

describe('a field of CSV', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=cmd|calc', `'=cmd|calc`],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `'\t=1`],
    [' =1', `' =1`],
    ['＝1+1', `'＝1+1`],
    ['＋1', `'＋1`],
    ['－1', `'－1`],
    [' ＠SUM(A1)', `' ＠SUM(A1)`],
    ['=a,"b"', `"'=a,""b"""`],
    ['a\0b', 'a\uFFFDb'],
    ['', ''],
  ])('%j is written as %j', (value, written) => {
    expect(csvField(value)).toBe(written);
  });
});

it('an event is one line of JSON, whatever is in it', () => {
  const event = {
    version: 1,
    type: 'NodeConfirmedDown',
    data: { node: 'n1', reason: 'a\nb\u2028\ud800' },
  } as unknown as RecordedEvent<ClusterEvent>;
  const text = EVENT_TEXTS.ndjson.text(event);
  expect(text.trimEnd().split('\n')).toHaveLength(1);
  expect(Buffer.from(text).toString('utf8')).toBe(text);
});
