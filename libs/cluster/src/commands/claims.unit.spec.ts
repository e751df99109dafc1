import { describe, expect, it } from 'vitest';
import { stranded } from '../remote/stranded.js';
import type { ClusterState } from '../state/cluster-state.js';
import { nodeStateOf, transientAttribute } from '../state/node-state.js';
import { historyOf, isActive } from '../state/history.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import type { JoinNode, ReportedResult } from './agent-command.js';
import type { ClusterCommand } from './cluster-command.js';
import { decide } from './decide.js';
import { doubtfulResults } from './decide-results.js';
import { reportedResult } from '../testing/reported-result.js';

const dummy = (id: string, more = ''): string => `<primitive id="${id}" class="ocf" provider="systole" type="Dummy">${more}</primitive>`;
const bundle = (id: string, inner: string, meta = ''): string =>
  `<bundle id="${id}">${meta}<podman image="x" replicas="2"/><network control-port="3121"/>${dummy(inner)}</bundle>`;
const TO_HOST = '<meta_attributes id="t"><nvpair id="t-t" name="container-attribute-target" value="host"/></meta_attributes>';

const RESOURCES =
  dummy('db') +
  dummy('vm', '<meta_attributes id="vm-m"><nvpair id="vm-r" name="remote-node" value="guest"/></meta_attributes>') +
  '<primitive id="remote" class="ocf" provider="pacemaker" type="remote"/>' +
  '<template id="fencing" class="stonith" type="fence_x"/><primitive id="fence" template="fencing"/>' +
  bundle('b', 'in') +
  bundle('other', 'else');

const join = (node: string, more: Partial<JoinNode> = {}): JoinNode => ({
  type: 'join-node',
  node,
  agentVersion: '1',
  leaseMs: 5000,
  bootId: `boot of ${node}`,
  ...more,
});

function cluster({ resources = RESOURCES, options = '' } = {}): ClusterState {
  return execute(threeNodes({ resources, options }), join('remote'), join('guest'), join('b-0'), join('b-1'));
}

const configured = (resources: string): ClusterCommand => ({
  type: 'replace-configuration',
  cib: `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="2" num_updates="0"><configuration><crm_config/><nodes><node id="1" uname="n1"/><node id="2" uname="n2"/><node id="3" uname="n3"/></nodes><resources>${resources}</resources><constraints/></configuration><status/></cib>`,
  force: true,
});

const claim = (historyId: string, changes: Partial<ReportedResult> = {}): ReportedResult =>
  reportedResult(historyId, {
    resultId: `${historyId} ${changes.operation ?? 'start'} ${String(changes.intervalMs ?? 0)}`,
    ...{ actionId: `of ${historyId}`, transitionKey: '7:9:0:c' },
    ...changes,
  });

const report = (node: string, results: readonly ReportedResult[], handedOut: readonly string[] = []): ClusterCommand => ({
  type: 'record-results',
  node,
  incarnation: 1,
  results,
  handedOut: new Set(handedOut),
});

function runsOn(state: ClusterState, node: string, historyId: string): boolean {
  const member = state.nodes[node];
  return member !== undefined && isActive(historyOf(nodeStateOf(state.cib, member), historyId), historyId);
}

