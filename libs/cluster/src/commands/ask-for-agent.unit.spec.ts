import { AGENT_WRITES, CLUSTER_OPTIONS, serializeXml, type ClusterOptionDefinition } from '@systole/cib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import { startedResult } from '../testing/started.js';
import type { AskedByTool, ClusterCommand } from './cluster-command.js';
import { decide } from './decide.js';

const NOW = Date.parse('2026-11-24T13:04:40Z') / 1_000;
const dummy = (id: string): string => `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"/>`;

/** `db` runs on n1, `web` on n2; nothing is known of `idle`. */
function cluster(writes?: string, more = ''): ClusterState {
  const started = (id: string, node: string): ClusterCommand => ({
    type: 'record-results',
    node,
    incarnation: 1,
    results: [startedResult(id, { resultId: `${id}-${node}` })],
  });
  const options = (writes === undefined ? '' : option('systole-agent-writes', writes)) + more;
  const state = threeNodes({ options, resources: ['db', 'web', 'idle'].map(dummy).join('') });
  return execute(state, started('db', 'n1'), started('web', 'n2'));
}

const by = (command: AskedByTool, node = 'n1', incarnation = 1): ClusterCommand => ({ type: 'ask-for-agent', node, incarnation, command });

/** `accepted`, or why not. */
function outcome(command: AskedByTool, state: ClusterState, node = 'n1'): string {
  const decision = decide(by(command, node), state);
  return decision.ok ? 'accepted' : decision.rejection.code;
}

const setOption = (name: string, value = '1', more: object = {}): AskedByTool => ({
  type: 'set-section-value',
  section: 'crm_config',
  name,
  value,
  ...more,
});
const modify = (xml: string): AskedByTool => ({ type: 'change-document', changes: [{ operation: 'modify', xml }] });

