import { serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../events/cluster-event.js';
import { initialState, type ClusterState } from '../state/cluster-state.js';
import { configuredNodes } from '../state/configuration.js';
import { nodeAttributesOf } from '../state/node-attributes.js';
import { evolve } from '../state/evolve.js';
import { historyOf } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { resultFrom } from '../state/transition-results.js';
import type { ReportedResult } from './agent-command.js';
import type { ClusterCommand } from './cluster-command.js';
import type { Decision } from './decision.js';
import { decide } from './decide.js';
import { checkIncarnation } from './decide-nodes.js';
import { reportedResult } from '../testing/reported-result.js';

const cib = (resources = '', nodes = '<node id="1" uname="n1"/><node id="2" uname="n2"/>'): string =>
  `<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes>${nodes}</nodes>` +
  `<resources>${resources}</resources><constraints/></configuration><status/></cib>`;
const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';

function apply(state: ClusterState, events: readonly ClusterEvent[]): ClusterState {
  return events.reduce(
    (folded, event) =>
      evolve(folded, { version: folded.version + 1, occurredAt: '2026-01-01T00:00:00.000Z', actor: 't', correlationId: 'c', event }),
    state,
  );
}

function eventsOf(decision: Decision): readonly ClusterEvent[] {
  if (!decision.ok) throw new Error(`refused: ${decision.rejection.message}`);
  return decision.events;
}

/** Runs commands one after another; each must be accepted. */
function after(...commands: readonly ClusterCommand[]): ClusterState {
  return commands.reduce((state, command) => apply(state, eventsOf(decide(command, state))), initialState());
}

function refusal(command: ClusterCommand, state: ClusterState): string {
  const decision = decide(command, state);
  return decision.ok
    ? 'accepted'
    : `${String(decision.rejection.status)} ${decision.rejection.code} ${decision.rejection.pointer ?? ''}`.trim();
}

const create: ClusterCommand = { type: 'create-cluster', name: 'c', cib: cib(DB) };
const join = (node: string): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000 });
const result = (changes: Partial<ReportedResult> = {}): ReportedResult => reportedResult('db', changes);
const report = (...results: readonly ReportedResult[]): ClusterCommand => ({ type: 'record-results', node: 'n1', incarnation: 1, results });

describe('clusters', () => {
  it('are created once, with a CIB whose status is dropped', () => {
    const withStatus = cib(DB).replace('<status/>', '<status><node_state id="1" uname="n1"/></status>');
    const state = after({ type: 'create-cluster', name: 'c', cib: withStatus });
    expect(serializeXml(state.cib)).not.toContain('node_state');
    expect(refusal(create, state)).toBe('409 cluster-exists');
  });

  it('are not found before they exist and after they are deleted', () => {
    expect(refusal(join('n1'), initialState())).toBe('404 cluster-not-found');
    const deleted = after(create, join('n1'), { type: 'delete-cluster' });
    expect(refusal({ type: 'set-standby', node: 'n1', standby: true }, deleted)).toBe('404 cluster-not-found');
    expect(refusal(join('n1'), deleted)).toBe('410 cluster-deleted');
    expect(refusal(report(result()), deleted)).toBe('410 cluster-deleted');
    expect(checkIncarnation(deleted, 'n1', 1)?.rejection.code).toBe('cluster-deleted');
  });

  it('refuse bad names and documents, and say where', () => {
    expect(refusal({ type: 'create-cluster', name: '../x' }, initialState())).toBe('422 invalid-argument /name');
    const decision = decide({ type: 'create-cluster', name: 'c', cib: '<cib>\n<configuration>\n</cib>' }, initialState());
    expect(decision).toMatchObject({ ok: false, rejection: { code: 'invalid-configuration', pointer: '/cib', issues: [{ line: 3 }] } });
  });

  it('refuse what refers to nothing, and say where', () => {
    const dangling = cib(DB).replace(
      '<constraints/>',
      '<constraints>\n<rsc_location id="l" rsc="nope" node="n1" score="1"/></constraints>',
    );
    const decision = decide({ type: 'create-cluster', name: 'c', cib: dangling }, initialState());
    expect(decision).toMatchObject({
      ok: false,
      rejection: { status: 422, issues: [{ path: expect.stringContaining("rsc_location[@id='l']") as string, line: 2 }] },
    });
  });

  it('refuse a command for another version', () => {
    const state = after(create);
    expect(decide(join('n1'), state, { expected: [{ version: 7 }] })).toMatchObject({
      ok: false,
      rejection: { status: 412, currentVersion: 1 },
    });
    expect(decide(join('n1'), state, { expected: [{ version: 7 }, { version: 1 }] }).ok).toBe(true);
  });
});