describe('that a resource runs on a node where it can not', () => {
  it.each([
    ['b-0', 'db'],
    ['b-0', 'vm'],
    ['b-0', 'fence'],
    ['b-0', 'b-podman-0'],
    ['b-0', 'other-podman-0'],
    ['b-0', 'else'],
    ['b-0', 'else:0'],
    ['b-0', 'in:1'],
    ['guest', 'vm'],
    ['guest', 'fence'],
    ['guest', 'in'],
    ['guest', 'in:0'],
    ['guest', 'b-1'],
    ['remote', 'vm'],
    ['remote', 'fence'],
    ['remote', 'in:0'],
    ['remote', 'b-0'],
  ])('is not believed of %s, unless it was told to begin it: %s', (node, id) => {
    const state = cluster();
    for (const claimed of [
      claim(id),
      claim(id, { operation: 'monitor' }),
      claim(id, { operation: 'monitor', intervalMs: 10, recurring: true }),
    ]) {
      expect(decide(report(node, [claimed]), state)).toMatchObject({
        ok: true,
        events: [{ type: 'ResultsDropped', data: { node, count: 1, resources: [id] } }],
      });
      expect(doubtfulResults(state, node, [claimed])).toEqual([claimed]);
      expect(runsOn(execute(state, report(node, [claim(id)], [`of ${id}`])), node, id)).toBe(true);
    }
  });

  it.each([
    ['b-0', 'in'],
    ['b-0', 'in:0'],
    ['b-1', 'in:1'],
    ['guest', 'db'],
    ['guest', 'b-podman-1'],
    ['remote', 'db'],
    ['remote', 'b-podman-0'],
    ['n1', 'db'],
    ['n1', 'vm'],
    ['n1', 'fence'],
    ['n1', 'b-podman-0'],
  ])('is believed where it can: on %s %s', (node, id) => {
    expect(runsOn(execute(cluster(), report(node, [claim(id)])), node, id)).toBe(true);
  });

  it('is no more doubted where it was started when it still could: what is late of it is taken in', () => {
    const plain = RESOURCES.replace(/<meta_attributes id="vm-m">.*?<\/meta_attributes>/, '');
    const before = execute(threeNodes({ resources: plain }), join('remote'), report('remote', [claim('vm')]));
    const made = execute(before, configured(RESOURCES));
    expect(doubtfulResults(made, 'remote', [claim('vm', { operation: 'monitor', intervalMs: 10, callId: 2 })])).toEqual([]);
    expect(doubtfulResults(made, 'remote', [claim('vm', { operation: 'stop', callId: 3 })])).toEqual([]);
    const stopped = execute(made, report('remote', [claim('vm', { operation: 'stop', callId: 3 })]));
    expect(runsOn(stopped, 'remote', 'vm')).toBe(false);
    // It can be claimed to be active again by nobody.
    expect(doubtfulResults(stopped, 'remote', [claim('vm', { callId: 4 })])).toHaveLength(1);
  });

  it('is believed of no guest that the configuration has no more, but for what it was known to run', () => {
    const had = execute(cluster(), report('b-0', [claim('in')]));
    const state = execute(had, configured(RESOURCES.replace(bundle('b', 'in'), '')));
    expect(doubtfulResults(state, 'b-0', [claim('in', { operation: 'stop' }), claim('db')]).map(({ resource }) => resource.id)).toEqual([
      'db',
    ]);
  });
});

describe('that it has fenced a node', () => {
  it.each(['remote', 'guest', 'b-0'])('is not taken from %s, which never does', (node) => {
    const fenced = claim('fence', { fence: { fencingId: 'f', target: 'n1', action: 'off', deviceId: 'fence' } });
    expect(decide(report(node, [fenced]), cluster())).toMatchObject({ ok: true, events: [{ type: 'ResultsDropped' }] });
  });
});

describe('what an agent says to run as it joins', () => {
  it.each([
    ['b-0', ['in']],
    ['guest', ['db', 'b-podman-0']],
    ['remote', ['db', 'b-podman-0']],
  ])('keeps from being started elsewhere what can run on %s, and nothing else', (node, resources) => {
    const active = ['db', 'vm', 'fence', 'in', 'else', 'b-podman-0'];
    const joined = execute(cluster(), join(node, { active }));
    expect(stranded(joined)).toEqual([{ node, resources }]);
    const unmanaged = execute(cluster({ options: option('maintenance-mode', 'true') }), join(node, { active, unmanaged: active }));
    expect(Object.keys(unmanaged.nodes[node]?.spared ?? {})).toEqual(resources);
  });

  it('is what it was known to run, whatever the configuration makes of it by now', () => {
    const had = execute(cluster(), report('remote', [claim('vm')], ['of vm']));
    expect(stranded(execute(had, join('remote', { active: ['vm'] })))).toEqual([{ node: 'remote', resources: ['vm'] }]);
  });
});

describe('a container that runs on a remote node', () => {
  it('is held after the log went back, while nobody can look for it there', () => {
    const ran = execute(cluster(), report('remote', [claim('b-podman-0')], ['of b-podman-0']));
    const restored = execute(ran, { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'p' });
    const back = execute(restored, join('remote', { active: ['b-podman-0'] }));
    expect(stranded(back)).toEqual([{ node: 'remote', resources: ['b-podman-0'] }]);
  });
});

