import { operationRecorded } from '../testing/operation-recorded.js';
import { childrenNamed, firstChildNamed, serializeXml, type XmlElement } from '@systole/cib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent, OperationRecorded, RecordedClusterEvent } from '../events/cluster-event.js';
import { initialState, type ClusterState } from './cluster-state.js';
import { evolve, fold } from './evolve.js';
import { historyOf } from './history.js';
import { nodeStateOf, transientAttributes } from './node-state.js';
import { isRecentResult } from './recent-results.js';
import { resultFrom } from './transition-results.js';

const CIB = `<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0">
  <configuration>
    <crm_config/>
    <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
    <resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources>
    <constraints/>
  </configuration>
  <status/>
</cib>`;

const at = (version: number): string => new Date(Date.UTC(2026, 0, 1) + version * 1000).toISOString();
const record = (events: readonly ClusterEvent[]): RecordedClusterEvent[] =>
  events.map((event, index) => ({ version: index + 1, occurredAt: at(index + 1), actor: 'test', correlationId: 'c', event }));
const after = (...events: readonly ClusterEvent[]): ClusterState => fold(initialState(), record(events));

const created: ClusterEvent = { type: 'ClusterCreated', data: { name: 'c', cib: CIB } };
const join = (node: string, incarnation = 1): ClusterEvent => ({
  type: 'NodeJoined',
  data: { node, nodeId: node, incarnation, leaseMs: 5000, agentVersion: '1' },
});
const planned = (number = 1): ClusterEvent => ({
  type: 'TransitionPlanned',
  data: {
    number,
    inputVersion: 3,
    now: 0,
    schedulerVersion: 't',
    digest: 'd',
    counts: { actions: 3, pseudo: 0, fencing: 0 },
    trigger: 't',
    summary: [],
  },
});
type Data = OperationRecorded['data'];
const operation = (changes: Partial<Data>): ClusterEvent =>
  operationRecorded({ digests: { opDigest: 'f2317cad3d54cec5d7d7aa7d0bf35cf8' }, ...changes });

function stateOfNode(state: ClusterState, name: string): XmlElement {
  const member = state.nodes[name];
  const found = member === undefined ? undefined : nodeStateOf(state.cib, member);
  if (found === undefined) throw new Error(`no node_state of ${name}`);
  return found;
}
const attributes = (state: ClusterState, name: string): Record<string, string> =>
  Object.fromEntries(transientAttributes(stateOfNode(state, name)).map((pair) => [pair.name, pair.value]));
const entryIds = (state: ClusterState, resource: string, node = 'n1'): (string | undefined)[] => {
  const history = historyOf(stateOfNode(state, node), resource);
  return history === undefined ? [] : childrenNamed(history, 'lrm_rsc_op').map((entry) => entry.attributes['id']);
};

