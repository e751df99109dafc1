import { serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { nodeAttributesOf } from '../state/node-attributes.js';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, threeNodes } from '../testing/stream.js';
import { startedResult } from '../testing/started.js';
import type { ClusterCommand } from './cluster-command.js';
import type { Decision } from './decision.js';
import { decide } from './decide.js';

const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';
const text = ({ cib }: ClusterState): string => serializeXml(cib).replace(/\n\s*/g, '');

function refusal(command: ClusterCommand, state: ClusterState): string {
  const decision = decide(command, state);
  return decision.ok ? 'accepted' : `${String(decision.rejection.status)} ${decision.rejection.code}: ${decision.rejection.message}`;
}

function eventsOf(decision: Decision): readonly unknown[] {
  if (!decision.ok) throw new Error(decision.rejection.message);
  return decision.events;
}

describe('maintenance of a cluster', () => {
  const set = (maintenance: boolean): ClusterCommand => ({ type: 'set-cluster-maintenance', maintenance });
  it('is an option in the set that goes before all others; its end takes it away', () => {
    const on = execute(threeNodes(), set(true));
    expect(text(on)).toContain(
      '<cluster_property_set id="cib-bootstrap-options"><nvpair id="cib-bootstrap-options-maintenance-mode" name="maintenance-mode" value="true"/>',
    );
    expect(eventsOf(decide(set(true), on))).toEqual([]);
    expect(text(execute(on, set(false)))).not.toContain('maintenance-mode');
  });

  it('is changed where it is decided', () => {
    const off = threeNodes({ options: '<nvpair id="m" name="maintenance-mode" value="false"/>' });
    expect(text(execute(off, set(true)))).toContain('<nvpair id="m" name="maintenance-mode" value="true"/>');
  });
});

describe('stopping everything', () => {
  const set = (stopped: boolean): ClusterCommand => ({ type: 'set-all-stopped', stopped, reason: 'power' });

  it('is an option, and one event with its reason; its end takes it away', () => {
    expect(eventsOf(decide(set(true), threeNodes()))).toMatchObject([
      { type: 'ConfigurationChanged', data: { command: 'set-all-stopped', arguments: { stopped: true }, reason: 'power' } },
    ]);
    const on = execute(threeNodes(), set(true));
    expect(text(on)).toContain('name="stop-all-resources" value="true"');
    expect(eventsOf(decide(set(true), on))).toEqual([]);
    expect(text(execute(on, set(false)))).not.toContain('stop-all-resources');
  });
});

describe('what is known of a ticket', () => {
  const forget: ClusterCommand = { type: 'forget-ticket', ticket: 'T', reason: 'the site is gone' };

  it('is forgotten once it is revoked, and not before', () => {
    expect(decide(forget, threeNodes())).toEqual({ ok: true, events: [] });
    const granted = execute(
      threeNodes(),
      { type: 'change-ticket', ticket: 'T', granted: true },
      { type: 'change-ticket', ticket: 'U', granted: true },
    );
    expect(refusal(forget, granted)).toMatch(/^409 ticket-granted: .*revoke it first/);
    const revoked = execute(granted, { type: 'change-ticket', ticket: 'T', granted: false });
    expect(text(revoked)).toContain('<ticket_state id="T"');
    const forgotten = execute(revoked, forget);
    expect(text(forgotten)).not.toContain('<ticket_state id="T"');
    expect(text(forgotten)).toContain('<ticket_state id="U"');
    expect(decide(forget, forgotten)).toEqual({ ok: true, events: [] });
  });
});

describe('standby of several nodes', () => {
  const set = (standby: boolean, nodes?: readonly string[]): ClusterCommand => ({
    type: 'set-nodes-standby',
    standby,
    ...(nodes === undefined ? {} : { nodes }),
  });
  const standing = (state: ClusterState): readonly string[] =>
    ['n1', 'n2', 'n3'].filter((node) => nodeAttributesOf(state, node, 0).get('standby') === 'on');

  it('is one event for all of them, or for those that are named', () => {
    const all = decide(set(true), threeNodes());
    expect(all).toMatchObject({ ok: true, events: [{ type: 'ConfigurationChanged', data: { command: 'set-nodes-standby' } }] });
    const on = execute(threeNodes(), set(true));
    expect(standing(on)).toEqual(['n1', 'n2', 'n3']);
    expect(standing(execute(on, set(false, ['n1', 'n3'])))).toEqual(['n2']);
    expect(eventsOf(decide(set(true), on))).toEqual([]);
  });

  it('is nothing for any when one of them is not there', () => {
    expect(refusal(set(true, ['n1', 'n9']), threeNodes())).toBe('404 node-not-found: the cluster has no node n9');
  });
});

