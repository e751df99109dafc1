import { readCib, serializeXml } from '@systole/cib';
import { readState } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import { primitive, smallCib } from '../testing/small-cib.js';
import { shownFailures } from './failures.js';
import { renderStatus } from './render-status.js';

const NOW = 1_700_010_000;
const history = [
  { resource: 'db', node: 'n1', task: 'monitor', rc: 5, expected: 7 },
  { resource: 'db', node: 'n1', task: 'monitor', interval: 10_000, rc: 1, expected: 0 },
  { resource: 'db', node: 'n1', task: 'monitor', interval: 20_000, rc: 1, expected: 0 },
];

/** The state that remains when its history entries lack an attribute. */
function without(attribute: string, entries = history): ReturnType<typeof readState> {
  const text = serializeXml(smallCib({ nodes: ['n1'], resources: primitive('db'), history: entries }).document);
  return readState(readCib(text.replaceAll(new RegExp(` ${attribute}="[^"]*"`, 'g'), '')), { now: NOW });
}

describe('a recorded failure', () => {
  it('counts as a failed probe where its entry says that it was made', () => {
    const probe = history.slice(0, 1);
    expect(renderStatus(without('nothing', probe), 'current', {})).toContain('Stopped (Not installed) \n');
    expect(renderStatus(without('on_node', probe), 'current', {})).toContain('Stopped\n');
  });

  it('is listed once per key, and those without a key as one', () => {
    const failures = history.slice(1);
    expect(shownFailures(without('nothing', failures))).toHaveLength(2);
    expect(shownFailures(without('operation_key', failures))).toHaveLength(1);
  });
});
