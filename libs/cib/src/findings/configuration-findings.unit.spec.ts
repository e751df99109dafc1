import { describe, expect, it } from 'vitest';
import { readCib } from '../document/cib.js';
import { firstChildNamed } from '../xml/element.js';
import { configurationFindings, findingsOf } from './configuration-findings.js';
import { findingKey, type ConfigurationFinding } from './finding.js';

interface Written {
  readonly options?: string;
  readonly set?: string;
  readonly resources?: string;
  readonly constraints?: string;
  readonly more?: string;
}

const cib = ({ options = '', set = 'cib-bootstrap-options', resources = '', constraints = '', more = '' }: Written): string =>
  '<cib validate-with="pacemaker-4.0" epoch="0" num_updates="0" admin_epoch="0">\n' +
  `<configuration><crm_config><cluster_property_set id="${set}">${options}</cluster_property_set></crm_config><nodes/>\n` +
  `<resources>${resources}</resources>\n<constraints>${constraints}</constraints>${more}</configuration><status/></cib>`;
const found = (written: Written): readonly ConfigurationFinding[] => {
  const configuration = firstChildNamed(readCib(cib(written)).document, 'configuration');
  return configuration === undefined ? [] : configurationFindings(configuration);
};
const pair = (name: string, value: string, id = 'x'): string => `<nvpair id="${id}" name="${name}" value="${value}"/>`;
const meta = (name: string, value: string): string => `<meta_attributes id="m">${pair(name, value)}</meta_attributes>`;
const db = (inside: string, attributes = 'class="ocf" provider="p" type="Db"'): string =>
  `<primitive id="db" ${attributes}>${inside}</primitive>`;
const op = (attributes: string, id = 'o'): string => `<op id="${id}" ${attributes}/>`;
const operations = (...ops: readonly string[]): string => db(`<operations>${ops.join('')}</operations>`);

/** Where a pair may stand, by the owner of its set. */
const PLACES: Readonly<Record<string, (name: string, value: string) => Written>> = {
  options: (name, value) => ({ options: pair(name, value) }),
  primitive: (name, value) => ({ resources: db(meta(name, value)) }),
  group: (name, value) => ({ resources: `<group id="g">${meta(name, value)}${db('')}</group>` }),
  clone: (name, value) => ({ resources: `<clone id="c">${meta(name, value)}${db('')}</clone>` }),
  template: (name, value) => ({ resources: `<template id="t" class="lsb" type="x">${meta(name, value)}</template>` }),
  op: (name, value) => ({ resources: db(`<operations><op id="o" name="monitor" interval="10s">${meta(name, value)}</op></operations>`) }),
  rsc_defaults: (name, value) => ({ more: `<rsc_defaults>${meta(name, value)}</rsc_defaults>` }),
  op_defaults: (name, value) => ({ more: `<op_defaults>${meta(name, value)}</op_defaults>` }),
};
const at = (place: string, name: string, value: string): Written => PLACES[place]?.(name, value) ?? {};

