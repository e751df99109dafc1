import { readCib, readingOf } from '@systole/cib';
import { leaves, readState, run, type ClusterNode, type GraphAction, type Resource } from '@systole/scheduler';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportedResult } from '../commands/agent-command.js';
import { toAgentAction } from '../engine/agent-action.js';
import { agentParameters, fencingDevices, onNode } from '../fencing/device.js';
import { leaseVerdict } from '../lease/lease.js';
import { unmanagedResources } from '../lease/unmanaged.js';
import { countQuorum } from '../quorum/quorum.js';
import { append, EPOCH, execute, planned, threeNodes } from '../testing/stream.js';
import { initialState, type ClusterState } from './cluster-state.js';
import { configuredNodes } from './configuration.js';
import { nodeAttributesOf } from './node-attributes.js';

describe('the cluster reads its configuration as the scheduler does', () => {
  it('where two sets of options disagree about fencing', () => {
    const twoSets = threeNodes({
      options:
        '<nvpair id="a" name="fencing-enabled" value="true"/></cluster_property_set>' +
        '<cluster_property_set id="strong" score="100"><nvpair id="b" name="fencing-enabled" value="false"/>',
    });
    expect(readState(readCib(twoSets.cib), { now: EPOCH / 1000 }).options.fencingEnabled).toBe(false);
    expect(leaseVerdict(twoSets, 'n1', 1000, 1000, EPOCH).type).toBe('expired');
  });

  it('where a fence device takes its parameters from elsewhere', () => {
    const state = threeNodes({
      resources:
        '<template id="t" class="stonith" type="fence_test"><instance_attributes id="shared"><nvpair id="p" name="passwd" value="secret"/>' +
        '</instance_attributes></template><primitive id="f" class="stonith" type="fence_test"><instance_attributes id-ref="shared"/></primitive>',
    });
    const [device] = fencingDevices(state.cib, EPOCH);
    expect(device && agentParameters(device, 'n3', 'off')).toMatchObject({ passwd: 'secret' });
  });
});

/** Moments at which the rules of generated documents turn, epoch seconds, and their neighbours. */
const START = Date.UTC(2026, 5, 1) / 1000;
const MOMENTS = [START - 1, START, START + 1, START + 3600, START + 3601, START + 86_400];