describe('a node in the status section', () => {
  it('is a member with nothing known about it after it joined, under the id that the configuration gives it', () => {
    const state = after(created, join('n1'));
    expect(serializeXml(stateOfNode(state, 'n1')).replace(/\s+</g, '<').trim()).toBe(
      '<node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member" crm-debug-origin="systole">' +
        '<lrm id="1"><lrm_resources/></lrm></node_state>',
    );
    expect(state.nodes['n1']).toMatchObject({ id: '1', membership: 'joined', incarnation: 1 });
    expect(state.firstJoinAt).toBe(at(2));
  });

  it('is added to the configuration when it is new there', () => {
    const nodes = firstChildNamed(firstChildNamed(after(created, join('n3')).cib, 'configuration') ?? after().cib, 'nodes');
    expect(nodes?.children.map((node) => (node.kind === 'element' ? node.attributes : {}))).toContainEqual({ id: 'n3', uname: 'n3' });
  });

  it('has one state only when the configuration gave it another id between two joins', () => {
    const state = after(
      { type: 'ClusterCreated', data: { name: 'c', cib: CIB.replace('<node id="1" uname="n1"/>', '') } },
      join('n1'),
      {
        type: 'ConfigurationChanged',
        data: {
          command: 'replace-configuration',
          arguments: {},
          changes: [
            { kind: 'node', id: 'n1', path: 'configuration/nodes', before: '<node id="n1" uname="n1"/>', position: 1 },
            { kind: 'node', id: '1', path: 'configuration/nodes', after: '<node id="1" uname="n1"/>', position: 0 },
          ],
        },
      },
      join('n1', 2),
    );
    const status = firstChildNamed(state.cib, 'status');
    const states = status === undefined ? [] : childrenNamed(status, 'node_state');
    expect(states.map(({ attributes: { id, uname, crmd } }) => [id, uname, crmd])).toEqual([['1', 'n1', 'online']]);
  });

  it('should be there and is not after its lease ran out, and keeps its history', () => {
    const state = after(created, join('n1'), operation({}), {
      type: 'NodeLeaseLost',
      data: { node: 'n1', incarnation: 1, expiredAt: at(3) },
    });
    expect(stateOfNode(state, 'n1').attributes).toMatchObject({ in_ccm: 'false', crmd: 'offline', join: 'member', expected: 'member' });
    expect(entryIds(state, 'db')).toEqual(['db_last_0']);
    expect(state.nodes['n1']?.membership).toBe('lost');
  });

  it('has not left when it is lost while it is about to: it is to be fenced like any other', () => {
    const data = { node: 'n1', incarnation: 1 };
    const asked = after(created, join('n1'), { type: 'NodeShutdownRequested', data });
    expect(attributes(asked, 'n1')).toHaveProperty('shutdown');
    const lost = after(
      created,
      join('n1'),
      { type: 'NodeShutdownRequested', data },
      { type: 'NodeLeaseLost', data: { ...data, expiredAt: at(4) } },
    );
    expect(attributes(lost, 'n1')).not.toHaveProperty('shutdown');
    expect(lost.nodes['n1']).toMatchObject({ membership: 'lost', shutdownRequested: false });
  });

  it('is down and forgotten after fencing', () => {
    const fence = { target: 'n1', action: 'off', device: 'f', executor: 'n2', fencingId: 'x' } as const;
    const state = after(
      created,
      join('n1'),
      join('n2'),
      operation({}),
      { type: 'FencingRequested', data: { ...fence, attempt: 1, transition: 1, graphActionId: 9 } },
      { type: 'FencingCompleted', data: { ...fence, outcome: 'succeeded' } },
    );
    expect(stateOfNode(state, 'n1').attributes).toMatchObject({ in_ccm: 'false', crmd: 'offline', join: 'down', expected: 'down' });
    expect(stateOfNode(state, 'n1').children).toEqual([]);
    expect(state.nodes['n1']?.membership).toBe('down');
    expect(state.fencing).toEqual({});
  });

  it('stays lost while only one device of a level has succeeded', () => {
    const state = after(
      created,
      join('n1'),
      { type: 'NodeLeaseLost', data: { node: 'n1', incarnation: 1, expiredAt: at(3) } },
      {
        type: 'FencingRequested',
        data: { target: 'n1', action: 'off', device: 'f', executor: 'n2', fencingId: 'x', attempt: 1, transition: 1, graphActionId: 9 },
      },
      {
        type: 'FencingCompleted',
        data: { target: 'n1', action: 'off', device: 'f', executor: 'n2', fencingId: 'x', outcome: 'succeeded', confirmed: false },
      },
    );
    expect(state.nodes['n1']?.membership).toBe('lost');
  });

  it('is not down when its fencing is reported after it joined again', () => {
    const fence = { target: 'n1', action: 'reboot', device: 'f', executor: 'n2', fencingId: 'x' } as const;
    const state = after(
      created,
      join('n1'),
      { type: 'FencingRequested', data: { ...fence, attempt: 1, transition: 1, graphActionId: 9 } },
      join('n1', 2),
      { type: 'FencingCompleted', data: { ...fence, outcome: 'succeeded' } },
    );
    expect(state.nodes['n1']?.membership).toBe('joined');
  });

  it('is not lost by news about an earlier incarnation', () => {
    const state = after(created, join('n1'), join('n1', 2), {
      type: 'NodeLeaseLost',
      data: { node: 'n1', incarnation: 1, expiredAt: at(3) },
    });
    expect(state.nodes['n1']).toMatchObject({ membership: 'joined', incarnation: 2 });
  });
});

