import { describe, expect, it } from 'vitest';
import type { JoinNode, ReportedResult } from '../commands/agent-command.js';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { configuredNodes } from '../state/configuration.js';
import { startedResult } from '../testing/started.js';
import { append, EPOCH, execute, option, planned, threeNodes } from '../testing/stream.js';
import { engineLimits } from '../engine/limits.js';
import { createEngine } from '../engine/engine.js';
import { graphOf } from '../engine/testing/scenario.js';
import { decide } from '../commands/decide.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { awayNodes, mayRunAnything } from '../state/stopping.js';
import { knownManaged, leftRunning } from './left-running.js';
import { unmanagedResources } from './unmanaged.js';

let results = 0;
const started = (resource: string): ReportedResult => startedResult(resource, { resultId: `r${String(results++)}` });

const meta = (id: string, pairs: string): string => `<meta_attributes id="${id}-meta">${pairs}</meta_attributes>`;
const primitive = (id: string, inner = '', more = ''): string =>
  `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"${more}>${inner}</primitive>`;
const UNMANAGED = '<nvpair id="NVP" name="is-managed" value="false"/>';

/** A cluster in which the resources run on n1. */
function running(
  resources: readonly string[],
  config: { readonly options?: string; readonly resources: string; readonly more?: string },
): ClusterState {
  let ids = 0;
  const unique = config.resources.replaceAll('NVP', () => `nvp${String(ids++)}`);
  const state = threeNodes({ ...config, resources: unique });
  const results = resources.map(started);
  const handedOut = new Set(results.map(({ actionId }) => actionId));
  return execute(state, { type: 'record-results', node: 'n1', incarnation: 1, results, handedOut });
}

describe('resources that must not be stopped when their node loses its lease', () => {
  it('are none where everything is managed', () => {
    expect(unmanagedResources(running(['db'], { resources: primitive('db') }), 'n1', EPOCH)).toEqual([]);
  });

  it('are all in maintenance mode, also those that are not configured any more', () => {
    const state = running(['db', 'gone'], { options: option('maintenance-mode', 'true'), resources: primitive('db') });
    expect(unmanagedResources(state, 'n1', EPOCH)).toEqual(['db', 'gone']);
    expect(unmanagedResources(state, 'n2', EPOCH)).toEqual([]);
  });

  it('are listed once for what a node’s state and the configuration say, whatever else happens', () => {
    const state = running(['db', 'web'], { resources: primitive('db', meta('db', UNMANAGED)) + primitive('web') });
    const listed = unmanagedResources(state, 'n1', EPOCH);
    const elsewhere = execute(state, { type: 'set-node-attribute', node: 'n2', name: 'rack', value: '1', lifetime: 'reboot' });
    expect(unmanagedResources(elsewhere, 'n1', EPOCH)).toBe(listed);
    const maintained = execute(state, { type: 'set-node-attribute', node: 'n1', name: 'maintenance', value: 'on', lifetime: 'forever' });
    expect([maintained, state].map((of) => unmanagedResources(of, 'n1', EPOCH))).toEqual([['db', 'web'], ['db']]);
  });

  it.each(['forever', 'reboot'] as const)('are all on a node whose attribute maintenance is set (%s)', (lifetime) => {
    const before = running(['db'], { resources: primitive('db') });
    const state = execute(before, { type: 'set-node-attribute', node: 'n1', name: 'maintenance', value: 'on', lifetime });
    expect(unmanagedResources(state, 'n1', EPOCH)).toEqual(['db']);
  });

  it('are those that the configuration does not manage, by themselves, their template, an ancestor or the defaults', () => {
    const resources =
      `<template id="t" class="ocf" provider="systole" type="Dummy">${meta('t', UNMANAGED)}</template>` +
      primitive('managed', meta('managed', '<nvpair id="m1" name="is-managed" value="true"/>')) +
      primitive('own', meta('own', UNMANAGED)) +
      primitive('garbage', meta('garbage', '<nvpair id="g1" name="is-managed" value="perhaps"/>')) +
      primitive('maintained', meta('maintained', '<nvpair id="g2" name="maintenance" value="true"/>')) +
      '<primitive id="templated" template="t"/>' +
      `<clone id="c">${meta('c', UNMANAGED)}<group id="g">${primitive('member')}` +
      `${primitive('exception', meta('exception', '<nvpair id="e1" name="is-managed" value="true"/>'))}</group></clone>` +
      `<bundle id="b">${meta('b', UNMANAGED)}<docker image="i"/></bundle>`;
    const all = ['managed', 'own', 'garbage', 'maintained', 'templated', 'member', 'member:1', 'exception', 'b-docker-0'];
    const state = running(all, { resources });
    expect(unmanagedResources(state, 'n1', EPOCH)).toEqual([
      'own',
      'garbage',
      'maintained',
      'templated',
      'member',
      'member:1',
      'b-docker-0',
    ]);
    const byDefault = running(['plain', 'managed'], {
      resources: primitive('plain') + primitive('managed', meta('managed', '<nvpair id="m1" name="is-managed" value="true"/>')),
      more: `<rsc_defaults>${meta('d', UNMANAGED)}</rsc_defaults>`,
    });
    expect(unmanagedResources(byDefault, 'n1', EPOCH)).toEqual(['plain']);
  });

  it('follow rules over time', () => {
    const until = new Date(EPOCH + 3_600_000).toISOString().replace('.000', '');
    const rule = `<rule id="r" score="0"><date_expression id="x" operation="lt" end="${until}"/></rule>`;
    const resources = primitive(
      'db',
      `<meta_attributes id="db-meta">${rule}<nvpair id="n" name="is-managed" value="false"/></meta_attributes>`,
    );
    const state = running(['db'], { resources });
    expect(unmanagedResources(state, 'n1', EPOCH)).toEqual(['db']);
    expect(unmanagedResources(state, 'n1', EPOCH + 7_200_000)).toEqual([]);
    expect(unmanagedResources(state, 'n1', EPOCH)).toEqual(['db']);
  });
});

