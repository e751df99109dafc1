import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { whatIfLines } from './what-if.js';

type WhatIf = components['schemas']['WhatIfDto'];

const plain = (_: string, text: string): string => text;
const node = (name: string, online: boolean): WhatIf['after']['nodes'][number] => ({
  ...{ id: name, name, kind: 'cluster', online, unclean: false, standby: false },
  ...{ maintenance: false, pending: false, shutdown: false },
});
const LOST: WhatIf = {
  now: 1,
  happens: ['Failing node n1'],
  before: { nodes: [], resources: [] },
  plans: [
    {
      nodes: [{ change: 'Fence', action: 'reboot', node: 'n1', reason: 'peer is no longer part of the cluster' }],
      resources: [{ change: 'Move', resource: 'db', from: 'n1', to: 'n2', role: 'Started', nextRole: 'Started', blocked: false }],
      steps: [
        { operation: 'reboot', node: 'n1', fencing: true },
        { operation: 'start', node: 'n2', resource: 'db', rc: 1 },
        { operation: 'monitor', node: 'n2', resource: 'db', intervalMs: 10_000 },
      ],
      complete: true,
    },
  ],
  rests: true,
  affected: [{ resource: 'db', effect: 'moved', before: [{ node: 'n1', role: 'Started' }], after: [{ node: 'n2', role: 'Promoted' }] }],
  after: { nodes: [node('n1', false), node('n2', true)], resources: [] },
};

describe('what would become of a cluster, as text', () => {
  it('says what happens, what is planned, and what becomes of what ran', () => {
    const text = whatIfLines(LOST, plain, false).join('\n');
    expect(text).toContain('Failing node n1');
    expect(text).toMatch(/Fence \(reboot\) +n1 +peer is no longer part of the cluster/);
    expect(text).toMatch(/Move +db +n1 -> n2/);
    expect(text).toMatch(/moved +db +n1 -> n2 \(Promoted\)/);
    expect(text).toMatch(/n1 +offline/);
    expect(text).not.toContain('carried out');
  });

  it('lists the steps on demand', () => {
    const text = whatIfLines(LOST, plain, true).join('\n');
    expect(text).toMatch(/fence \(reboot\) +n1/);
    expect(text).toMatch(/start +db +n2 +fails with 1/);
    expect(text).toMatch(/monitor every 10000 ms +db +n2/);
  });

  it('says so where nothing would be done, and where there is no end to it', () => {
    expect(whatIfLines({ ...LOST, plans: [] }, plain, false)).toContain('Nothing would be done.');
    expect(whatIfLines({ ...LOST, rests: false }, plain, false).join('\n')).toContain('does not come to rest');
  });
});