/** Of every kind of request what a node is granted by each word alone; by none of them: the words are not enough for it. Kinds that are forgotten here do not compile. */
const GRANTS: {
  readonly [Type in AskedByTool['type']]: readonly (readonly [Extract<AskedByTool, { readonly type: Type }>, readonly string[]])[];
} = {
  'set-section-value': [
    [{ type: 'set-section-value', section: 'crm_config', name: 'redis_REPL_INFO', value: 'n1' }, ['options', 'configuration']],
    [{ type: 'set-section-value', section: 'crm_config', name: 'stonith-enabled', value: 'false' }, ['configuration']],
    [{ type: 'set-section-value', section: 'crm_config', name: 'cluster-name', value: 'x' }, ['configuration']],
    [{ type: 'set-section-value', section: 'crm_config', name: 'systole-agent-writes', value: 'none' }, []],
    [{ type: 'set-section-value', section: 'rsc_defaults', name: 'resource-stickiness', value: '1' }, ['configuration']],
    [{ type: 'set-section-value', section: 'op_defaults', name: 'timeout', value: '20s' }, ['configuration']],
  ],
  'set-resource-value': [
    [{ type: 'set-resource-value', resource: 'db', kind: 'utilization', name: 'cpu', value: '2' }, ['own', 'configuration']],
    [{ type: 'set-resource-value', resource: 'web', kind: 'utilization', name: 'cpu', value: '2' }, ['configuration']],
    [{ type: 'set-resource-value', resource: 'db', kind: 'instance_attributes', name: 'state', value: '/etc/x' }, ['configuration']],
    [{ type: 'set-resource-value', resource: 'db', kind: 'meta_attributes', name: 'target-role', value: 'Stopped' }, ['configuration']],
  ],
  'set-node-utilization': [
    [{ type: 'set-node-utilization', node: 'n1', name: 'cpu', value: '4' }, ['own', 'configuration']],
    [{ type: 'set-node-utilization', node: 'n2', name: 'cpu', value: '0' }, ['configuration']],
  ],
  'change-document': [
    [{ type: 'change-document', changes: [{ operation: 'modify', xml: '<primitive id="db" description="x"/>' }] }, ['configuration']],
  ],
  'ban-resource': [
    [{ type: 'ban-resource', resource: 'db', node: 'n1', now: NOW }, ['own', 'placement', 'configuration']],
    [{ type: 'ban-resource', resource: 'db', now: NOW }, ['own', 'placement', 'configuration']],
    [{ type: 'ban-resource', resource: 'db', node: 'n2', now: NOW }, ['placement', 'configuration']],
    [{ type: 'ban-resource', resource: 'web', now: NOW }, ['placement', 'configuration']],
    [{ type: 'ban-resource', resource: 'idle', node: 'n1', now: NOW }, ['placement', 'configuration']],
  ],
  'move-resource': [
    [{ type: 'move-resource', resource: 'db', now: NOW }, ['own', 'placement', 'configuration']],
    [{ type: 'move-resource', resource: 'db', node: 'n3', now: NOW }, ['placement', 'configuration']],
    [{ type: 'move-resource', resource: 'web', node: 'n1', now: NOW }, ['placement', 'configuration']],
  ],
  'begin-restart': [[{ type: 'begin-restart', resource: 'db', now: NOW, seconds: 60 }, ['placement', 'configuration']]],
  'end-restart': [[{ type: 'end-restart', resource: 'db' }, ['placement', 'configuration']]],
  'clear-resource': [
    [{ type: 'clear-resource', resource: 'db', node: 'n1', now: NOW }, ['own', 'placement', 'configuration']],
    [{ type: 'clear-resource', resource: 'db', now: NOW }, ['placement', 'configuration']],
    [{ type: 'clear-resource', resource: 'web', node: 'n2', now: NOW }, ['placement', 'configuration']],
  ],
  'fail-resource': [
    [{ type: 'fail-resource', resource: 'db', node: 'n1', now: NOW }, ['own', 'placement']],
    [{ type: 'fail-resource', resource: 'db', node: 'n2', now: NOW }, ['placement']],
  ],
  'clean-up-resource': [
    [{ type: 'clean-up-resource', resource: 'db', node: 'n1' }, ['own', 'placement']],
    [{ type: 'clean-up-resource', resource: 'db' }, ['placement']],
    [{ type: 'clean-up-resource', node: 'n2' }, ['placement']],
  ],
  'refresh-resource': [
    [{ type: 'refresh-resource', node: 'n1' }, ['own', 'placement']],
    [{ type: 'refresh-resource' }, ['placement']],
  ],
  'change-ticket': [[{ type: 'change-ticket', ticket: 'T', granted: true }, ['tickets']]],
  'forget-ticket': [[{ type: 'forget-ticket', ticket: 'T' }, ['tickets']]],
  // Fencing is switched off here: that is asked only of who may fence.
  'fence-node': [[{ type: 'fence-node', node: 'n2' }, ['fencing']]],
  'power-on-node': [[{ type: 'power-on-node', debugId: 'x', node: 'n2' }, ['fencing']]],
  'confirm-node-down': [[{ type: 'confirm-node-down', node: 'n2' }, ['fencing']]],
  'clear-fencing-history': [
    [{ type: 'clear-fencing-history' }, ['fencing']],
    [{ type: 'clear-fencing-history', node: 'n1' }, ['fencing']],
  ],
  'remove-node': [[{ type: 'remove-node', node: 'n3' }, ['nodes']]],
  'set-node-attribute': [
    [{ type: 'set-node-attribute', node: 'n1', name: 'standby', value: 'on', lifetime: 'forever' }, AGENT_WRITES],
    // As with every other way to set attributes: `attribute-reserved` whatever is granted.
    [{ type: 'set-node-attribute', node: 'n2', name: 'standby', value: 'on', lifetime: 'forever' }, []],
    [{ type: 'set-node-attribute', node: 'n2', name: 'terminate', value: 'true', lifetime: 'reboot', agent: 'n2' }, []],
  ],
  'clear-node-attribute': [[{ type: 'clear-node-attribute', node: 'n2', name: 'fail-count-web#start_0', lifetime: 'reboot' }, []]],
};

const REQUESTS = Object.values<readonly (readonly [AskedByTool, readonly string[]])[]>(GRANTS).flat();
const REFUSED: ReadonlySet<string> = new Set(['not-for-this-agent', 'attribute-reserved']);
const isLetThrough = (code: string): boolean => !REFUSED.has(code);