describe('what a node that left in order runs on with', () => {
  const LEAVE = { type: 'leave-node', node: 'n1', incarnation: 1 } as const;
  const maintained = running(['db'], { options: option('maintenance-mode', 'true'), resources: primitive('db') + primitive('web') });
  const dispatched = (state: ClusterState): readonly string[] => {
    const graph = graphOf(['1 start db n2', '2 start web n2']);
    const effects = createEngine(graph, engineLimits(graph, state)).step({ type: 'start', now: 0 });
    return effects.flatMap((effect) => (effect.type === 'dispatch' ? [effect.action.primitive?.id ?? ''] : []));
  };

  it('is known, and is started nowhere else until the node joins or is confirmed down; everything else is', () => {
    const left = execute(maintained, LEAVE);
    expect(leftRunning(left)).toEqual([{ node: 'n1', resources: ['db'] }]);
    expect(dispatched(left)).toEqual(['web']);
    for (const command of [
      { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 },
      { type: 'confirm-node-down', node: 'n1' },
    ] as const) {
      const over = execute(left, command);
      expect(leftRunning(over)).toEqual([]);
      expect(dispatched(over)).toEqual(['db', 'web']);
    }
  });

  it('is nothing where everything is managed', () => {
    const left = execute(running([], { resources: primitive('db') }), LEAVE);
    expect(leftRunning(left)).toEqual([]);
    expect(awayNodes(left)).toEqual([]);
  });

  it('is what its agent says, beside what is not managed for all that the log knows', () => {
    const probed = { ...started('web'), operation: 'monitor', rc: 7 };
    const looked = execute(maintained, {
      type: 'record-results',
      node: 'n1',
      incarnation: 1,
      results: [probed],
      handedOut: new Set(['a']),
    });
    expect(leftRunning(execute(looked, { ...LEAVE, active: ['web'] }))).toEqual([{ node: 'n1', resources: ['web', 'db'] }]);
    expect(leftRunning(execute(running(['db'], { resources: primitive('db') }), { ...LEAVE, active: ['db'] }))).toEqual([
      { node: 'n1', resources: ['db'] },
    ]);
  });

  it.each([
    ['runs', { operation: 'start', rc: 0 }, '409 still-active /active'],
    ['was found promoted', { operation: 'monitor', rc: 8 }, '409 still-active /active'],
    ['was stopped', { operation: 'stop', rc: 0 }, 'accepted'],
    ['was not found', { operation: 'monitor', rc: 7 }, 'accepted'],
    ['can not be looked for', { operation: 'monitor', rc: 5 }, 'accepted'],
  ])('is not believed to be nothing while something that is managed %s', (_, last, answer) => {
    const state = execute(running([], { resources: primitive('db') }), {
      type: 'record-results',
      node: 'n1',
      incarnation: 1,
      results: [{ ...started('db'), ...last }],
      handedOut: new Set(['a']),
    });
    const decision = decide({ ...LEAVE, active: [] }, state);
    expect(
      decision.ok ? 'accepted' : `${String(decision.rejection.status)} ${decision.rejection.code} ${decision.rejection.pointer ?? ''}`,
    ).toBe(answer);
  });

  it.each([
    [
      'an instance of a unique clone',
      'web:1',
      `<clone id="c">${meta('c', '<nvpair id="NVP" name="globally-unique" value="true"/>')}${primitive('web')}</clone>`,
      false,
    ],
    ['what is not configured any more', 'gone', primitive('db'), true],
    ['a fence device', 'power', '<primitive id="power" class="stonith" type="fence_x"/>', true],
  ])('is not asked of %s where it does not matter', (_, id, resources, leaves) => {
    const resource = { ...started(id).resource, class: id === 'power' ? 'stonith' : 'ocf' };
    const state = execute(running([], { resources }), {
      type: 'record-results',
      node: 'n1',
      incarnation: 1,
      results: [{ ...started(id), resource }],
      handedOut: new Set(['a']),
    });
    expect(decide({ ...LEAVE, active: [] }, state).ok).toBe(leaves);
  });

  it('is nothing that its agent makes up, or that runs elsewhere', () => {
    const state = running(['db'], { resources: primitive('db') });
    const probed = { ...started('db'), operation: 'monitor', rc: 7 };
    const looked = execute(state, { type: 'record-results', node: 'n2', incarnation: 1, results: [probed], handedOut: new Set(['a']) });
    const told = execute(looked, { ...LEAVE, node: 'n2', active: ['db', 'nonsense', '__proto__'] });
    expect(leftRunning(told)).toEqual([]);
  });

  it('is held although a node that was lost without fencing, and counts as stopped, ran it before', () => {
    const options = option('fencing-enabled', 'false');
    const recovered = execute(
      running(['db'], { options, resources: primitive('db') }),
      { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: 'x' },
      { type: 'record-results', node: 'n2', incarnation: 1, results: [started('db')], handedOut: new Set(['a']) },
      { type: 'set-node-attribute', node: 'n2', name: 'maintenance', value: 'true', lifetime: 'forever' },
      { type: 'join-node', node: 'n2', agentVersion: '1', leaseMs: 5_000, active: ['db'], unmanaged: ['db'] },
    );
    const lost = execute(recovered, { type: 'lose-lease', node: 'n2', incarnation: 2, expiredAt: 'x' });
    expect(leftRunning(lost)).toEqual([{ node: 'n2', resources: ['db'] }]);
  });

  it('stays held where another boot joins, until that of before is fenced, confirmed down or back', () => {
    const boot = (bootId: string, more: Partial<JoinNode> = {}): ClusterCommand => ({
      ...{ type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000, machineId: 'm' },
      bootId,
      ...more,
    });
    const begun = execute(running([], { resources: primitive('db'), options: option('maintenance-mode', 'true') }), boot('boot-1'));
    const ran = execute(begun, { type: 'record-results', node: 'n1', incarnation: 2, results: [started('db')], handedOut: new Set(['a']) });
    const away = execute(ran, { ...LEAVE, incarnation: 2 });
    const held = [{ node: 'n1', resources: ['db'] }];
    expect(leftRunning(away)).toEqual(held);
    expect(leftRunning(execute(away, boot('boot-1')))).toEqual([]);
    const other = execute(away, boot('boot-2'));
    expect(leftRunning(other)).toEqual(held);
    expect(leftRunning(execute(other, boot('boot-2')))).toEqual(held);
    expect(leftRunning(execute(other, { ...LEAVE, incarnation: 3, active: [] }))).toEqual(held);
    expect(leftRunning(execute(other, { ...LEAVE, incarnation: 3, active: [] }, boot('boot-1')))).toEqual([]);
    const confirmed = execute(other, { type: 'confirm-node-down', node: 'n1' });
    expect(leftRunning(confirmed)).toEqual([]);
    expect(memberOf(confirmed, 'n1')?.membership).toBe('joined');
    // A copy that was switched on after the node had left looks like the machine that was started again.
    expect(leftRunning(execute(away, boot('boot-2', { uptimeMs: 1 })))).toEqual(held);
    const data = { node: 'n1', nodeId: '1', incarnation: 3, leaseMs: 5000, agentVersion: '1', bootId: 'boot-2', restarted: true } as const;
    expect(leftRunning(append(away, { type: 'NodeJoined', data }))).toEqual([]);
  });

  it('stays held after the log went back, and where several boots left some, until that one is back which did', () => {
    const boot = (bootId: string): ClusterCommand => ({
      type: 'join-node',
      node: 'n1',
      agentVersion: '1',
      leaseMs: 5000,
      machineId: 'm',
      bootId,
    });
    const ran = (state: ClusterState, resource: string): ClusterState => {
      const incarnation = memberOf(state, 'n1')?.incarnation ?? 0;
      const results = [{ ...started(resource), resultId: `boots-${resource}` }];
      return execute(
        state,
        { type: 'record-results', node: 'n1', incarnation, results, handedOut: new Set(['a']) },
        { ...LEAVE, incarnation },
      );
    };
    const one = ran(execute(maintained, LEAVE, boot('boot-1')), 'db');
    const other = execute(one, { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'r', by: 'b' }, boot('boot-2'));
    expect(leftRunning(other)).toEqual([{ node: 'n1', resources: ['db'] }]);
    const two = ran(execute(one, boot('boot-2')), 'web');
    expect(leftRunning(two)).toEqual([{ node: 'n1', resources: ['db', 'web'] }]);
    expect(leftRunning(execute(two, boot('boot-1')))).toEqual([{ node: 'n1', resources: ['web'] }]);
    expect(leftRunning(execute(two, boot('boot-2')))).toEqual([{ node: 'n1', resources: ['db'] }]);
    expect(leftRunning(execute(two, boot('boot-3')))).toEqual([{ node: 'n1', resources: ['db', 'web'] }]);
  });

  describe('under one boot after the other', () => {
    const join = (bootId: string): ClusterCommand => ({ ...{ type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 }, bootId });
    const left = (state: ClusterState, bootId: string, resource: string): ClusterState => {
      const begun = execute(state, join(bootId));
      const incarnation = memberOf(begun, 'n1')?.incarnation ?? 0;
      const results = [{ ...started(resource), resultId: bootId }];
      return execute(
        begun,
        { type: 'record-results', node: 'n1', incarnation, results, handedOut: new Set(['a']) },
        { ...LEAVE, incarnation },
      );
    };
    const boots = Array.from({ length: 100 }, (_, index) => `boot-${String(index)}`);
    const many = boots.reduce((state, boot, index) => left(state, boot, index === 0 ? 'db' : 'web'), execute(maintained, LEAVE));

    it('stays held, and does not grow', () => {
      expect(leftRunning(many)).toEqual([{ node: 'n1', resources: ['db', 'web'] }]);
      expect(JSON.stringify(memberOf(many, 'n1')?.leftRunning).length).toBeLessThan(1_000);
    });

    it('is over for the newest boots when they are back; for the others only a person can say so, or a fence device', () => {
      const held = [{ node: 'n1', resources: ['db', 'web'] }];
      for (const boot of ['boot-0', 'boot-99', 'boot-100']) expect(leftRunning(execute(many, join(boot)))).toEqual(held);
      expect(leftRunning(execute(many, { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 }))).toEqual(held);
      const newest = left(many, 'boot-100', 'late');
      expect(leftRunning(newest)).toEqual([{ node: 'n1', resources: ['db', 'web', 'late'] }]);
      expect(leftRunning(execute(newest, join('boot-100')))).toEqual(held);
      expect(leftRunning(execute(many, { type: 'confirm-node-down', node: 'n1' }))).toEqual([]);
    });
  });

  it('is worked out where an agent left before that was recorded', () => {
    expect(leftRunning(append(maintained, { type: 'NodeLeft', data: { node: 'n1', incarnation: 1 } }))).toEqual([
      { node: 'n1', resources: ['db'] },
    ]);
  });

  it('keeps a cluster that is stopped from being deleted, and the node configured', () => {
    const away = execute(maintained, ...['n2', 'n3'].map((node) => ({ ...LEAVE, node })), LEAVE);
    expect(mayRunAnything(away)).toBe(true);
    expect(awayNodes(away)).toEqual(['n1']);
    const none =
      '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/><resources/><constraints/></configuration></cib>';
    expect(configuredNodes(execute(away, { type: 'replace-configuration', cib: none }).cib).map(({ name }) => name)).toEqual(['n1']);
  });

  it('need not be stopped before the node joins again, unless it runs elsewhere', () => {
    const managed = execute(execute(maintained, LEAVE), configured('false'));
    const joins = (state: ClusterState) =>
      decide({ type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000, active: ['db'], lastIncarnation: 1 }, state);
    expect(joins(managed).ok).toBe(true);
    const results = [started('db')];
    const handedOut = new Set(results.map(({ actionId }) => actionId));
    const twice = execute(managed, { type: 'record-results', node: 'n2', incarnation: 1, results, handedOut });
    expect(joins(twice)).toMatchObject({ ok: false, rejection: { code: 'declared-down' } });
  });
});

