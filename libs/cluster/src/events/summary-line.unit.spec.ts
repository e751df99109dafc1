import { describe, expect, it } from 'vitest';
import { SUMMARIZED_NODE, SUMMARIZED_RESOURCE, summaryLine, type SummarizedAction } from './summary-line.js';

describe('the line of an action in a summary', () => {
  const found = (pattern: string, line: string): string | undefined => new RegExp(pattern).exec(line)?.[1];

  it.each<[SummarizedAction, string, string | undefined]>([
    [{ operation: 'start', resource: 'db', node: 'n1' }, 'start db on n1', 'db'],
    [{ operation: 'stop', resource: 'db:1', node: 'n1', reason: 'moved (on purpose)' }, 'stop db:1 on n1 (moved (on purpose))', 'db:1'],
    [{ operation: 'fence-off', resource: 'n1', node: 'n1', reason: 'lost on a day' }, 'fence-off n1 (lost on a day)', undefined],
    [{ operation: 'shutdown', resource: 'n1', node: 'n1' }, 'shutdown n1', undefined],
  ])('is written, and its resource and node are found in it: %o', (action, line, resource) => {
    expect(summaryLine(action)).toBe(line);
    expect(found(SUMMARIZED_RESOURCE, line)).toBe(resource);
    expect(found(SUMMARIZED_NODE, line)).toBe('n1');
  });
});
