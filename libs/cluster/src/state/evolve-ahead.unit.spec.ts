import { serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { decide } from '../commands/decide.js';
import type { RecordedClusterEvent } from '../events/cluster-event.js';
import { initialState, type ClusterState } from './cluster-state.js';
import { evolveAhead, isLongToFold } from './evolve-ahead.js';
import { evolve } from './evolve.js';

const OCCURRED_AT = '2026-01-01T00:00:00.000Z';

function cibOf(resources: number, value: string): string {
  const primitives = Array.from(
    { length: resources },
    (_, index) =>
      `<primitive id="r${index}" class="ocf" provider="heartbeat" type="Dummy"><instance_attributes id="r${index}-p"><nvpair id="r${index}-s" name="state" value="${value}"/></instance_attributes></primitive>`,
  ).join('');
  return `<cib crm_feature_set="3.20.5" validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/><resources>${primitives}</resources><constraints/></configuration><status/></cib>`;
}

/** The event by which this configuration replaces that of the state. */
function replaced(state: ClusterState, cib: string): RecordedClusterEvent {
  const decision = decide({ type: 'replace-configuration', cib }, state, {});
  if (!decision.ok) throw new Error(decision.rejection.message);
  const [event] = decision.events;
  if (event === undefined) throw new Error('nothing changes');
  return { version: state.version + 1, occurredAt: OCCURRED_AT, actor: 'x', correlationId: 'c', event };
}

const CREATED: ClusterState = evolve(initialState(), {
  version: 1,
  occurredAt: OCCURRED_AT,
  actor: 'x',
  correlationId: 'c',
  event: { type: 'ClusterCreated', data: { name: 'c', cib: cibOf(0, '') } },
});

describe('an event that is long to fold', () => {
  it('comes to the same state when that is done bit by bit before, whatever happens to the state meanwhile', () => {
    let state = CREATED;
    for (const value of ['a', 'b']) {
      const recorded = replaced(state, cibOf(400, value));
      expect(isLongToFold(recorded.event)).toBe(true);
      const plain = evolve(state, structuredClone(recorded));
      expect([...evolveAhead(state, recorded)].length).toBeGreaterThan(3);
      expect(evolve(state, recorded)).toEqual(plain);
      const other = evolve(CREATED, { ...recorded, event: { type: 'ClusterDeleted', data: {} } });
      expect(evolve(other, recorded)).toEqual(evolve(other, structuredClone(recorded)));
      state = plain;
    }
    expect(serializeXml(state.cib)).toContain('value="b"');
  });

  it('is noted as a problem all the same when it can not be applied', () => {
    const recorded = replaced(CREATED, cibOf(400, 'a'));
    const state = evolve(CREATED, recorded);
    const again = { ...recorded, version: 3 };
    expect(() => [...evolveAhead(state, again)]).not.toThrow();
    expect(evolve(state, again).problems).toHaveLength(1);
  });

  it('is none that changes little', () => {
    const recorded = replaced(evolve(CREATED, replaced(CREATED, cibOf(2, 'a'))), cibOf(2, 'b'));
    expect(isLongToFold(recorded.event)).toBe(false);
    expect([...evolveAhead(CREATED, recorded)]).toEqual([]);
  });
});
