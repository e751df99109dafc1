import type { ResourceSummary } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import { withUnknownPlaces as placing } from './unknown-places.js';
import type { ResourceSummaryDto } from '../scheduling/schedule.dto.js';

const resource = (id: string, given: Partial<ResourceSummary> = {}): ResourceSummary => ({
  id,
  kind: 'primitive',
  managed: true,
  failed: false,
  blocked: false,
  removed: false,
  role: 'Stopped',
  nextRole: 'Stopped',
  activeOn: [],
  children: [],
  ...given,
});
const started = { role: 'Started', nextRole: 'Started', activeOn: ['n1'], assignedTo: 'n1' } as const;
const silent = (name: string, ...asked: readonly string[]) => ({ name, asked: new Set(asked) });

function shownWith(...of: Parameters<typeof placing>): readonly ResourceSummaryDto[] {
  const steps = placing(...of);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

describe('where a resource runs is not known', () => {
  it('where it is still to be probed', () => {
    const probes = [
      { resource: 'db', node: 'n2' },
      { resource: 'db', node: 'n1' },
      { resource: 'ip', node: 'n2' },
    ];
    const shown = shownWith([resource('db'), resource('ip', started), resource('web')], probes, []);
    expect(shown).toMatchObject([
      { id: 'db', role: 'Unknown', nextRole: 'Unknown', unknownOn: ['n1', 'n2'] },
      { id: 'ip', role: 'Started', unknownOn: ['n2'] },
      { id: 'web', role: 'Stopped' },
    ]);
    expect(shown[2]).not.toHaveProperty('unknownOn');
  });

  it('on a node that can not be asked, and was not asked before', () => {
    const clone = resource('c', { kind: 'clone', children: [resource('web:0', started), resource('web:1')] });
    expect(shownWith([resource('db'), clone], [], [silent('n3', 'db'), silent('n4', 'web')])).toMatchObject([
      { id: 'db', role: 'Unknown', unknownOn: ['n4'] },
      {
        id: 'c',
        role: 'Stopped',
        children: [
          { role: 'Started', unknownOn: ['n3'] },
          { role: 'Unknown', unknownOn: ['n3'] },
        ],
      },
    ]);
  });

  it('on a node that left it running', () => {
    const clone = resource('c', { kind: 'clone', children: [resource('app:0', started), resource('app:1')] });
    const left = { name: 'n3', leftRunning: new Set(['db', 'app']) };
    const shown = shownWith([resource('db'), clone, resource('web')], [], [left]);
    expect(shown).toMatchObject([
      { id: 'db', role: 'Unknown', nextRole: 'Unknown', unknownOn: ['n3'] },
      {
        children: [
          { role: 'Started', unknownOn: ['n3'] },
          { role: 'Unknown', unknownOn: ['n3'] },
        ],
      },
      { id: 'web', role: 'Stopped' },
    ]);
    expect(shown[2]).not.toHaveProperty('unknownOn');
  });

  it('but what is to be started when it is found nowhere is announced', () => {
    const starting = resource('db', { nextRole: 'Started', assignedTo: 'n1' });
    expect(shownWith([starting], [{ resource: 'db', node: 'n1' }], [])).toMatchObject([
      { role: 'Unknown', nextRole: 'Started', assignedTo: 'n1' },
    ]);
  });
});