describe('what a node can carry', () => {
  const set = (value?: string): ClusterCommand => ({
    type: 'set-node-utilization',
    node: 'n1',
    name: 'cpu',
    ...(value === undefined ? {} : { value }),
  });
  it('stands where crm_attribute writes it', () => {
    const four = execute(threeNodes(), set('4'));
    expect(text(four)).toMatch(
      /<utilization id="nodes-[^"]+-utilization"><nvpair id="nodes-[^"]+-utilization-cpu" name="cpu" value="4"\/>/,
    );
    expect(text(execute(four, set()))).not.toContain('name="cpu"');
  });

  it('is a whole number', () => {
    expect(refusal(set('much'), threeNodes())).toMatch(/^422 invalid-argument/);
    expect(refusal({ ...set('1'), node: 'n9' } as ClusterCommand, threeNodes())).toMatch(/^404 node-not-found/);
  });
});

describe('removing a node', () => {
  const remove = (more: { readonly cascade?: boolean } = {}): ClusterCommand => ({ type: 'remove-node', node: 'n3', ...more });
  const named =
    '<rsc_location id="on-n3" rsc="db" node="n3" score="5"/>' +
    '<rsc_location id="ruled" rsc="db"><rule id="r" score="1"><expression id="e" attribute="#uname" operation="eq" value="n3"/></rule></rsc_location>' +
    '<rsc_location id="either" rsc="db"><rule id="r2" score="1" boolean-op="or"><expression id="e2" attribute="#uname" operation="eq" value="n3"/>' +
    '<expression id="e3" attribute="#uname" operation="eq" value="n1"/></rule></rsc_location>';
  const left: ClusterCommand = { type: 'leave-node', node: 'n3', incarnation: 1, active: [] };

  it('is refused while it may run something', () => {
    expect(refusal(remove(), threeNodes())).toMatch(/^409 node-online: n3 is joined and may run something: stop its agent/);
    const lost = execute(threeNodes(), { type: 'lose-lease', node: 'n3', incarnation: 1, expiredAt: 'x' });
    expect(refusal(remove(), lost)).toMatch(/^409 still-active: n3 is lost/);
    expect(refusal({ type: 'remove-node', node: 'n9' }, threeNodes())).toMatch(/^404 node-not-found/);
  });

  it('takes its entry, and with cascade what names it alone', () => {
    const state = execute(threeNodes({ resources: DB, constraints: named }), left);
    expect(decide(remove(), state)).toMatchObject({
      ok: false,
      rejection: { code: 'still-referred-to', issues: [{ path: "/cib/configuration/constraints/rsc_location[@id='on-n3']" }, {}] },
    });
    const removed = execute(state, remove({ cascade: true }));
    expect(text(removed)).not.toMatch(/uname="n3"\/>|id="on-n3"|id="ruled"/);
    expect(text(removed)).toContain('id="either"');
    expect(refusal(remove(), execute(threeNodes(), left))).toBe('accepted');
  });
});

describe('a ticket', () => {
  const change = (changes: { readonly granted?: boolean; readonly standby?: boolean }): ClusterCommand => ({
    ...{ type: 'change-ticket', ticket: 'T', reason: 'site A' },
    ...changes,
  });
  it('is granted, revoked and put in standby, once', () => {
    const granted = execute(threeNodes(), change({ granted: true }));
    expect(text(granted)).toMatch(/<ticket_state id="T" granted="true" last-granted="\d+"\/>/);
    expect(eventsOf(decide(change({ granted: true }), granted))).toEqual([]);
    expect(eventsOf(decide(change({ granted: false }), threeNodes()))).toEqual([]);
    expect(eventsOf(decide(change({ standby: true }), granted))).toEqual([
      { type: 'TicketChanged', data: { ticket: 'T', standby: true, reason: 'site A' } },
    ]);
  });
});

describe('failures of one operation', () => {
  it('are cleared alone, and the resource is probed again there', () => {
    const fail = (operation: string, intervalMs: number): ClusterCommand => ({
      type: 'record-results',
      node: 'n1',
      incarnation: 1,
      results: [startedResult('db', { resultId: operation, operation, intervalMs, rc: 1, recurring: intervalMs > 0 })],
    });
    const failed = execute(threeNodes({ resources: DB }), fail('start', 0), fail('monitor', 10_000));
    const of = { type: 'clean-up-resource', resource: 'db' } as const;
    expect(eventsOf(decide({ ...of, operation: 'monitor', intervalMs: 10_000, reason: 'mended' }, failed))).toEqual([
      { type: 'FailuresCleared', data: { resource: 'db', node: 'n1', reason: 'mended', operation: 'monitor', intervalMs: 10_000 } },
      { type: 'HistoryDeleted', data: { resource: 'db', node: 'n1', reason: 'mended' } },
    ]);
    expect(eventsOf(decide({ ...of, operation: 'monitor', intervalMs: 20_000 }, failed))).toEqual([]);
    const cleared = execute(failed, { ...of, operation: 'monitor' });
    expect(text(cleared)).toContain('fail-count-db.start_0');
    expect(text(cleared)).not.toContain('fail-count-db.monitor');
  });
});