describe('what a tool asks for by the token of a node', () => {
  it.each(REQUESTS.map(([command, words]) => [JSON.stringify(command), command, words] as const))('%s', (_name, command, words) => {
    const letThrough = AGENT_WRITES.filter((word) => isLetThrough(outcome(command, cluster(`${word}@n1`))));
    expect(letThrough).toEqual(AGENT_WRITES.filter((word) => words.includes(word)));
    // Nor by a word that is another node's.
    const ofOthers = AGENT_WRITES.map((word) => `${word}@n2`).join(' ');
    if (words.length < AGENT_WRITES.length) expect(isLetThrough(outcome(command, cluster(ofOthers)))).toBe(false);
  });

  it('is by default what Debian’s agents need, and nothing that another node or the cluster would notice of a stolen token', () => {
    const letThrough = REQUESTS.filter(([command]) => isLetThrough(outcome(command, cluster())));
    expect(letThrough.every(([, words]) => words.includes('own') || words.includes('options'))).toBe(true);
    expect(letThrough.length).toBe(REQUESTS.filter(([, words]) => words.includes('own') || words.includes('options')).length);
  });

  it('is none of the options of the table, by any name that they have', () => {
    const definitions: readonly ClusterOptionDefinition[] = CLUSTER_OPTIONS;
    for (const name of definitions.flatMap(({ name, alias }) => [name, ...(alias === undefined ? [] : [alias])]))
      expect([name, outcome(setOption(name), cluster())]).toEqual([name, 'not-for-this-agent']);
    for (const name of ['systole-anything', 'SYSTOLE_x', 'have-watchdog', 'dc-version'])
      expect(outcome(setOption(name), cluster())).toBe('not-for-this-agent');
  });

  it('changes no option in force, whatever name, set and value it gives', () => {
    const state = cluster(undefined, option('stonith-enabled', 'true'));
    const before = optionsIn(state);
    const text = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('stonith-enabled', 'o', 'o-stonith-enabled', 'cib-bootstrap-options', 'x'),
    );
    fc.assert(
      fc.property(text, text, fc.option(text, { nil: undefined }), (name, value, set) => {
        const decision = decide(by(setOption(name, value, set === undefined ? {} : { set })), state);
        if (!decision.ok) return;
        const after = execute(state, by(setOption(name, value, set === undefined ? {} : { set })));
        for (const [known, is] of before) expect(optionsIn(after).get(known)).toBe(is);
      }),
      { numRuns: 300 },
    );
  });

  it('never changes what agents may have written, however it is put', () => {
    const grants = 'own configuration';
    for (const xml of [
      '<nvpair id="o-systole-agent-writes" value="own configuration fencing"/>',
      '<nvpair id="o-systole-agent-writes" name="other"/>',
      '<cluster_property_set id="o" score="-5"><nvpair id="n" name="systole-agent-writes" value="fencing"/></cluster_property_set>',
      '<crm_config><cluster_property_set id="z" score="99"><nvpair id="n" name="systole-agent-writes" value="fencing"/></cluster_property_set></crm_config>',
    ]) {
      expect([xml, outcome(modify(xml), cluster(grants))]).toEqual([xml, 'not-for-this-agent']);
    }
    const replaced = { type: 'change-document', changes: [{ operation: 'replace', xml: '<crm_config/>' }] } as const;
    expect(outcome(replaced, cluster(grants))).toBe('not-for-this-agent');
    const deleted = { type: 'change-document', changes: [{ operation: 'delete', xml: '<cluster_property_set id="o"/>' }] } as const;
    expect(outcome(deleted, cluster(grants))).toBe('not-for-this-agent');
    expect(outcome(modify('<primitive id="db" description="x"/>'), cluster(grants))).toBe('accepted');
  });

  it('is of a life that lasts only', () => {
    const state = execute(cluster(), { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 });
    expect(decide(by(setOption('x')), state)).toMatchObject({ rejection: { code: 'incarnation-superseded' } });
    expect(decide(by(setOption('x'), 'n9'), state)).toMatchObject({ rejection: { code: 'node-not-found' } });
  });

  it('has an end', () => {
    const many = Array.from({ length: 500 }, (_, index) => option(`x${String(index)}`, '1')).join('');
    expect(outcome(setOption('one-more'), cluster(undefined, many))).toBe('attributes-full');
    expect(outcome(setOption('x7', '2'), cluster(undefined, many))).toBe('accepted');
    expect(outcome(setOption('one', 'v'.repeat(300_000)), cluster())).toBe('attributes-full');
  });

  it('says how it is allowed', () => {
    const decision = decide(by({ type: 'fence-node', node: 'n2' }), cluster());
    expect(decision).toMatchObject({ rejection: { status: 403, message: expect.stringContaining('"fencing@n1"') as string } });
  });
});