describe('replacing the configuration', () => {
  it('makes one event with the changed elements, and the state follows', () => {
    const state = after(create, join('n1'), { type: 'replace-configuration', cib: cib(`${DB}<primitive id="web" class="lsb" type="x"/>`) });
    expect(serializeXml(state.cib)).toContain('id="web"');
    expect(state.problems).toEqual([]);
  });

  it('is nothing when nothing changes', () => {
    expect(eventsOf(decide({ type: 'replace-configuration', cib: cib(DB) }, after(create)))).toEqual([]);
  });

  describe('whose version', () => {
    const of = (adminEpoch: string, epoch: string, resources = DB): ClusterCommand => ({
      type: 'replace-configuration',
      cib: cib(resources).replace('admin_epoch="0" epoch="1"', `admin_epoch="${adminEpoch}" epoch="${epoch}"`),
    });
    const versionOf = ({ cib: { attributes } }: ClusterState): string =>
      `${attributes['admin_epoch'] ?? ''}.${attributes['epoch'] ?? ''}.${attributes['num_updates'] ?? ''}`;
    const other = DB.replace('"db"', '"web"');

    it('is higher than the one before is counted on from, as by cibadmin --replace', () => {
      expect(versionOf(after(create, of('0', '9', other)))).toBe('0.10.0');
      expect(versionOf(after(create, of('2', '0', other)))).toBe('2.1.0');
      expect(versionOf(after(create, of('2', '0', other), of('1', '99', DB)))).toBe('2.2.0');
      const [event] = eventsOf(decide(of('0', '9', other), after(create)));
      expect(event).toMatchObject({ data: { countedFrom: { adminEpoch: 0, epoch: 9 } } });
    });

    it('is higher, and which says nothing else, is taken as it is', () => {
      const taken = after(create, of('0', '9'));
      expect(versionOf(taken)).toBe('0.9.0');
      expect(taken.configuredAt).toBe(after(create).configuredAt);
      expect(decide(of('0', '9'), taken)).toMatchObject({ ok: true, events: [] });
    });

    it('is lower, or none that can be counted on from, is of no account', () => {
      expect(versionOf(after(create, of('0', '0', other)))).toBe('0.2.0');
      expect(versionOf(after(create, of('99999999999', '99999999999999999999', other)))).toBe('0.2.0');
      expect(versionOf(after(create, of('0', '9', other), { ...of('0', '9'), restores: 1 } as ClusterCommand))).toBe('0.11.0');
    });
  });

  it('keeps nodes that are joined', () => {
    const state = after(create, join('n3'), { type: 'replace-configuration', cib: cib(DB) });
    expect(configuredNodes(state.cib).map(({ name }) => name)).toEqual(['n1', 'n2', 'n3']);
  });
});