describe('the delay of an attribute, which is that of its name on all nodes', () => {
  it('is not set from within a container: what others say would be held back', () => {
    const of = { type: 'set-node-attribute', name: 'master-db', lifetime: 'reboot' } as const;
    const delay = { ms: 86_400_000, sets: 'only' } as const;
    // Nothing else is asked for: who asks is told.
    expect(decide({ ...of, node: 'b-0', agent: 'b-0', value: '', delay }, cluster())).toMatchObject({
      rejection: { status: 403, code: 'not-for-this-agent', pointer: '/delay' },
    });
    const held = execute(cluster(), { ...of, node: 'b-0', agent: 'b-0', value: '', delay: { ...delay, sets: 'also' } });
    const told = execute(held, { ...of, node: 'n2', agent: 'n2', value: '-INFINITY' });
    const n2 = told.nodes['n2'];
    expect(n2 && transientAttribute(nodeStateOf(told.cib, n2), 'master-db')).toBe('-INFINITY');
    const own = execute(cluster(), { ...of, node: 'b-0', agent: 'b-0', value: '5', delay: { ms: 5_000, sets: 'also' } });
    const b0 = own.nodes['b-0'];
    expect(b0 && transientAttribute(nodeStateOf(own.cib, b0), 'master-db')).toBe('5');
  });

  it.each(['standby', 'shutdown', 'terminate', 'maintenance', 'fail-count-db#monitor_10000'])(
    'is none for %s, which no node has to wait with because another one said so',
    (name) => {
      const set = { type: 'set-node-attribute', name, lifetime: 'reboot', node: 'n1', agent: 'n1' } as const;
      for (const sets of ['only', 'also'] as const)
        expect(decide({ ...set, value: '1', delay: { ms: 86_400_000, sets } }, cluster())).toMatchObject({
          rejection: { status: 403, code: 'attribute-reserved', pointer: '/delay' },
        });
      const alone = decide({ ...set, value: '1' }, cluster());
      expect(alone.ok && alone.events.map(({ type }) => type)).toEqual(['NodeAttributeSet']);
    },
  );
});

describe('what the agent in a container sets for others', () => {
  const set = (agent: string, node: string, name = 'master-db'): ClusterCommand => ({
    type: 'set-node-attribute',
    ...{ node, name, value: '1', lifetime: 'reboot', agent },
  });
  const outcome = (command: ClusterCommand, state: ClusterState): string => {
    const decision = decide(command, state);
    return decision.ok ? 'accepted' : `${String(decision.rejection.status)} ${decision.rejection.code}`;
  };

  it('is refused but for the replicas of its own bundle: members of one database tell one another who begins', () => {
    const state = cluster();
    for (const node of ['n1', 'remote', 'guest']) {
      expect(outcome(set('b-0', node), state)).toBe('403 not-for-this-agent');
      expect(outcome({ type: 'clear-node-attribute', node, name: 'x', lifetime: 'forever', agent: 'b-0' }, state)).toBe(
        '403 not-for-this-agent',
      );
    }
    expect(outcome(set('b-0', 'b-0'), state)).toBe('accepted');
    expect(outcome(set('b-0', 'b-1'), state)).toBe('accepted');
    expect(outcome(set('b-0', 'b-1', 'standby'), state)).toBe('403 attribute-reserved');
  });

  it('is refused for the replicas of another bundle', () => {
    expect(outcome(set('b-0', 'other-0'), execute(cluster(), join('other-0')))).toBe('403 not-for-this-agent');
  });

  it('reaches the hosts of its bundle where their attributes count instead', () => {
    const resources = RESOURCES.replace(bundle('b', 'in'), bundle('b', 'in', TO_HOST));
    const notThere = ['b-podman-0', 'b-podman-1'].map((id) => claim(id, { operation: 'monitor', rc: 7 }));
    const state = execute(
      cluster({ resources }),
      ...[report('n1', notThere), report('n2', [claim('b-podman-0')]), report('n3', [claim('b-podman-1')])],
    );
    expect(['n1', 'n2', 'n3'].map((node) => outcome(set('b-0', node), state))).toEqual(['403 not-for-this-agent', 'accepted', 'accepted']);
    expect(outcome(set('b-0', 'n2', 'standby'), state)).toBe('403 attribute-reserved');
    // Its agent was started anew, and nobody has looked yet.
    expect(outcome(set('b-0', 'n2'), execute(state, join('n2')))).toBe('accepted');
  });

  it.each(['remote', 'guest', 'n1'])('is as it was for %s, where instances of clones run as anywhere', (agent) => {
    expect(outcome(set(agent, 'n2'), cluster())).toBe('accepted');
  });
});
