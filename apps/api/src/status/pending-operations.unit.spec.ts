import { fold, initialState, type ClusterState } from '@systole/cluster';
import type { UnansweredDispatch } from '@systole/control-plane';
import { describe, expect, it } from 'vitest';
import type { ShownResource } from './held-starts.js';
import { pendingIn, withPending } from './pending-operations.js';

const CIB = (operations = '', defaults = ''): string =>
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/>' +
  `<resources><primitive id="db" class="ocf" provider="x" type="Db"><operations>${operations}</operations></primitive></resources><constraints/>${defaults}</configuration><status/></cib>`;

const stateOf = (cib: string): ClusterState =>
  fold(initialState(), [
    {
      version: 1,
      occurredAt: '2026-01-01T00:00:00.000Z',
      actor: 't',
      correlationId: 'c',
      event: { type: 'ClusterCreated', data: { name: 'c', cib } },
    },
  ]);

const primitive = (id: string, given: Partial<ShownResource> = {}): ShownResource => ({
  ...{ id, kind: 'primitive', managed: true, failed: false, blocked: false, removed: false, role: 'Stopped', nextRole: 'Started' },
  ...{ activeOn: [], assignedTo: 'n1', children: [], ...given },
});

const handed = (operation: string, node = 'n1', intervalMs = 0, resource = 'db'): UnansweredDispatch => ({
  ...{ graphActionId: 1, node, what: '', delivered: true, forMs: 1, operation: { resource, operation, intervalMs } },
});

const shown = (open: readonly UnansweredDispatch[] | undefined, cib = CIB(), resource = primitive('db')): readonly string[] =>
  withPending([resource], pendingIn(open, stateOf(cib), 0)).flatMap((one) =>
    [one, ...one.children].flatMap(({ id, pending = [] }) => pending.map(({ state, node }) => `${id} ${state} on ${node}`)),
  );

describe('what is being done to a resource', () => {
  it('is said in the words of crm_mon', () => {
    const words = ['start', 'stop', 'promote', 'demote', 'migrate_to'].flatMap((operation) => shown([handed(operation)]));
    expect(words).toEqual(['Starting', 'Stopping', 'Promoting', 'Demoting', 'Migrating'].map((word) => `db ${word} on n1`));
    expect(shown([handed('monitor', 'n1', 10_000)])).toEqual(['db Monitoring on n1']);
  });

  it('is nothing for a probe, a notification, fencing, and where it is not known', () => {
    const { graphActionId, node, what, delivered, forMs } = handed('reboot');
    const fencing = { graphActionId, node, what, delivered, forMs };
    expect(shown([handed('monitor'), handed('notify'), fencing])).toEqual([]);
    expect(shown(undefined)).toEqual([]);
  });

  it('is said of the instance that is meant', () => {
    const instances = [primitive('db:0', { activeOn: ['n1'] }), primitive('db:1', { assignedTo: 'n2' })];
    const clone = primitive('c', { kind: 'clone', children: instances });
    expect(shown([handed('start', 'n2')], CIB(), clone)).toEqual(['db:1 Starting on n2']);
  });

  it('is not said where record-pending is false, of the operation or by default', () => {
    const op = '<op id="s" name="start" interval="0s" record-pending="false"/>';
    expect(shown([handed('start'), handed('stop')], CIB(op))).toEqual(['db Stopping on n1']);
    const defaults =
      '<op_defaults><meta_attributes id="d"><nvpair id="d-r" name="record-pending" value="false"/></meta_attributes></op_defaults>';
    expect(shown([handed('start'), handed('stop')], CIB('', defaults))).toEqual([]);
  });
});
