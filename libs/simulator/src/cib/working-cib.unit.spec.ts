import { parseXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { WorkingCib } from './working-cib.js';

const repeated = '<r id="r" n="1"/><r id="r" n="2" more="x"/>';
const cib = (content: string): WorkingCib =>
  new WorkingCib(parseXml(`<cib><status><node_state id="1" uname="n1">${content}</node_state></status></cib>`));

/** The values of `n`, in the document's order. */
const values = (working: WorkingCib): string[] => [...JSON.stringify(working.document()).matchAll(/"n":"(\d+)"/g)].map(([, n]) => n ?? '');

describe('WorkingCib', () => {
  it('writes a node_state back after each change, where the last of repeated elements prevails', () => {
    const working = cib(repeated);
    for (const n of ['3', '4']) {
      const first = working.nodeStateByName('n1').byId('r', 'r');
      expect(first?.get('n')).toBe(n === '3' ? '1' : '2');
      first?.set('n', n);
    }
    expect(values(working)).toEqual(['2', '2']);
  });

  it('keeps changes where nothing is repeated', () => {
    const working = cib('<r id="r" n="1"/>');
    for (const n of ['3', '4']) working.nodeStateByName('n1').byId('r', 'r')?.set('n', n);
    expect(values(working)).toEqual(['4']);
  });
});