describe('results', () => {
  it('stand in the history as Pacemaker writes them', () => {
    const state = after(created, join('n1'), operation({}));
    const history = historyOf(stateOfNode(state, 'n1'), 'db');
    expect(history === undefined ? '' : serializeXml(history).replace(/\s+</g, '<').trim()).toBe(
      '<lrm_resource id="db" class="ocf" provider="systole" type="Dummy"><lrm_rsc_op id="db_last_0" operation_key="db_start_0" operation="start" ' +
        'crm-debug-origin="systole-agent" crm_feature_set="3.20.5" transition-key="7:1:0:abc" transition-magic="0:0;7:1:0:abc" exit-reason="" ' +
        'on_node="n1" call-id="5" rc-code="0" op-status="0" interval="0" last-rc-change="1000" exec-time="12" queue-time="0" ' +
        'op-digest="f2317cad3d54cec5d7d7aa7d0bf35cf8"/></lrm_resource>',
    );
  });

  it('of a failed start make two entries and an infinite fail count', () => {
    const state = after(created, join('n1'), operation({ rc: 1, exitReason: 'no' }));
    expect(entryIds(state, 'db')).toEqual(['db_last_failure_0', 'db_last_0']);
    expect(attributes(state, 'n1')).toEqual({ 'fail-count-db#start_0': 'INFINITY', 'last-failure-db#start_0': '1000' });
  });

  it('of a failed start count by one where such failures are not fatal', () => {
    const cib = CIB.replace(
      '<crm_config/>',
      '<crm_config><cluster_property_set id="o"><nvpair id="s" name="start-failure-is-fatal" value="false"/></cluster_property_set></crm_config>',
    );
    const state = after(
      { type: 'ClusterCreated', data: { name: 'c', cib } },
      join('n1'),
      operation({ rc: 1 }),
      operation({ rc: 1, callId: 6 }),
    );
    expect(attributes(state, 'n1')['fail-count-db#start_0']).toBe('2');
  });

  it('of a failing recurring monitor leave its last success, and count', () => {
    const monitor = { operation: 'monitor', intervalMs: 10_000 };
    const state = after(
      created,
      join('n1'),
      operation({ ...monitor, callId: 6 }),
      operation({ ...monitor, callId: 6, rc: 7, lastRcChange: 2000 }),
    );
    expect(entryIds(state, 'db')).toEqual(['db_monitor_10000', 'db_last_failure_0']);
    expect(attributes(state, 'n1')).toEqual({ 'fail-count-db#monitor_10000': '1', 'last-failure-db#monitor_10000': '2000' });
  });

  it('of probes never count', () => {
    const state = after(created, join('n1'), operation({ operation: 'monitor', transitionKey: '7:1:7:abc', rc: 1 }));
    expect(entryIds(state, 'db')).toEqual(['db_last_failure_0', 'db_last_0']);
    expect(attributes(state, 'n1')).toEqual({});
  });

  it('of an earlier life change nothing', () => {
    const state = after(created, join('n1'), join('n1', 2), operation({ incarnation: 1 }));
    expect(entryIds(state, 'db')).toEqual([]);
  });

  it('that arrive after newer ones do not undo them', () => {
    const state = after(created, join('n1'), operation({ operation: 'stop', callId: 9 }), operation({ operation: 'start', callId: 8 }));
    const history = historyOf(stateOfNode(state, 'n1'), 'db');
    expect(history === undefined ? [] : childrenNamed(history, 'lrm_rsc_op').map((entry) => entry.attributes['operation'])).toEqual([
      'stop',
    ]);
  });

  it('that were lost make the resource unknown there', () => {
    const state = after(created, join('n1'), operation({}), operation({ operation: 'stop', status: 'lost', rc: 1, callId: 6 }));
    expect(entryIds(state, 'db')).toEqual([]);
    expect(state.recompute).toBeDefined();
  });

  it('are remembered by their ids', () => {
    const state = after(created, join('n1'), operation({ resultId: 'r1' }), operation({ node: 'n2', resultId: 'r2' }));
    expect(isRecentResult(state, 'n1', 'r1')).toBe(true);
    expect(isRecentResult(state, 'n1', 'r2')).toBe(false);
    expect(isRecentResult(state, 'n2', 'r2')).toBe(false);
  });
});