describe('standby', () => {
  it.each([
    ['another set says no with a higher score', '<SET id="a"><nvpair id="a1" name="x" value="1"/></SET><SET id="b" score="9">OFF</SET>'],
    ['the set that stands later says no', '<SET id="a"><nvpair id="a1" name="standby" value="on"/></SET><SET id="b">OFF</SET>'],
    ['the first set is another one by reference', '<SET id-ref="shared"/>'],
  ])('counts where %s, and unstandby takes it back', (_, sets) => {
    const text = sets.replaceAll('SET', 'instance_attributes').replace('OFF', '<nvpair id="off" name="standby" value="off"/>');
    const shared = '<instance_attributes id="shared"><nvpair id="s1" name="y" value="1"/></instance_attributes>';
    const nodes = `<node id="1" uname="n1">${shared}</node><node id="2" uname="n2">${text}</node>`;
    const before = after({ type: 'create-cluster', name: 'c', cib: cib(DB, nodes) });
    const on = apply(before, eventsOf(decide({ type: 'set-standby', node: 'n2', standby: true }, before)));
    expect(nodeAttributesOf(on, 'n2', 0).get('standby')).toBe('on');
    expect(eventsOf(decide({ type: 'set-standby', node: 'n2', standby: true }, on))).toEqual([]);
    const off = apply(on, eventsOf(decide({ type: 'set-standby', node: 'n2', standby: false }, on)));
    expect(nodeAttributesOf(off, 'n2', 0).get('standby')).toBeUndefined();
  });

  it('is refused, with the reason, where something else decides about it', () => {
    const always = '<rule id="r" boolean-op="and"><date_expression id="e" operation="gt" start="1960-01-01"/></rule>';
    const ruled = (value: string): string =>
      `<instance_attributes id="a" score="9">${always}<nvpair id="a1" name="standby" value="${value}"/></instance_attributes>`;
    const withRule = (value: string): ClusterState =>
      after({ type: 'create-cluster', name: 'c', cib: cib(DB, `<node id="2" uname="n2">${ruled(value)}</node>`) });
    expect(refusal({ type: 'set-standby', node: 'n2', standby: true }, withRule('off'))).toBe('409 attribute-overridden /node');
    expect(refusal({ type: 'set-standby', node: 'n2', standby: false }, withRule('on'))).toBe('409 attribute-overridden /node');
    expect(refusal({ type: 'set-standby', node: 'n2', standby: true }, withRule('on'))).toBe('accepted');
  });

  it('is a permanent attribute of the node, and unstandby removes it', () => {
    const on = after(create, { type: 'set-standby', node: 'n2', standby: true });
    expect(nodeAttributesOf(on, 'n2', 0).get('standby')).toBe('on');
    expect(serializeXml(on.cib).replace(/\s+</g, '<')).toContain(
      '<node id="2" uname="n2"><instance_attributes id="nodes-2"><nvpair id="nodes-2-standby" name="standby" value="on"/></instance_attributes></node>',
    );
    const off = apply(on, eventsOf(decide({ type: 'set-standby', node: 'n2', standby: false }, on)));
    expect(nodeAttributesOf(off, 'n2', 0).get('standby')).toBeUndefined();
  });

  it('twice is once; of an unknown node it is refused', () => {
    const state = after(create, { type: 'set-standby', node: 'n2', standby: true });
    expect(eventsOf(decide({ type: 'set-standby', node: 'n2', standby: true }, state))).toEqual([]);
    expect(refusal({ type: 'set-standby', node: 'x', standby: true }, state)).toBe('404 node-not-found /node');
  });
});