function optionsIn({ cib }: ClusterState): ReadonlyMap<string, string> {
  const pairs = serializeXml(cib).matchAll(/<nvpair id="o-[^"]*" name="([^"]*)" value="([^"]*)"/g);
  return new Map([...pairs].map(([, name = '', value = '']) => [name, value]));
}

describe('values that tools write', () => {
  const textAfter = (...commands: readonly ClusterCommand[]): string =>
    serializeXml(execute(cluster(), ...commands).cib).replace(/\n\s*/g, '');
  const set = (section: 'crm_config' | 'rsc_defaults' | 'op_defaults', name: string, value?: string, setId?: string): ClusterCommand => ({
    type: 'set-section-value',
    section,
    name,
    ...(value === undefined ? {} : { value }),
    ...(setId === undefined ? {} : { set: setId }),
  });

  it('go where crm_attribute puts them', () => {
    expect(textAfter(set('op_defaults', 'timeout', '20s'))).toContain(
      '<op_defaults><meta_attributes id="op_defaults-options"><nvpair id="op_defaults-options-timeout" name="timeout" value="20s"/>',
    );
    expect(textAfter(set('rsc_defaults', 'resource-stickiness', '5'))).toContain('<nvpair id="rsc_defaults-options-resource-stickiness"');
    const redis = [set('crm_config', 'R', '1', 'redis_replication'), set('crm_config', 'R', '2')];
    expect(textAfter(...redis)).toContain(
      '<cluster_property_set id="redis_replication"><nvpair id="redis_replication-R" name="R" value="2"/>',
    );
    expect(textAfter(...redis, set('crm_config', 'R', undefined, 'redis_replication'))).toContain(
      '<cluster_property_set id="redis_replication"/>',
    );
  });

  it('are refused when they are surely not meant, and leave no event when they stand there', () => {
    expect(decide(set('crm_config', 'symmetric-cluster', 'perhaps'), cluster())).toMatchObject({
      rejection: { code: 'doubtful-configuration' },
    });
    const state = execute(cluster(), set('crm_config', 'symmetric-cluster', 'true'));
    expect(decide(set('crm_config', 'symmetric-cluster', 'true'), state)).toMatchObject({ ok: true, events: [] });
  });

  it('of resources are of the clone, where it is about a meta-attribute of what stands in one', () => {
    const state = threeNodes({ resources: `<clone id="C">${dummy('c')}</clone>` });
    const of = (kind: 'meta_attributes' | 'instance_attributes', name: string): ClusterCommand => ({
      type: 'set-resource-value',
      resource: 'c',
      kind,
      name,
      value: '1',
    });
    const text = serializeXml(execute(state, of('meta_attributes', 'resource-stickiness'), of('instance_attributes', 'state')).cib);
    expect(text).toContain('id="C-meta_attributes-resource-stickiness"');
    expect(text).toContain('id="c-instance_attributes-state"');
  });

  it('never take away what others refer to, or a node that may run something', () => {
    const constrained = threeNodes({ resources: dummy('db'), constraints: '<rsc_location id="l" rsc="db" node="n1" score="5"/>' });
    const remove = (xml: string): ClusterCommand => ({ type: 'change-document', changes: [{ operation: 'delete', xml }] });
    expect(decide(remove('<primitive id="db"/>'), constrained)).toMatchObject({ ok: false });
    expect(decide(remove('<node id="1"/>'), constrained)).toMatchObject({ rejection: { code: 'still-active' } });
    expect(decide(remove('<rsc_location id="l"/>'), constrained)).toMatchObject({ ok: true, events: [{ type: 'ConfigurationChanged' }] });
  });

  it('of tickets are kept and taken away, but for those that the cluster writes', () => {
    const ticket = (attributes: Readonly<Record<string, string | null>>): ClusterCommand => ({
      type: 'change-ticket',
      ticket: 'T',
      attributes,
    });
    expect(textAfter(ticket({ owner: 'me', site: 'a' }), ticket({ owner: null }))).toContain('<ticket_state id="T" site="a"/>');
    expect(decide(ticket({ 'last-granted': '1' }), cluster())).toMatchObject({ rejection: { code: 'invalid-argument' } });
    expect(decide(ticket({ owner: null }), cluster())).toMatchObject({ ok: true, events: [] });
  });
});