describe('clearing', () => {
  const failed = [created, join('n1'), operation({ rc: 1 })] as const;

  it('of failures takes fail counts and the last failure, and leaves the last result', () => {
    const state = after(...failed, { type: 'FailuresCleared', data: { resource: 'db', node: 'n1' } });
    expect(attributes(state, 'n1')).toEqual({});
    expect(entryIds(state, 'db')).toEqual(['db_last_0']);
  });

  it('of one operation leaves the others', () => {
    const state = after(...failed, {
      type: 'FailuresCleared',
      data: { resource: 'db', node: 'n1', operation: 'monitor', intervalMs: 10_000 },
    });
    expect(attributes(state, 'n1')['fail-count-db#start_0']).toBe('INFINITY');
    expect(entryIds(state, 'db')).toEqual(['db_last_failure_0', 'db_last_0']);
  });

  it('of the history takes the whole lrm_resource', () => {
    const state = after(...failed, { type: 'HistoryDeleted', data: { resource: 'db', node: 'n1' } });
    expect(historyOf(stateOfNode(state, 'n1'), 'db')).toBeUndefined();
  });
});

describe('a running transition', () => {
  const running = [created, join('n1'), join('n2'), planned()] as const;

  it('goes on after an expected result, which it notes', () => {
    const state = after(...running, operation({}));
    expect(state.transition?.status).toBe('running');
    expect(state.transition && resultFrom(state.transition, 7, 'n1')).toMatchObject({ ok: true });
    expect(state.recompute).toBeUndefined();
  });

  it('aborts after an unexpected one', () => {
    const state = after(...running, operation({ rc: 1 }));
    expect(state.transition).toMatchObject({ status: 'aborting', abortReason: 'start of db on n1: rc 1' });
    expect(state.recompute).toMatchObject({ reason: 'start of db on n1: rc 1', version: 5 });
  });

  describe('of which a probe finds something', () => {
    const probe = (id: number, rc: number, changes: Partial<Data> = {}): ClusterEvent =>
      operation({ operation: 'monitor', transitionKey: `${String(id)}:1:7:abc`, rc, callId: id, resource: `r${String(id)}`, ...changes });
    const failed = probe(9, 1);

    it('aborts and goes on with its probes, however many find something, and blames nobody', () => {
      const state = after(...running, probe(1, 0), probe(2, 8), probe(3, 5, { status: 'not-installed' }), probe(4, 7), probe(5, 190));
      expect(state.transition).toMatchObject({ status: 'aborting', abortReason: 'monitor of r1 on n1: rc 0', probingSince: at(5) });
      expect(state.recompute).toMatchObject({ reason: 'monitor of r1 on n1: rc 0', version: 9 });
      expect(state.disturbances).toBeUndefined();
    });

    it('goes on with them no longer once anything else speaks against it, and keeps the reason', () => {
      const others: ClusterEvent[] = [
        failed,
        probe(9, 7, { transitionKey: '9:1:0:abc' }),
        probe(9, 0, { status: 'timeout' }),
        probe(9, 0, { transitionKey: '9:0:7:abc' }),
        probe(1, 0, { callId: 10 }),
        operation({ rc: 1 }),
        join('n3'),
        { type: 'NodeLeaseLost', data: { node: 'n2', incarnation: 1, expiredAt: at(1) } },
        { type: 'TransitionAborted', data: { number: 1, reason: 'long enough' } },
      ];
      for (const other of others) {
        const { transition } = after(...running, probe(1, 0), other, probe(2, 0));
        expect(transition).toMatchObject({ status: 'aborting', abortReason: 'monitor of r1 on n1: rc 0' });
        expect(transition?.probingSince).toBeUndefined();
      }
    });

    it('does not go on with them when it was aborted for something else before', () => {
      expect(after(...running, failed, probe(1, 0)).transition?.probingSince).toBeUndefined();
    });

    it('blames who ends it', () => {
      expect(after(...running, probe(1, 0), join('n2', 2)).disturbances).toEqual({ n2: { count: 1, reason: 'n2 joined' } });
    });
  });

  it('aborts after a result that it did not ask for', () => {
    expect(after(...running, operation({ transitionKey: '7:0:0:abc' })).transition?.status).toBe('aborting');
  });

  it('aborts when a node is lost, a permanent attribute changes, quorum is lost', () => {
    const changes: ClusterEvent[] = [
      { type: 'NodeLeaseLost', data: { node: 'n2', incarnation: 1, expiredAt: at(1) } },
      { type: 'NodeAttributeSet', data: { node: 'n2', name: 'standby', value: 'on', lifetime: 'forever' } },
      { type: 'QuorumChanged', data: { quorate: true, votes: 2, expectedVotes: 2 } },
    ];
    for (const change of changes) expect(after(...running, change).transition?.status).toBe('aborting');
  });

  it('counts who called it off, until one was completed', () => {
    const set = (value: string): ClusterEvent => ({
      type: 'NodeAttributeSet',
      data: { node: 'n1', name: 'site-name', value, lifetime: 'reboot' },
    });
    const ended: ClusterEvent = {
      type: 'TransitionCompleted',
      data: { number: 1, outcome: 'aborted', completed: 0, skipped: 3, failed: 0 },
    };
    const unasked = operation({ transitionKey: '7:0:0:abc' });
    const state = after(...running, unasked, set('by a person'), ended);
    expect(state.disturbances).toEqual({ n1: { count: 1, reason: 'start of db on n1 was reported outside the current transition' } });
    const second = after(...running, unasked, ended, planned(2), join('n2', 2), { ...ended, data: { ...ended.data, number: 2 } });
    expect(second.disturbances).toMatchObject({ n1: { count: 1 }, n2: { count: 1, reason: 'n2 joined' } });
    const complete: ClusterEvent = { ...ended, data: { ...ended.data, outcome: 'complete' } };
    expect(after(...running, unasked, complete).disturbances).toBeUndefined();
  });

  it('does not notice an attribute set to the value that it has', () => {
    const set: ClusterEvent = { type: 'NodeAttributeSet', data: { node: 'n1', name: 'master-db', value: '10', lifetime: 'reboot' } };
    expect(after(created, join('n1'), set, planned(), set).transition?.status).toBe('running');
  });

  it('leaves a need to compute again behind when it was aborted', () => {
    const state = after(
      ...running,
      { type: 'TransitionAborted', data: { number: 1, reason: 'operator' } },
      {
        type: 'TransitionCompleted',
        data: { number: 1, outcome: 'aborted', completed: 0, skipped: 3, failed: 0 },
      },
    );
    expect(state.transition).toBeUndefined();
    expect(state.recompute?.reason).toBe('operator');
  });
});

