import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { primitive, smallCib } from '../testing/small-cib.js';
import { simulate } from './simulate.js';

const NOW = 1_700_010_000;

describe('simulate', () => {
  it('says what would happen, in what order, and where that leads', () => {
    const cib = smallCib({
      nodes: ['n1', { name: 'n2', attributes: { standby: 'on' } }],
      resources: primitive('db'),
      history: [{ resource: 'db', node: 'n2', task: 'start' }],
    });
    const result = simulate(cib, { now: NOW });
    expect(result.before.resources).toMatchObject([{ id: 'db', role: 'Started', activeOn: ['n2'] }]);
    expect(result.transition.resources).toEqual([
      { verb: 'Move', resource: 'db', from: 'n2', to: 'n1', role: 'Started', nextRole: 'Started', blocked: false },
    ]);
    expect(result.executed).toEqual([
      { kind: 'resource-action', resource: 'db', operation: 'stop', interval: 0, node: 'n2' },
      { kind: 'resource-action', resource: 'db', operation: 'monitor', interval: 0, node: 'n1' },
      { kind: 'resource-action', resource: 'db', operation: 'start', interval: 0, node: 'n1' },
    ]);
    expect(result.end).toBe('complete');
    expect(result.after.resources).toMatchObject([{ id: 'db', role: 'Started', activeOn: ['n1'] }]);
  });

  it('leaves the CIB that it was given alone', () => {
    const cib = smallCib({ nodes: ['n1'], resources: primitive('db') });
    const before = JSON.stringify(cib.document);
    simulate(cib, { now: NOW, injections: { nodesUp: ['n2'], operations: ['db_monitor_0@n1=1'] }, failures: ['db_start_0@n1=1'] });
    expect(JSON.stringify(cib.document)).toBe(before);
  });

  it('is plain data: nothing is lost in JSON, and the same question has the same answer', () => {
    const names = ['a', 'b', 'c'];
    const history = fc.array(
      fc.record({
        resource: fc.constantFrom(...names),
        node: fc.constantFrom('n1', 'n2'),
        task: fc.constantFrom('start', 'stop', 'monitor'),
        rc: fc.constantFrom(0, 1, 7),
        expected: fc.constant(0),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(history, fc.boolean(), (operations, quorate) => {
        const cib = smallCib({ nodes: ['n1', 'n2'], resources: names.map((name) => primitive(name)).join(''), history: operations });
        const options = { now: NOW, injections: quorate ? {} : { quorum: 'false' } };
        const result = simulate(cib, options);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        expect(simulate(cib, options)).toEqual(result);
      }),
      { numRuns: 30 },
    );
  });

  it('settles: what was carried out need not be carried out again', () => {
    const cib = smallCib({ nodes: ['n1', 'n2'], resources: primitive('db') + primitive('web') });
    const first = simulate(cib, { now: NOW });
    expect(first.executed.length).toBeGreaterThan(0);
    const history = first.executed.flatMap((event) =>
      event.kind === 'resource-action'
        ? [{ resource: event.resource, node: event.node, task: event.operation, rc: event.operation === 'monitor' ? 7 : 0 }]
        : [],
    );
    const settled = smallCib({ nodes: ['n1', 'n2'], resources: primitive('db') + primitive('web'), history });
    expect(simulate(settled, { now: NOW }).executed).toEqual([]);
  });
});