describe('what an agent says to run unmanaged', () => {
  const DB = primitive('db') + primitive('web');
  const boot = (node: string, bootId: string, claimed: readonly string[]): JoinNode => ({
    ...{ type: 'join-node', agentVersion: '1', leaseMs: 5000, machineId: 'm' },
    ...{ node, bootId, active: claimed, unmanaged: claimed },
  });
  const heard = (state: ClusterState, node: string, result: ReportedResult): ClusterState => {
    const incarnation = memberOf(state, node)?.incarnation ?? 0;
    return execute(state, { type: 'record-results', node, incarnation, results: [result], handedOut: new Set(['a']) });
  };
  const probed = (id: string, rc = 7): ReportedResult => ({ ...started(id), operation: 'monitor', rc });
  const ends = (state: ClusterState, node: string): readonly (readonly [string, ClusterState])[] => {
    const incarnation = memberOf(state, node)?.incarnation ?? 0;
    return [
      ['leaves', execute(state, { type: 'leave-node', node, incarnation })],
      ['leaves with nothing', execute(state, { type: 'leave-node', node, incarnation, active: [] })],
      ['is lost', execute(state, { type: 'lose-lease', node, incarnation, expiredAt: 'x' })],
      ['is of an earlier epoch', execute(state, { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'r', by: 'b' })],
    ];
  };
  const held = (state: ClusterState, node: string): Readonly<Record<string, readonly string[]>> =>
    Object.fromEntries(ends(state, node).map(([how, after]) => [how, leftBy(after, node)]));
  const leftBy = (state: ClusterState, of: string): readonly string[] =>
    leftRunning(state).flatMap(({ node, resources }) => (node === of ? resources : []));
  const nothing = { leaves: [], 'leaves with nothing': [], 'is lost': [], 'is of an earlier epoch': [] };
  const all = (...ids: readonly string[]) => ({ leaves: ids, 'leaves with nothing': [], 'is lost': ids, 'is of an earlier epoch': ids });

  it('is not held where it runs elsewhere, or is nothing that there is', () => {
    const state = execute(running(['db'], { resources: DB }), boot('n2', 'boot', ['db', 'nonsense', '__proto__']));
    expect(memberOf(state, 'n2')?.spared ?? {}).toEqual({});
    expect(held(state, 'n2')).toEqual(nothing);
  });

  it('is held where it may run as far as the log knows, until it is known to run elsewhere', () => {
    const state = execute(running([], { resources: DB }), boot('n2', 'boot', ['db', 'web']));
    expect(held(state, 'n2')).toEqual(all('db', 'web'));
    expect(held(heard(state, 'n1', started('db')), 'n2')).toEqual(all('web'));
    expect(held(planned(heard(heard(state, 'n2', probed('db')), 'n1', started('db'))), 'n2')).toEqual(all('web'));
  });

  it('is held though it is not configured any more, as long as its history is there', () => {
    const state = heard(running([], { resources: DB }), 'n2', started('orphan'));
    expect(held(execute(state, boot('n2', 'boot', ['orphan'])), 'n2')).toEqual(all('orphan'));
  });

  it('is held through another life though it is not configured, as what it left running', () => {
    const maintained = heard(running([], { resources: DB, options: option('maintenance-mode', 'true') }), 'n2', started('orphan'));
    const left = execute(maintained, { type: 'leave-node', node: 'n2', incarnation: 1 });
    expect(held(execute(left, boot('n2', 'boot', ['orphan'])), 'n2')).toEqual(all('orphan'));
  });

  it('is nothing that runs elsewhere, though its agent puts its node into maintenance and a transition is under way', () => {
    const state = heard(heard(running(['db'], { resources: DB }), 'n2', probed('db')), 'n2', probed('web', 5));
    const on = { type: 'set-node-attribute', node: 'n2', name: 'maintenance', value: 'true', lifetime: 'reboot', agent: 'n2' } as const;
    const maintained = planned(heard(execute(state, on), 'n1', started('web')));
    expect(held(maintained, 'n2')).toEqual(nothing);
  });

  it('is held where it came to by a live migration, until it was stopped there', () => {
    const came = { ...started('db'), operation: 'migrate_from', migrateSource: 'n1', migrateTarget: 'n2', callId: 2 };
    const maintained = running([], { resources: DB, options: option('maintenance-mode', 'true') });
    const there = heard(heard(maintained, 'n2', probed('db')), 'n2', came);
    expect(leftBy(execute(there, { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: 'x' }), 'n2')).toEqual(['db']);
    const stopped = heard(there, 'n2', { ...started('db'), operation: 'stop', callId: 3 });
    expect(held(stopped, 'n2')).toEqual(nothing);
  });

  it('is held where it may be on its way from where it ran', () => {
    const movable = primitive('db', meta('db', '<nvpair id="mv" name="allow-migrate" value="true"/>'));
    const state = heard(running(['db'], { resources: movable, options: option('maintenance-mode', 'true') }), 'n2', probed('db'));
    expect(held(planned(state), 'n2')).toEqual(all('db'));
    expect(held(state, 'n2')).toEqual(nothing);
  });
});

