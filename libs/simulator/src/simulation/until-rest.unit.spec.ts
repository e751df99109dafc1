import { serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ExecutionEvent } from '../execution/executed-action.js';
import { meta, primitive, smallCib } from '../testing/small-cib.js';
import { carryOutUntilRest, type Assumed } from './until-rest.js';

const NOW = 1_800_000_000;
const MONITOR = '<operations><op id="m" name="monitor" interval="5s" timeout="20s"/></operations>';
const cluster = (attributes: Readonly<Record<string, string>>, options: Readonly<Record<string, string>> = {}) =>
  smallCib({
    nodes: ['n1', 'n2'],
    options,
    resources: primitive('db', `${meta('db', attributes)}${MONITOR}`),
    constraints: '<rsc_location id="l" rsc="db" node="n1" score="100"/>',
  });

/** Where it rests, and on which nodes fail counts were cleared. */
function rest(cib: ReturnType<typeof smallCib>, assumed: Assumed) {
  const cleared: string[] = [];
  const executed = (event: ExecutionEvent): void => {
    if (event.kind === 'cluster-action' && event.operation === 'clear_failcount') cleared.push(event.node);
  };
  return { ...carryOutUntilRest(cib, assumed, { executed }), cleared };
}

describe('carrying out until a cluster rests', () => {
  it('takes a failure away with its fail count once that is cleared, and rests', () => {
    const started = rest(cluster({ 'failure-timeout': '60s' }), { now: NOW }).output;
    const { output } = rest(started, { now: NOW, injections: { operations: ['db_monitor_5000@n1=1'] } });
    expect(serializeXml(output.document)).toContain('fail-count-db#monitor_5000');
    const later = rest(output, { now: NOW + 1_000 });
    expect(later.cleared).toEqual(['n1']);
    expect(later.plans).toBeLessThan(3);
    expect(serializeXml(later.output.document)).not.toMatch(/fail-count-db|last-failure-db|db_last_failure_0/);
  });

  it('takes an injected failure for a new one: the digest of the one before does not make it one of other parameters', () => {
    const start = rest(cluster({}, { 'start-failure-is-fatal': 'false' }), { now: NOW, failures: ['db_start_0@n1=1'] });
    const { output } = rest(start.output, { now: NOW });
    const failed = rest(output, { now: NOW, injections: { operations: ['db_monitor_5000@n1=1'] } });
    expect(failed.cleared).toEqual([]);
    expect(failed.plans).toBeLessThan(3);
  });

  it('goes on without what can not be read', () => {
    expect(rest(cluster({}), { now: NOW, injections: { operations: ['nonsense'] } }).plans).toBeLessThan(3);
  });
});
