import type { ClusterEvent } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { eventSubjects, eventSubjectsByAndBy } from './event-subjects.js';

describe('the subjects of an event', () => {
  it('are what it concerns, each once, in order', () => {
    expect(
      eventSubjects({
        type: 'FencingRequested',
        data: {
          fencingId: 'f',
          target: 'n3',
          action: 'off',
          device: 'ipmi',
          executor: 'n1',
          attempt: 1,
          transition: 1,
          graphActionId: 1,
        },
      }),
    ).toEqual(['ipmi', 'n1', 'n3']);
    expect(eventSubjects({ type: 'NodeConfirmedDown', data: { node: 'n1' } })).toEqual(['n1']);
    const changed: ClusterEvent = {
      type: 'ConfigurationChanged',
      data: {
        command: 'replace-configuration',
        arguments: {},
        changes: [
          { kind: 'primitive', id: 'web', path: 'configuration/resources' },
          { kind: 'nvpair', id: 'web-ip', path: 'configuration/resources/web' },
          { kind: 'primitive', id: 'web', path: 'configuration/resources' },
          { kind: 'configuration', id: '', path: '' },
        ],
      },
    };
    expect(eventSubjects(changed)).toEqual(['web', 'web-ip']);
    const byAndBy = eventSubjectsByAndBy(changed);
    let step = byAndBy.next();
    let steps = 0;
    for (; step.done !== true; steps++) step = byAndBy.next();
    expect([steps, step.value]).toEqual([4, ['web', 'web-ip']]);
  });

  it('are what a cluster was created with, too', () => {
    const cib = '<cib><configuration><resources><primitive id="db"/></resources></configuration></cib>';
    expect(eventSubjects({ type: 'ClusterCreated', data: { name: 'prod', cib } })).toEqual(['db']);
  });

  it('are an instance and its resource', () => {
    expect(eventSubjects({ type: 'FailuresCleared', data: { resource: 'db:1', node: 'n1' } })).toEqual(['db', 'db:1', 'n1']);
  });

  it('are none for what concerns the cluster as a whole', () => {
    expect(eventSubjects({ type: 'QuorumChanged', data: { quorate: true, votes: 2, expectedVotes: 3 } })).toEqual([]);
  });
});