describe('nodes', () => {
  it('join under the id of the configuration, with a new incarnation each time', () => {
    const state = after(create, join('n2'));
    expect(eventsOf(decide(join('n2'), state))).toMatchObject([{ type: 'NodeJoined', data: { nodeId: '2', incarnation: 2 } }]);
    expect(refusal({ ...join('n9'), nodeId: '1' } as ClusterCommand, state)).toBe('422 invalid-argument /nodeId');
    expect(refusal({ ...join('n9'), nodeId: 'n1' } as ClusterCommand, state)).toBe('422 invalid-argument /nodeId');
    expect(refusal({ ...join('n9'), nodeId: 'n8', nodeIdHasToken: true } as ClusterCommand, state)).toBe('422 invalid-argument /nodeId');
    expect(eventsOf(decide({ ...join('n9'), nodeId: 'n9', nodeIdHasToken: true } as ClusterCommand, state))).toHaveLength(1);
    expect(eventsOf(decide({ ...join('n2'), nodeId: 'n8', nodeIdHasToken: true } as ClusterCommand, state))).toHaveLength(1);
  });

  it('of a superseded incarnation may not speak', () => {
    const state = after(create, join('n1'), join('n1'));
    expect(refusal({ type: 'leave-node', node: 'n1', incarnation: 1 }, state)).toBe('409 incarnation-superseded /incarnation');
    expect(checkIncarnation(state, 'n1', 1)?.rejection.code).toBe('incarnation-superseded');
    expect(checkIncarnation(state, 'n1', 2)).toBeUndefined();
  });

  it('that lost their lease have to join anew', () => {
    const state = after(create, join('n1'), { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' });
    expect(checkIncarnation(state, 'n1', 1)?.rejection).toMatchObject({ status: 409, code: 'lease-lost' });
    expect(checkIncarnation(after(create, join('n1'), { type: 'leave-node', node: 'n1', incarnation: 1 }), 'n1', 1)?.rejection.code).toBe(
      'declared-down',
    );
    expect(eventsOf(decide({ type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' }, state))).toEqual([]);
  });

  it('take transient attributes while they are there', () => {
    const of = { type: 'set-node-attribute', name: 'a', value: '1', lifetime: 'reboot' } as const;
    const state = after(create, join('n1'));
    expect(refusal({ ...of, node: 'n1' }, state)).toBe('accepted');
    expect(refusal({ ...of, node: 'n2' }, state)).toBe('409 node-offline /node');
    expect(refusal({ ...of, node: 'n9' }, state)).toBe('404 node-not-found /node');
    expect(refusal({ ...of, node: 'n2', lifetime: 'forever' }, state)).toBe('accepted');
  });

  it.each(['reboot', 'forever'] as const)('keep an attribute that has its value already, without an event (%s)', (lifetime) => {
    const of = { node: 'n1', name: 'score', lifetime } as const;
    const state = after(create, join('n1'), { type: 'set-node-attribute', value: '5', ...of });
    expect(eventsOf(decide({ type: 'set-node-attribute', value: '5', ...of }, state))).toEqual([]);
    expect(eventsOf(decide({ type: 'set-node-attribute', value: '6', ...of }, state))).toHaveLength(1);
    expect(eventsOf(decide({ type: 'clear-node-attribute', ...of }, state))).toHaveLength(1);
    expect(eventsOf(decide({ type: 'clear-node-attribute', ...of, name: 'none' }, state))).toEqual([]);
  });

  it('can be confirmed down unless they hold a lease', () => {
    const state = after(create, join('n1'));
    expect(refusal({ type: 'confirm-node-down', node: 'n1' }, state)).toBe('409 node-online /node');
    expect(after(create, { type: 'confirm-node-down', node: 'n2' }).nodes['n2']?.membership).toBe('down');
  });
});

describe('results', () => {
  it('sent again are recorded once', () => {
    const state = after(create, join('n1'), report(result()));
    expect(eventsOf(decide(report(result(), result({ resultId: 'r2', operation: 'monitor', intervalMs: 10 })), state))).toHaveLength(1);
  });

  it('sent again are recorded once even when they leave no entry in the history', () => {
    const notified = result({ operation: 'notify' });
    const state = after(create, join('n1'), report(notified));
    expect(eventsOf(decide(report(notified, notified, result({ operation: 'notify', resultId: 'r2' })), state))).toHaveLength(1);
  });

  it('of an earlier incarnation are late facts', () => {
    const state = after(create, join('n1'), join('n1'));
    expect(eventsOf(decide(report(result()), state))).toMatchObject([{ data: { late: true } }]);
  });

  it('of a life that the log does not know, as it lost its tail, are recorded, and nothing follows from them', () => {
    const state = after(create, join('n1'));
    const report = { type: 'record-results', node: 'n1', incarnation: 2, results: [result()] } as const;
    expect(eventsOf(decide(report, state))).toMatchObject([{ type: 'OperationRecorded', data: { incarnation: 2, late: true } }]);
    const next = after(create, join('n1'), report);
    expect(next.nodes['n1']?.incarnation).toBe(1);
    expect(next.nodes['n1'] && historyOf(nodeStateOf(next.cib, next.nodes['n1']), 'db')).toBeUndefined();
    expect(refusal({ ...report, incarnation: 0 }, state)).toBe('422 invalid-argument /incarnation');
  });
});

describe('cleaning up', () => {
  const failed = [create, join('n1'), report(result({ rc: 1 }))] as const;

  it('forgets failures and history on each node that has any', () => {
    const state = after(...failed, { type: 'clean-up-resource', resource: 'db' });
    const member = state.nodes['n1'];
    expect(member && historyOf(nodeStateOf(state.cib, member), 'db')).toBeUndefined();
    expect(serializeXml(state.cib)).not.toContain('fail-count');
  });

  it('leaves alone what has not failed, which a refresh forgets as well', () => {
    const of = { resource: 'db' } as const;
    const started = after(create, join('n1'), join('n2'), report(result()), {
      ...report(result({ resultId: 'r2', operation: 'monitor', rc: 0, transitionKey: '1:1:7:c' })),
      node: 'n2',
    } as ClusterCommand);
    expect(eventsOf(decide({ type: 'clean-up-resource', ...of }, started))).toEqual([]);
    const nodes = (command: ClusterCommand): readonly unknown[] =>
      eventsOf(decide(command, started)).flatMap(({ type, data }) => (type === 'HistoryDeleted' ? [data.node] : []));
    expect(nodes({ type: 'refresh-resource', ...of })).toEqual(['n1', 'n2']);
    expect(nodes({ type: 'refresh-resource', ...of, node: 'n2' })).toEqual(['n2']);
  });

  it.each([
    ['a probe that was not what it should be', { operation: 'monitor', rc: 5, transitionKey: '1:1:7:c' }],
    ['an operation that took too long', { operation: 'monitor', intervalMs: 10_000, status: 'timeout', rc: 1 }],
  ] as const)('forgets %s', (_, changes) => {
    const state = after(create, join('n1'), join('n2'), report(result(changes)));
    expect(eventsOf(decide({ type: 'clean-up-resource' }, state))).toMatchObject([
      { type: 'FailuresCleared', data: { node: 'n1', resource: 'db' } },
      { type: 'HistoryDeleted', data: { node: 'n1', resource: 'db' } },
    ]);
  });

  it('of a group means its members', () => {
    const grouped = cib(`<group id="g">${DB}</group>`);
    const state = after({ ...create, cib: grouped }, join('n1'), report(result({ rc: 1 })));
    expect(eventsOf(decide({ type: 'clean-up-resource', resource: 'g' }, state)).map(({ type }) => type)).toEqual([
      'FailuresCleared',
      'HistoryDeleted',
    ]);
  });

  it('of what nobody knows is refused', () => {
    expect(refusal({ type: 'clean-up-resource', resource: 'nope' }, after(...failed))).toBe('404 resource-not-found /resource');
    expect(refusal({ type: 'clean-up-resource', resource: 'db', node: 'nope' }, after(...failed))).toBe('404 node-not-found /node');
  });
});

describe('plans', () => {
  const plan = (inputVersion: number) => ({
    inputVersion,
    now: 1,
    schedulerVersion: '1',
    digest: 'd',
    counts: { actions: 1, pseudo: 0, fencing: 0 },
    trigger: 't',
    summary: [],
  });

  it('are dropped when the cluster has moved on', () => {
    const state = after(create, join('n1'));
    expect(refusal({ type: 'plan-transition', plan: plan(1) }, state)).toBe('409 stale-decision');
    expect(eventsOf(decide({ type: 'plan-transition', plan: plan(2) }, state))).toMatchObject([{ data: { number: 1 } }]);
  });

  it('hold as long as nothing came that plans depend on, whatever else is recorded meanwhile', () => {
    const lag = { type: 'set-node-attribute', node: 'n1', name: 'replay-lag', value: '5', lifetime: 'reboot' } as const;
    const state = after(create, join('n1'), lag);
    const expected = [{ version: 2 }];
    expect(eventsOf(decide({ type: 'plan-transition', plan: plan(2) }, state, { expected }))).toMatchObject([
      { data: { inputVersion: 2 } },
    ]);
    expect(refusal({ type: 'plan-transition', plan: plan(4) }, state)).toBe('409 stale-decision');
    const moved = after(create, join('n1'), lag, { ...lag, name: 'standby' });
    expect(refusal({ type: 'plan-transition', plan: plan(2) }, moved)).toBe('409 stale-decision');
    const planned = after(create, join('n1'), {
      type: 'plan-transition',
      plan: { ...plan(2), counts: { actions: 0, pseudo: 0, fencing: 0 } },
    });
    expect(refusal({ type: 'plan-transition', plan: plan(2) }, planned)).toBe('409 stale-decision');
  });

  it.each<ClusterCommand>([
    { type: 'abort-transition', number: 1, reason: 'because' },
    { type: 'change-quorum', quorate: true, votes: 1, expectedVotes: 1 },
    { type: 'clear-failures', resource: 'db', node: 'n1', graphAction: { transition: 1, id: 4 } },
    { type: 'delete-history', resource: 'db', node: 'n1', graphAction: { transition: 1, id: 4 } },
    {
      type: 'request-fencing',
      request: {
        ...{ fencingId: 'f', target: 'n1', action: 'off', device: 'd', executor: 'n1', attempt: 1, transition: 1, graphActionId: 4 },
      },
    },
  ])('about a running transition hold just so: $type', (command) => {
    const lag = { type: 'set-node-attribute', node: 'n1', name: 'replay-lag', value: '5', lifetime: 'reboot' } as const;
    const running = [create, join('n1'), { type: 'plan-transition', plan: plan(2) }] as const;
    const decided = { expected: [{ version: 3 }] };
    expect(decide(command, after(...running, lag), decided).ok).toBe(true);
    expect(decide(command, after(...running, lag, join('n1')), decided)).toMatchObject({ rejection: { code: 'version-mismatch' } });
  });

  it('that a transition goes on with its probes no longer holds whatever those find meanwhile', () => {
    const found = (id: number): ClusterCommand =>
      report(result({ operation: 'monitor', transitionKey: `${String(id)}:1:7:c`, resultId: `r${String(id)}`, callId: id }));
    const state = after(create, join('n1'), { type: 'plan-transition', plan: plan(2) }, found(1), found(2));
    const over = { type: 'abort-transition', number: 1, reason: 'long enough' } as const;
    expect(eventsOf(decide(over, state, { expected: [{ version: 4 }] }))).toMatchObject([{ type: 'TransitionAborted' }]);
  });

  it('of a graph leave their event once', () => {
    const clear = { type: 'clear-failures', resource: 'db', node: 'n1', graphAction: { transition: 1, id: 4 } } as const;
    const cleared = after(create, join('n1'), { type: 'plan-transition', plan: plan(2) }, clear);
    expect(eventsOf(decide(clear, cleared))).toEqual([]);
  });

  it('wait for the running transition to end', () => {
    const state = after(create, { type: 'plan-transition', plan: plan(1) });
    expect(refusal({ type: 'plan-transition', plan: plan(2) }, state)).toBe('409 transition-running');
  });

  it('that are obsolete are not acted upon', () => {
    const state = after(create, join('n1'), { type: 'plan-transition', plan: plan(2) }, join('n2'));
    const graphAction = { transition: 1, id: 3 };
    expect(refusal({ type: 'clear-failures', resource: 'db', node: 'n1', graphAction }, state)).toBe('409 stale-decision');
  });

  it('whose actions nobody answers are told so', () => {
    const state = after(create, join('n1'), { type: 'plan-transition', plan: plan(2) });
    const { resource, operation, intervalMs, transitionKey, actionId } = result();
    const command: ClusterCommand = {
      type: 'record-unanswered',
      actions: [{ actionId, node: 'n1', transitionKey, resource, operation, intervalMs, at: 5, execMs: 1 }],
    };
    const next = apply(state, eventsOf(decide(command, state)));
    expect(next.transition?.status).toBe('aborting');
    expect(next.transition && resultFrom(next.transition, 7, 'n1')).toMatchObject({ status: 'timeout', ok: false });
    expect(eventsOf(decide(command, next))).toEqual([]);
  });
});
