import { element } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { CandidateTable } from '../candidates.js';
import type { Resource } from '../resource.js';
import { RoleLevel } from '../role.js';
import { defining } from './defining.js';
import { observing } from './observing.js';
import { placing } from './placing.js';
import { planning } from './planning.js';
import { ResourceRecord } from './record.js';

const made = (): Resource => new ResourceRecord('p', 'p', 'primitive', element('primitive', { id: 'p' }), new CandidateTable());

describe('the parts of a resource', () => {
  it('are for their phases to write: the compiler refuses everybody else', () => {
    const resource = made();
    const refused = [
      () => {
        // @ts-expect-error -- who only reads writes nothing
        resource.unassigned = false;
      },
      () => {
        // @ts-expect-error -- nor does it change a list
        resource.activeOn.length = 0;
      },
      () => {
        // @ts-expect-error -- a placement is no observation
        observing(resource).unassigned = false;
      },
      () => {
        // @ts-expect-error -- what is defined stays so in the plan
        planning(resource).priority = 1;
      },
    ];
    expect(refused).toHaveLength(4);
  });

  it.each([
    ['it is defined so', (resource: Resource) => (defining(resource).managedAsDefined = false)],
    ['a ticket was lost', (resource: Resource) => (defining(resource).blockedByTicket = true)],
    ['its node is in maintenance', (resource: Resource) => (observing(resource).nodeInMaintenance = true)],
    ['history blocks it', (resource: Resource) => (observing(resource).blockedByHistory = true)],
    ['there is no fence device', (resource: Resource) => (placing(resource).unfenceable = true)],
  ])('make it unmanaged, each for itself: %s', (_, write) => {
    const resource = made();
    expect(resource.managed).toBe(true);
    write(resource);
    expect(resource.managed).toBe(false);
  });

  it('tell its role as the latest phase has it that says something', () => {
    const resource = made();
    observing(resource).observedRole = RoleLevel.Started;
    expect(resource.currentRole).toBe(RoleLevel.Started);
    placing(resource).countedRole = RoleLevel.Unpromoted;
    expect(resource.currentRole).toBe(RoleLevel.Unpromoted);
    expect(resource.observedRole).toBe(RoleLevel.Started);
  });
});