const anyEvent: fc.Arbitrary<ClusterEvent> = fc.oneof(
  fc.constant(created),
  fc.tuple(fc.constantFrom('n1', 'n2', 'n3', 'constructor'), fc.nat(3)).map(([node, incarnation]) => join(node, incarnation)),
  fc
    .tuple(fc.constantFrom('n1', 'n2', '__proto__'), fc.nat(3))
    .map(([node, incarnation]): ClusterEvent => ({ type: 'NodeLeaseLost', data: { node, incarnation, expiredAt: at(0) } })),
  fc.constantFrom('n1', 'n2', 'toString').map((node): ClusterEvent => ({ type: 'NodeConfirmedDown', data: { node } })),
  fc
    .record({
      node: fc.constantFrom('n1', 'n2'),
      resource: fc.constantFrom('db', 'web', 'ip'),
      operation: fc.constantFrom('start', 'stop', 'monitor', 'cancel', 'notify', 'delete'),
      rc: fc.constantFrom(0, 1, 7),
      status: fc.constantFrom('done', 'timeout', 'lost', 'cancelled'),
      intervalMs: fc.constantFrom(0, 10_000),
      callId: fc.nat(20),
      incarnation: fc.nat(2),
      transitionKey: fc.constantFrom('7:1:0:abc', '8:2:7:abc', 'nonsense'),
    })
    .map((data) => operation(data)),
  fc.constantFrom('db', 'web').map((resource): ClusterEvent => ({ type: 'HistoryDeleted', data: { resource, node: 'n1' } })),
  fc.constantFrom('db', 'web').map((resource): ClusterEvent => ({ type: 'FailuresCleared', data: { resource, node: 'n2' } })),
  fc.nat(3).map((number) => planned(number)),
  fc.constant<ClusterEvent>({
    type: 'ConfigurationChanged',
    data: { command: 'x', arguments: {}, changes: [{ kind: 'primitive', id: 'nothing', path: 'no/where', after: '<broken' }] },
  }),
  fc.constant<ClusterEvent>({ type: 'TicketChanged', data: { ticket: 't', granted: true } }),
);