/** What stands for an id in generated text; each occurrence gets one of its own. */
const ID = 'ID!';

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const maybe = (text: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(fc.constant(''), text);
const joined = (one: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> =>
  fc.array(one, { maxLength: most }).map((all) => all.join(''));

const dates = pick(
  '<date_expression id="ID!" operation="gt" start="2026-06-01"/>',
  '<date_expression id="ID!" operation="lt" end="2026-06-01"/>',
  '<date_expression id="ID!" operation="in_range" start="2026-06-01" end="2026-06-01T01:00:00Z"/>',
  '<date_expression id="ID!" operation="date_spec"><date_spec id="ID!" hours="0"/></date_expression>',
  '<date_expression id="ID!" operation="gt" start="nonsense"/>',
);
/** Conditions that mean something in a kind of sets, besides the time. */
const CONDITIONS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  instance_attributes: pick(
    '<expression id="ID!" attribute="#uname" operation="eq" value="n1"/>',
    '<expression id="ID!" attribute="site" operation="defined"/>',
  ),
  meta_attributes: pick(
    '<rsc_expression id="ID!" class="ocf" type="Dummy"/>',
    '<rsc_expression id="ID!" class="stonith"/>',
    '<op_expression id="ID!" name="stop"/>',
  ),
};

function ruleIn(kind: string): fc.Arbitrary<string> {
  const one = fc.oneof(dates, CONDITIONS[kind] ?? dates);
  return fc.tuple(pick('', ' boolean-op="or"'), joined(one, 2)).map(([operator, inner]) => `<rule id="ID!"${operator}>${inner}</rule>`);
}

const scores = pick('', '', ' score="10"', ' score="INFINITY"', ' score="-5"', ' score="x"', ' score="yellow"');

/** Sets of one kind: scores, rules, references to the sets that stand in the document's library, wrong and repeated names. */
function sets(kind: string, pairs: fc.Arbitrary<readonly [string, string]>): fc.Arbitrary<string> {
  const pair = fc.oneof(
    { weight: 5, arbitrary: pairs.map(([name, value]) => `<nvpair id="ID!" name="${name}" value="${value}"/>`) },
    fc.constant(`<nvpair id-ref="lib-${kind}-pair" name="other"/>`),
    fc.constant('<nvpair id-ref="nowhere" name="other"/>'),
  );
  const own = fc
    .tuple(scores, maybe(ruleIn(kind)), joined(pair, 3))
    .map(([score, condition, inner]) => `<${kind} id="ID!"${score}>${condition}${inner}</${kind}>`);
  return joined(fc.oneof({ weight: 4, arbitrary: own }, fc.constant(`<${kind} id-ref="lib-${kind}"/>`)), 3);
}

const booleans = pick('true', 'FALSE', 'yes', '0', 'maybe', '#default');
const options = fc.oneof(
  fc.tuple(
    pick('fencing-enabled', 'stonith-enabled', 'maintenance-mode', 'start-failure-is-fatal', 'have-watchdog', 'stop-all-resources'),
    booleans,
  ),
  fc.tuple(pick('cluster-delay', 'stonith-timeout', 'fencing-timeout'), pick('5s', 'PT2M', 'soon', '-1')),
  fc.tuple(pick('systole-expected-votes'), pick('5', 'x')),
  fc.tuple(pick('node-health-strategy'), pick('only-green', 'custom', 'none')),
  fc.tuple(pick('cluster-name'), pick('east', 'west')),
);
const meta = fc.oneof(
  fc.tuple(pick('is-managed', 'maintenance'), fc.oneof(booleans, pick('default'))),
  fc.tuple(pick('target-role'), pick('Stopped', 'Started', 'stopped', 'x')),
  fc.tuple(pick('provides'), pick('unfencing', 'x')),
);
const operationMeta = fc.tuple(pick('timeout'), pick('7s', '8s', 'PT1M', '2min', 'never', '0'));
const parameters = fc.tuple(pick('passwd', 'ip', 'pcmk_host_list'), pick('a', 'n1 n2', '#default'));
const attributes = fc.tuple(pick('standby', 'maintenance', 'site', 'site-name', '#site-name'), fc.oneof(booleans, pick('here')));

const operations = maybe(
  joined(
    fc
      .tuple(
        pick('stop', 'stop', 'start'),
        pick('0', '0s', '10s'),
        pick('', ' timeout="90s"', ' timeout="x"', ' enabled="false"'),
        sets('meta_attributes', operationMeta),
      )
      .map(([name, interval, more, inner]) => `<op id="ID!" name="${name}" interval="${interval}"${more}>${inner}</op>`),
    2,
  ).map((ops) => `<operations>${ops}</operations>`),
);
const inside = fc
  .tuple(sets('meta_attributes', meta), sets('instance_attributes', parameters), operations)
  .map(([metas, instances, ops]) => metas + instances + ops);
const AGENTS = ['class="ocf" provider="systole" type="Dummy"', 'class="stonith" type="fence_test"'] as const;

interface Generated {
  readonly xml: string;
  readonly primitives: readonly { readonly id: string; readonly fences: boolean }[];
}

function primitive(id: string): fc.Arbitrary<Generated> {
  return fc.tuple(fc.boolean(), fc.boolean(), inside).map(([fences, template, inner]) => ({
    xml: template
      ? `<primitive id="${id}" template="${fences ? 't1' : 't0'}">${inner}</primitive>`
      : `<primitive id="${id}" ${AGENTS[fences ? 1 : 0]}>${inner}</primitive>`,
    primitives: [{ id, fences }],
  }));
}

function within(element: string, id: string, members: readonly fc.Arbitrary<Generated>[]): fc.Arbitrary<Generated> {
  return fc.tuple(sets('meta_attributes', meta), fc.tuple(...members)).map(([own, generated]) => ({
    xml: `<${element} id="${id}">${own}${generated.map(({ xml }) => xml).join('')}</${element}>`,
    primitives: generated.flatMap(({ primitives }) => primitives),
  }));
}

const resources: fc.Arbitrary<Generated> = fc
  .tuple(inside, inside, primitive('a'), within('group', 'g', [primitive('b'), primitive('c')]), within('clone', 'k', [primitive('d')]))
  .map(([plain, fencing, ...tree]) => ({
    xml: `<template id="t0" ${AGENTS[0]}>${plain}</template><template id="t1" ${AGENTS[1]}>${fencing}</template>${tree.map(({ xml }) => xml).join('')}`,
    primitives: tree.flatMap(({ primitives }) => primitives),
  }));

/** What references lead to. */
const LIBRARY = (['cluster_property_set', 'meta_attributes', 'instance_attributes'] as const)
  .map((kind) => {
    const name = { cluster_property_set: 'fencing-enabled', meta_attributes: 'is-managed', instance_attributes: 'passwd' }[kind];
    return `<${kind} id="lib-${kind}" score="1"><nvpair id="lib-${kind}-pair" name="${name}" value="false"/></${kind}>`;
  })
  .join('');

const clusters = fc
  .record({
    options: sets('cluster_property_set', options),
    bootstrap: sets('cluster_property_set', options).map((xml) => xml.replace('id="ID!"', 'id="cib-bootstrap-options"')),
    permanent: fc.tuple(sets('instance_attributes', attributes), sets('instance_attributes', attributes)),
    resources,
    resourceDefaults: sets('meta_attributes', meta),
    operationDefaults: sets('meta_attributes', operationMeta),
    transient: fc.array(attributes, { maxLength: 3 }),
  })
  .map((parts) => {
    let ids = 0;
    const [first, second] = parts.permanent;
    const xml = (
      `<cib validate-with="none" crm_feature_set="3.20.5" have-quorum="1" dc-uuid="2" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config>` +
      `${parts.options}${parts.bootstrap}</crm_config><nodes><node id="1" uname="n1">${first}</node><node id="2" uname="n2">${second}</node>` +
      `<node id="3" uname="r" type="remote"/></nodes><resources>${parts.resources.xml}</resources><constraints/>` +
      `<rsc_defaults>${parts.resourceDefaults}</rsc_defaults><op_defaults>${parts.operationDefaults}</op_defaults><acls>${LIBRARY}</acls></configuration><status/></cib>`
    ).replaceAll(ID, () => `i${String(ids++)}`);
    return { xml, primitives: parts.resources.primitives, transient: parts.transient };
  });

/** The cluster of a document, n1 and n2 joined; everything runs on n1. */
function stateOf({ xml, primitives, transient }: typeof clusters extends fc.Arbitrary<infer T> ? T : never): ClusterState {
  const joinedState = execute(
    append(initialState(), { type: 'ClusterCreated', data: { name: 'c', cib: xml } }),
    { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 },
    { type: 'join-node', node: 'n2', agentVersion: '1', leaseMs: 5000 },
  );
  const results = primitives.map(({ id, fences }, index): ReportedResult => ({
    resultId: id,
    actionId: `a${String(index)}`,
    transitionKey: `${String(index)}:1:0:c`,
    resource: {
      id,
      historyId: id,
      ...(fences ? { class: 'stonith', type: 'fence_test' } : { class: 'ocf', provider: 'systole', type: 'Dummy' }),
    },
    operation: 'start',
    intervalMs: 0,
    status: 'done',
    rc: 0,
    callId: index + 1,
    startedAt: 1,
    execMs: 1,
    queueMs: 0,
    recurring: false,
  }));
  return execute(
    joinedState,
    { type: 'record-results', node: 'n1', incarnation: 1, results },
    ...transient.map(([name, value]) => ({ type: 'set-node-attribute', node: 'n1', name, value, lifetime: 'reboot' }) as const),
  );
}

/** The scheduler's answers to what the cluster library asks. */
function bothRead(state: ClusterState, now: number): void {
  const ms = now * 1000;
  const cluster = readState(readCib(state.cib), { now });
  const reading = readingOf(state.cib, ms);
  const read = reading.options;

  const { fencingEnabled, maintenanceMode, startFailureIsFatal, haveWatchdog, fencingTimeout, clusterDelay, healthWords, clusterName } =
    cluster.options;
  expect({
    fencingEnabled: read.flag('fencing-enabled'),
    maintenanceMode: read.flag('maintenance-mode'),
    startFailureIsFatal: read.flag('start-failure-is-fatal'),
    haveWatchdog: read.flag('have-watchdog'),
    fencingTimeout: read.text('fencing-timeout'),
    clusterDelay: read.text('cluster-delay'),
    healthWords: read.healthWords,
    clusterName: read.text('cluster-name'),
  }).toEqual({
    fencingEnabled,
    maintenanceMode,
    startFailureIsFatal,
    haveWatchdog,
    fencingTimeout,
    clusterDelay,
    healthWords,
    clusterName,
  });
  expect(leaseVerdict(state, 'n1', 0, 0, ms).type).toBe(fencingEnabled ? 'lost' : 'expired');
  expect(countQuorum(state, ['n1', 'n2'], ms).expectedVotes).toBe(read.count('systole-expected-votes') ?? 2);

  const members = cluster.nodes.filter(({ remoteType }) => !remoteType);
  expect(configuredNodes(state.cib).map(({ name }) => name)).toEqual(members.map(({ name }) => name));
  const sorted = (map: ReadonlyMap<string, string>): readonly unknown[] => [...map].sort();
  for (const node of members) expect(sorted(nodeAttributesOf(state, node.name, ms))).toEqual(sorted(node.attributes));

  const all = cluster.resources.flatMap((top) => [...leaves(top)]);
  expect([...unmanagedResources(state, 'n1', ms)].sort()).toEqual(unmanagedOn('n1', all));
  const devices = new Set(all.filter(({ fenceDevice }) => fenceDevice).map(({ xmlId }) => xmlId));
  expect(
    fencingDevices(state.cib, ms)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...devices].sort());

  // What an agent is asked to do comes out of the same plan as what a fence device is given.
  const asPlanned = planned(state, now);
  for (const { action } of run(readCib(state.cib), { now }).graph.synapses) compareAction(asPlanned, action, ms, members);
}