const configured = (maintenance: string): ClusterCommand => ({
  type: 'replace-configuration',
  cib:
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config>' +
    `<cluster_property_set id="o">${option('maintenance-mode', maintenance)}</cluster_property_set></crm_config><nodes/>` +
    `<resources>${primitive('db')}${primitive('web')}</resources><constraints/></configuration></cib>`,
});

describe('what a node that was lost runs on with', () => {
  it('stays held when another boot is let in, however young that is', () => {
    const options = option('maintenance-mode', 'true') + option('stonith-enabled', 'false');
    const boot = (bootId: string): ClusterCommand => ({
      type: 'join-node',
      node: 'n1',
      agentVersion: '1',
      leaseMs: 5000,
      machineId: 'm',
      bootId,
    });
    const begun = execute(running([], { resources: primitive('db'), options }), {
      ...boot('boot-1'),
      onLeaseLoss: 'stop',
    } as ClusterCommand);
    const ran = execute(begun, { type: 'record-results', node: 'n1', incarnation: 2, results: [started('db')], handedOut: new Set(['a']) });
    const lost = execute(ran, { type: 'lose-lease', node: 'n1', incarnation: 2, expiredAt: 'x' });
    const other = execute(lost, { ...boot('boot-2'), uptimeMs: 4_000 } as ClusterCommand);
    expect(leftRunning(other)).toEqual([{ node: 'n1', resources: ['db'] }]);
    const again = execute(other, { type: 'lose-lease', node: 'n1', incarnation: 3, expiredAt: 'x' });
    expect(leftRunning(again)).toEqual([{ node: 'n1', resources: ['db'] }]);
    expect(leftRunning(execute(again, { type: 'confirm-node-down', node: 'n1' }))).toEqual([]);
  });

  const lose = (state: ClusterState): ClusterState =>
    execute(state, { type: 'lose-lease', node: 'n1', incarnation: memberOf(state, 'n1')?.incarnation ?? 0, expiredAt: 'x' });
  const managed = running(['db'], { resources: primitive('db') + primitive('web') });
  const maintained = execute(managed, configured('true'));
  const over = execute(maintained, configured('false'));
  const shown = (state: ClusterState, version: number, unmanaged?: readonly string[]) =>
    knownManaged(state, 'c', 'n1', { shown: { epoch: 'c', version, hash: 'h' }, unmanaged });

  it('is what was not managed then, whatever becomes of the configuration, until it joins, was fenced or is confirmed down', () => {
    const lost = lose(maintained);
    expect(leftRunning(lost)).toEqual([{ node: 'n1', resources: ['db'] }]);
    expect(leftRunning(execute(lost, configured('false')))).toEqual([{ node: 'n1', resources: ['db'] }]);
    expect(leftRunning(execute(lost, { type: 'confirm-node-down', node: 'n1' }))).toEqual([]);
    expect(leftRunning(execute(lost, { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 }))).toEqual([]);
    expect(leftRunning(lose(managed))).toEqual([]);
  });

  it('is also what is managed again, and its agent may not know', () => {
    expect(leftRunning(lose(over))).toEqual([{ node: 'n1', resources: ['db'] }]);
    for (const known of [shown(over, over.version - 1, []), shown(over, over.version, ['db']), shown(over, over.version)])
      expect(known).toEqual([]);
    expect(shown(over, over.version, [])).toEqual(['db']);
    const told = execute(over, { type: 'note-managed', node: 'n1', incarnation: 1, resources: ['db', 'web'] });
    expect(leftRunning(lose(told))).toEqual([]);
    expect(decide({ type: 'note-managed', node: 'n1', incarnation: 1, resources: ['db'] }, told)).toEqual({ ok: true, events: [] });
  });

  it('is what it joined with, as long as it may take that for not managed', () => {
    const join = { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000, lastIncarnation: 1 } as const;
    const back = execute(over, { ...join, active: ['db', 'web'], unmanaged: ['db', 'gone'] });
    expect(leftRunning(lose(back))).toEqual([{ node: 'n1', resources: ['db'] }]);
    expect(shown(back, back.version, [])).toEqual(['db']);
    expect(leftRunning(lose(execute(over, { ...join, active: ['db'] })))).toEqual([]);
  });

  it('is what its agent was told before the history of it was deleted', () => {
    expect(leftRunning(lose(execute(maintained, { type: 'refresh-resource', resource: 'db' })))).toEqual([
      { node: 'n1', resources: ['db'] },
    ]);
  });

  it('may be what was being started, though the history says that it was not active', () => {
    const probed = { ...started('web'), operation: 'monitor', rc: 7 };
    const looked = execute(managed, { type: 'record-results', node: 'n1', incarnation: 1, results: [probed], handedOut: new Set(['a']) });
    const held = [{ node: 'n1', resources: ['db', 'web'] }];
    expect(leftRunning(lose(execute(planned(looked), configured('true'))))).toEqual(held);
    expect(leftRunning(lose(execute(planned(looked), configured('true'), configured('false'))))).toEqual(held);
    expect(leftRunning(lose(execute(looked, configured('true'))))).toEqual([{ node: 'n1', resources: ['db'] }]);
    expect(leftRunning(lose(planned(looked)))).toEqual([]);
  });

  it('is the same for a node that comes out of maintenance', () => {
    const of = { node: 'n1', name: 'maintenance', lifetime: 'forever' } as const;
    const state = execute(managed, { type: 'set-node-attribute', ...of, value: 'true' }, { type: 'clear-node-attribute', ...of });
    expect(leftRunning(lose(state))).toEqual([{ node: 'n1', resources: ['db'] }]);
  });
});