describe('findings in a configuration', () => {
  it.each([
    ['a mark that turns the direction', 'n1\u202e', 'U+202E', 'n1\\u{202e}'],
    ['what has no width', 'n\u200b1', 'U+200B', 'n\\u{200b}1'],
    ['a byte order mark', '\ufeffn1', 'U+FEFF', '\\u{feff}n1'],
    ['a control character', 'n1\u009b', 'U+009B', 'n1\\u{9b}'],
    ['a letter that is shown as nothing', 'n\u31641', 'U+3164', 'n\\u{3164}1'],
    ['a letter of braille without dots', 'n\u28001', 'U+2800', 'n\\u{2800}1'],
    ...['115f', '1160', 'ffa0', '17b4', '17b5', '180e'].map((hex): [string, string, string, string] => {
      const name = `n${String.fromCharCode(parseInt(hex, 16))}1`;
      return [`a letter that is shown as nothing (${hex})`, name, `U+${hex.toUpperCase()}`, `n\\u{${hex}}1`];
    }),
    ['a tag character', 'n1\u{e0041}', 'U+E0041', 'n1\\u{e0041}'],
    ['a blank that is none', 'n\u00a01', 'U+00A0', 'n\\u{a0}1'],
    ['an end of a line', 'n&#10;1', 'U+000A', 'n\\u{a}1'],
  ])('are names with %s, which look like others', (_, name, character, shown) => {
    const constraints = `<rsc_ticket id="t" rsc="db" ticket="${name}"/>`;
    for (const findings of [found({ constraints }), found({ more: `<tags><tag id="t"><obj_ref id="${name}"/></tag></tags>` })]) {
      expect(findings).toMatchObject([{ kind: 'unseen-character', level: 'error' }]);
      expect(findings[0]?.message).toContain(`"${shown}" holds ${character}`);
    }
    expect(
      found({ resources: db(`<instance_attributes id="i">${pair('x', name)}</instance_attributes>`, 'class="lsb" type="x"') }),
    ).toEqual([]);
  });

  it('are no names that other scripts are written in', () => {
    for (const name of ['söhne', 'e\u0301', '数据库', 'база данных', 'कार्य', 'قاعدة'])
      expect(found({ constraints: `<rsc_ticket id="t" rsc="db" ticket="${name}"/>` })).toEqual([]);
  });

  it('are fencing levels that are there twice: with the same devices surely not meant', () => {
    const level = (id: string, devices: string): string => `<fencing-level id="${id}" target="n1" index="1" devices="${devices}"/>`;
    const levels = (...all: readonly string[]): unknown =>
      found({ more: `<fencing-topology>${all.join('')}</fencing-topology>` }).map(({ id, kind, level: of }) => [id, kind, of]);
    const kind = 'repeated-fencing-level';
    expect(levels(level('a', 'f'), level('b', 'g'))).toEqual([['b', kind, 'warning']]);
    expect(levels(level('a', 'f,g'), level('b', 'f, g'))).toEqual([['b', kind, 'error']]);
    expect(levels(level('a', 'f'), level('b', 'g'), level('c', 'f'))).toEqual([
      ['b', kind, 'warning'],
      ['c', kind, 'error'],
    ]);
  });

  it.each([
    ['options', 'stonith-enabld', 'false', 'unknown-name', 'stonith-enabled'],
    ['options', 'Stonith-Enabled', 'false', 'unknown-name', 'stonith-enabled'],
    ['options', 'maintenance_mode', 'true', 'unknown-name', 'maintenance-mode'],
    ['options', 'quorum-policy', 'stop', 'unknown-name', 'no-quorum-policy'],
    ['options', 'resource-stickiness', '100', 'unknown-name', undefined],
    ['options', 'no-such-thing', '100', 'unknown-name', undefined],
    ['options', 'no-quorum-policy', 'freze', 'unreadable-value', 'freeze'],
    ['options', 'stonith-enabled', 'flase', 'unreadable-value', 'false'],
    ['options', 'batch-limit', '1e3', 'read-in-part', undefined],
    ['primitive', 'target-role', 'Startd', 'unreadable-value', 'started'],
    ['primitive', 'promotabel', 'true', 'unknown-name', 'promotable'],
    ['primitive', 'stonith-enabled', 'false', 'unknown-name', undefined],
    ['primitive', 'requires', 'quorom', 'unreadable-value', 'quorum'],
    ['group', 'target-rol', 'Started', 'unknown-name', 'target-role'],
    ['clone', 'clone-mx', '2', 'unknown-name', 'clone-max'],
    ['clone', 'interleave', 'ture', 'unreadable-value', 'true'],
    ['template', 'is-manged', 'true', 'unknown-name', 'is-managed'],
    ['op', 'onfail', 'block', 'unknown-name', 'on-fail'],
    ['op', 'on-fail', 'restrt', 'unreadable-value', 'restart'],
    ['rsc_defaults', 'resource-stickines', '1', 'unknown-name', 'resource-stickiness'],
    ['rsc_defaults', 'timeout', '1min', 'unknown-name', undefined],
    ['op_defaults', 'timeot', '1min', 'unknown-name', 'timeout'],
    ['op_defaults', 'record-pendin', 'true', 'unknown-name', 'record-pending'],
    ['op_defaults', 'enabled', 'false', 'unknown-name', undefined],
    ['op', 'enabled', 'no', 'unknown-name', undefined],
    ['op', 'role', 'Promoted', 'unknown-name', undefined],
    ['op', 'interval', '5s', 'unknown-name', undefined],
  ])('%s: %s=%s is surely not meant (%s)', (place, name, value, kind, suggestion) => {
    const findings = found(at(place, name, value));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ kind, level: 'error', id: 'x', element: 'nvpair' });
    if (suggestion !== undefined) expect(findings[0]?.suggestion).toBe(suggestion);
  });

  it.each([
    ['options', 'stonith-enabled', '#default'],
    ['options', 'no-quorum-policy', 'FREEZE'],
    ['options', 'hana_tst_glob_prim', 'node1'],
    ['options', 'redis_REPL_INFO', 'n1'],
    ['options', 'cluster-recheck-interval', 'PT5M'],
    ['options', 'stonith-watchdog-timeout', '-0s'],
    ['primitive', 'target-role', 'Master'],
    ['primitive', 'is-managed', 'default'],
    ['primitive', 'critical', 'no'],
    ['primitive', 'container-attribute-target', 'host'],
    ['primitive', 'migration-threshold', 'INFINITY'],
    ['primitive', 'failure-timeout', '10min'],
    ['primitive', 'priority', '+5'],
    ['primitive', 'resource_failure_stickiness', '-100'],
    ['primitive', 'external-ip', '192.0.2.1'],
    ['clone', 'master-max', '1'],
    ['clone', 'globally-unique', 'YES'],
    ['group', 'ordered', 'off'],
    ['op', 'on-fail', 'nothing'],
    ['op', 'enabled', 'true'],
    ['op', 'interval-origin', '2026-01-31 20:00:00Z'],
    ['rsc_defaults', 'multiple-active', 'Stop_Only'],
    ['op_defaults', 'timeout', '90'],
  ])('%s: %s=%s is right, or somebody’s own', (place, name, value) => {
    expect(found(at(place, name, value))).toEqual([]);
  });

  it('are told, and no more than that, of names of others’ tools', () => {
    for (const place of ['primitive', 'group', 'clone', 'op', 'rsc_defaults', 'op_defaults'])
      expect(found(at(place, 'my-tool-state', 'x'))).toMatchObject([{ kind: 'unknown-name', level: 'warning' }]);
  });

  it('leave property sets of tools alone, but for what is most likely mistyped there', () => {
    expect(found({ set: 'SAPHanaSR', options: pair('no-such-thing', 'x') })).toEqual([]);
    expect(found({ set: 'SAPHanaSR', options: pair('stonith-enabld', 'x') })).toHaveLength(1);
  });

  it('leave parameters and attributes of nodes alone', () => {
    const nodes = cib({}).replace(
      '<nodes/>',
      `<nodes><node id="1" uname="n"><instance_attributes id="i">${pair('stanby', 'on')}</instance_attributes></node></nodes>`,
    );
    expect(findingsOf(readCib(nodes).document)).toEqual([]);
    const parameters = `<instance_attributes id="i">${pair('targt-role', 'x')}</instance_attributes>`;
    expect(found({ resources: db(parameters) })).toEqual([]);
    const level = `<operations><op id="o" name="monitor" interval="10s"><instance_attributes id="i">${pair('OCF_CHECK_LEVEL', '10')}</instance_attributes></op></operations>`;
    expect(found({ resources: db(level) })).toEqual([]);
  });

  it('are operations that are none, never recur or are there twice', () => {
    const told = (...ops: readonly string[]): readonly string[] =>
      found({ resources: operations(...ops) }).map(({ kind, id }) => `${kind} ${id ?? ''}`);
    expect(told(op('name="moniter" interval="10s"'))).toEqual(['unknown-operation o']);
    expect(told(op('name="Monitor" interval="10s"'))).toEqual(['unknown-operation o']);
    expect(told(op('name="start" interval="10s" timeout="5min"'))).toEqual(['idle-operation o']);
    expect(told(op('name="monitor" interval="10s" role="Promoted"'), op('name="monitor" interval="10000ms"', 'p'))).toEqual([
      'repeated-operation p',
    ]);
    expect(
      told(
        op('name="monitor" interval="10s" role="Promoted"'),
        op('name="monitor" interval="11s"', 'p'),
        op('name="monitor" interval="0"', 'q'),
        op('name="start" interval="0s"', 'r'),
        op('name="backup" interval="1h"', 's'),
        op('name="validate-all" interval="1h"', 't'),
      ),
    ).toEqual([]);
  });

  it('are values of constraints', () => {
    const colocated = (influence: string): Written => ({
      resources: db(''),
      constraints: `<rsc_colocation id="k" rsc="db" with-rsc="db" score="1" influence="${influence}"/>`,
    });
    expect(found(colocated('ture'))).toMatchObject([{ kind: 'unreadable-value', attribute: 'influence', id: 'k' }]);
    expect(found(colocated('yes'))).toEqual([]);
  });

  it('are what is accepted and not done', () => {
    const told = (written: Written): readonly string[] => found(written).map(({ kind, level, id }) => `${kind} ${level} ${id ?? ''}`);
    expect(told({ options: pair('enable-acl', 'true') })).toEqual(['not-done error x']);
    expect(told({ options: pair('enable-acl', 'false') })).toEqual([]);
    expect(told({ more: '<alerts><alert id="a" path="/bin/true"/></alerts>' })).toEqual([]);
    const wrong =
      '<meta_attributes id="m"><nvpair id="e" name="enabled" value="maybe"/><nvpair id="t" name="timeout" value="soon"/><nvpair id="u" name="timout" value="3s"/><nvpair id="f" name="timestamp-format" value="x"/></meta_attributes>';
    expect(told({ more: `<alerts><alert id="a" path="/p"><recipient id="r" value="x">${wrong}</recipient></alert></alerts>` })).toEqual([
      'unreadable-value warning e',
      'unreadable-value warning t',
      'unknown-name warning u',
    ]);
    expect(told({ more: '<acls><acl_target id="u"/></acls>' })).toEqual([]);
    expect(told({ resources: db('', 'class="ocf" provider="pacemaker" type="remote"') })).toEqual([]);
    expect(told({ resources: db(meta('remote-node', 'guest1')) })).toEqual([]);
  });

  it('have their place, what they are of, what is wrong and what counts meanwhile, in the order of the document', () => {
    const resources = `<group id="g">${db(`${meta('target-role', 'Startd')}<operations>${op('name="moniter" interval="10s"')}</operations>`)}</group>`;
    expect(found({ options: pair('stonith-enabld', 'false', 'y'), resources })).toEqual([
      expect.objectContaining({
        path: "/cib/configuration/crm_config/cluster_property_set[@id='cib-bootstrap-options']/nvpair[@id='y']",
        line: 2,
      }),
      {
        ...{ kind: 'unreadable-value', level: 'error', element: 'nvpair', id: 'x', attribute: 'value', subject: 'db', line: 3 },
        path: "/cib/configuration/resources/group[@id='g']/primitive[@id='db']/meta_attributes[@id='m']/nvpair[@id='x']",
        message: 'target-role: "Startd" can\'t be read: use started, stopped, promoted, unpromoted, master, slave or default',
        meanwhile: 'it has no effect',
        suggestion: 'started',
      },
      expect.objectContaining({ kind: 'unknown-operation', id: 'o', subject: 'db, operation moniter', suggestion: 'monitor' }),
    ]);
  });

  it('are the same after another part was changed, and where their element was moved', () => {
    const { document } = readCib(cib({ resources: db(meta('target-role', 'Startd')) }));
    const configuration = firstChildNamed(document, 'configuration');
    if (configuration === undefined) throw new Error('no configuration');
    expect(configurationFindings(configuration)).toEqual(configurationFindings({ ...configuration }));
    const [moved] = found({ resources: `<group id="g">${db(meta('target-role', 'Startd'))}</group>` });
    const [there] = configurationFindings(configuration);
    if (moved === undefined || there === undefined) throw new Error('nothing found');
    expect(moved.path).not.toBe(there.path);
    expect(findingKey(moved)).toBe(findingKey(there));
  });

  it('cost little with names that nobody can have meant, however long and many', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => pair(`${'n'.repeat(5_000)}${String(index)}`, 'x', `x${String(index)}`)).join(
      '',
    );
    expect(found({ resources: db(`<meta_attributes id="m">${pair('__proto__', 'x', 'p')}${names}</meta_attributes>`) })).toHaveLength(
      2_001,
    );
  });
});