function unmanagedOn(node: string, all: readonly Resource[]): readonly string[] {
  return all
    .filter(({ managed, activeOn }) => !managed && activeOn.some(({ name }) => name === node))
    .map(({ xmlId }) => xmlId)
    .sort();
}

function compareAction(state: ClusterState, action: GraphAction, now: number, members: readonly ClusterNode[]): void {
  const { primitive: agent, operation, node } = action;
  if (agent === undefined || node === undefined) return;
  const asked = toAgentAction(action, { epoch: 'c', transition: 1, cib: state.cib, now });
  if (operation === 'stop') expect(asked.stopTimeoutMs).toBe(Number(action.attributes['CRM_meta_timeout']));
  const device = fencingDevices(state.cib, now).find(({ id }) => id === agent.id);
  if (device === undefined || !members.some(({ name }) => name === node.name) || (operation !== 'start' && operation !== 'monitor')) return;
  expect(onNode(state, device, node.name).parameters).toEqual(asked.parameters);
}

describe('any configuration', () => {
  it('says the same to the scheduler and to the cluster, at any time and in any order of times', () => {
    fc.assert(
      fc.property(clusters, fc.array(pick(...MOMENTS), { minLength: 1, maxLength: 4 }), (generated, moments) => {
        const state = stateOf(generated);
        for (const now of moments) bothRead(state, now);
      }),
      { numRuns: 150 },
    );
  });
});