describe('laws of the fold', () => {
  it('is total and deterministic, and a prefix folded first changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), fc.nat(40), (events, cut) => {
        const stream = record(events);
        const whole = fold(initialState(), stream);
        const prefix = fold(initialState(), stream.slice(0, cut));
        expect(fold(prefix, stream.slice(cut))).toEqual(whole);
        expect(JSON.stringify(fold(initialState(), stream))).toBe(JSON.stringify(whole));
      }),
    );
  });

  it('goes on from a snapshot as from the state itself', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), fc.nat(30), (events, cut) => {
        const stream = record([created, join('n1'), join('n2'), ...events]);
        const snapshot = JSON.parse(JSON.stringify(fold(initialState(), stream.slice(0, cut)))) as ClusterState;
        expect(fold(snapshot, stream.slice(cut))).toEqual(fold(initialState(), stream));
      }),
    );
  });

  it('never modifies an earlier state', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        let state = initialState();
        for (const event of record(events)) {
          const before = JSON.stringify(state);
          const next = evolve(state, event);
          expect(JSON.stringify(state)).toBe(before);
          state = next;
        }
      }),
    );
  });

  it('shares what an event did not touch', () => {
    const before = after(created, join('n1'), join('n2'), operation({}));
    const next = evolve(before, {
      version: 5,
      occurredAt: at(5),
      actor: 'test',
      correlationId: 'c',
      event: operation({ node: 'n1', resource: 'web', callId: 6 }),
    });
    expect(stateOfNode(next, 'n2')).toBe(stateOfNode(before, 'n2'));
    expect(firstChildNamed(next.cib, 'configuration')).toBe(firstChildNamed(before.cib, 'configuration'));
    expect(historyOf(stateOfNode(next, 'n1'), 'db')).toBe(historyOf(stateOfNode(before, 'n1'), 'db'));
  });
});