describe('findings in connections to remote nodes', () => {
  const connection = (name: string, value: string, attributes = 'class="ocf" provider="pacemaker" type="remote"'): Written => ({
    resources: db(`<instance_attributes id="i">${pair(name, value)}</instance_attributes>`, attributes),
  });

  it.each([
    ['server', 'far.example.org', 'not-done warning'],
    ['addr', '192.0.2.7', 'not-done warning'],
    ['port', '3121', 'not-done warning'],
    ['reconnect_interval', 'soon', 'unreadable-value error'],
    ['reconnect_intervall', '30s', 'unknown-name error'],
    ['trace_ra', '1', 'unknown-name warning'],
  ])('tell of %s=%s', (name, value, expected) => {
    expect(found(connection(name, value)).map(({ kind, level }) => `${kind} ${level}`)).toEqual([expected]);
    expect(found(connection(name, value, 'class="ocf" provider="heartbeat" type="Dummy"'))).toEqual([]);
  });

  it('are none in what is done', () => {
    expect(found(connection('reconnect_interval', '30s'))).toEqual([]);
  });
});

describe('findings in fence devices', () => {
  const device = (name: string, value: string, attributes = 'class="stonith" type="fence_x"'): Written => ({
    resources: db(`<instance_attributes id="i">${pair(name, value)}</instance_attributes>`, attributes),
  });

  it.each([
    ['pcmk_host_lst', 'n1', 'unknown-name', 'pcmk_host_list'],
    ['pcmk_no_such_thing', 'n1', 'unknown-name', undefined],
    ['pcmk_host_check', 'dynamic_list', 'unreadable-value', 'dynamic-list'],
    ['pcmk_delay_max', 'soon', 'unreadable-value', undefined],
    ['pcmk_delay_base', 'n1:10s;n2:late', 'unreadable-value', undefined],
    ['pcmk_action_limit', 'one', 'unreadable-value', undefined],
    ['pcmk_off_timeout', 'one minute', 'unreadable-value', undefined],
  ])('%s=%s is a %s', (name, value, kind, suggestion) => {
    expect(found(device(name, value))).toEqual([expect.objectContaining({ kind, subject: 'db' })]);
    expect(found(device(name, value))[0]?.suggestion).toBe(suggestion);
  });

  it.each([
    ['pcmk_delay_base', 'n1:10s; n2:5'],
    ['pcmk_delay_base', '15s'],
    ['pcmk_action_limit', '-1'],
    ['pcmk_reboot_action', 'off'],
    ['ipaddr', '192.0.2.1'],
  ])('%s=%s is none', (name, value) => {
    expect(found(device(name, value))).toEqual([]);
  });

  it('are not looked for in other resources: what is called alike is for their agents', () => {
    expect(found(device('pcmk_host_lst', 'n1', 'class="ocf" provider="p" type="Db"'))).toEqual([]);
  });
});

describe('findings in patterns', () => {
  it('are those that are no POSIX extended regular expression', () => {
    const levels = (pattern: string): Written => ({
      more: `<fencing-topology><fencing-level id="l" index="1" devices="f" target-pattern="${pattern}"/></fencing-topology>`,
      resources: db('', 'class="stonith" type="fence_x"').replace('id="db"', 'id="f"'),
    });
    expect(found(levels('n3['))).toEqual([expect.objectContaining({ kind: 'unreadable-value', attribute: 'target-pattern' })]);
    expect(found(levels('^n[[:digit:]]+$'))).toEqual([]);
    const location = (pattern: string): Written => ({
      constraints: `<rsc_location id="l" rsc-pattern="${pattern}" node="n1" score="1"/>`,
      resources: db(''),
    });
    expect(found(location('!(a'))).toEqual([expect.objectContaining({ kind: 'unreadable-value', attribute: 'rsc-pattern' })]);
    expect(found(location('!^vm'))).toEqual([]);
  });
});
