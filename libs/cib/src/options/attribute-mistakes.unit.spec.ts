import { describe, expect, it } from 'vitest';
import { CibRefused } from '../document/cib-refused.js';
import { readCib } from '../document/cib.js';
import { firstChildNamed } from '../xml/element.js';
import { attributeWarnings } from './attribute-mistakes.js';

const cib = (resources: string, more = '', schema = 'pacemaker-4.0'): string =>
  `<cib validate-with="${schema}" epoch="0" num_updates="0" admin_epoch="0">\n<configuration><crm_config/><nodes/>\n<resources>${resources}</resources><constraints/>${more}</configuration><status/></cib>`;
const db = (op: string, meta = ''): string =>
  `<primitive id="db" class="ocf" provider="p" type="Db">${meta === '' ? '' : `<meta_attributes id="m">${meta}</meta_attributes>`}<operations>${op}</operations></primitive>`;
const monitor = (attributes: string, inner = ''): string => `<op id="o" name="monitor" ${attributes}>${inner}</op>`;
const pair = (name: string, value: string): string => `<nvpair id="x" name="${name}" value="${value}"/>`;

const refused = (text: string): readonly string[] => {
  try {
    readCib(text, { strict: true, mistakes: 'refuse' });
    return [];
  } catch (thrown) {
    if (!(thrown instanceof CibRefused)) throw thrown;
    return thrown.problems.map(({ line, path, attribute, message }) => `${String(line)} ${path}/@${attribute ?? ''} ${message}`);
  }
};
const warnings = (text: string): readonly string[] => {
  const configuration = firstChildNamed(readCib(text).document, 'configuration');
  return configuration === undefined ? [] : attributeWarnings(configuration);
};

describe('texts of resources and operations that nobody can read', () => {
  it('are refused with their place, where what would count instead is harmful', () => {
    expect(refused(cib(db(monitor('interval="3 parsecs"'))))).toEqual([
      `3 /cib/configuration/resources/primitive[@id='db']/operations/op[@id='o']/@interval interval: "3 parsecs" can't be read: use a time such as 30, 30s, 5min, 2h, 200ms or PT5M (without a unit: seconds)`,
    ]);
    expect(refused(cib(db('', pair('maintenance', 'perhaps'))))).toEqual([
      expect.stringMatching(/meta_attributes\[@id='m'\]\/nvpair\[@id='x'\]\/@value maintenance: "perhaps" can't be read: use true/),
    ]);
    const defaults = `<op_defaults><meta_attributes id="d">${pair('timeout', 'five minutes')}</meta_attributes></op_defaults>`;
    expect(refused(cib(db(''), defaults))).toEqual([expect.stringContaining('op_defaults')]);
  });

  it.each([
    ['interval', ['0', '10', '10s', '5 min', 'PT1M', 'P10S', '1.5s', '1msx'], ['', 's', '1d', '-5s', 'soon']],
    ['timeout', ['0', '20', '1.5s', '200ms'], ['PT1M', '1d', '-5s', 'soon', '']],
    ['start-delay', ['0', '5s'], ['-5', 'PT5S', 'later']],
    ['interval-origin', ['2026-01-31 20:00:00Z', '20260131T200000Z'], ['yesterday']],
  ])('%s of an operation: %j are read, %j are not', (name, right, wrong) => {
    const problems = (value: string): number =>
      refused(cib(db(monitor(name === 'interval' ? `interval="${value}"` : `interval="10s" ${name}="${value}"`)))).length;
    expect(right.map(problems)).toEqual(right.map(() => 0));
    expect(wrong.map(problems)).toEqual(wrong.map(() => 1));
  });

  it.each([
    ['maintenance', ['true', 'FALSE', '#default', '1'], ['', 'maybe']],
    ['clone-max', ['3', '3abc', '0'], ['many', '']],
    ['migration-threshold', ['INFINITY', '3', 'default', '-1'], ['few']],
  ])('%s of a resource: %j are read, %j are not', (name, right, wrong) => {
    const problems = (value: string): number => refused(cib(db('', pair(name, value)))).length;
    expect(right.map(problems)).toEqual(right.map(() => 0));
    expect(wrong.map(problems)).toEqual(wrong.map(() => 1));
  });

  it('are taken in and told of where what counts instead does little harm', () => {
    const text = cib(db('', pair('priority', 'high')));
    expect(refused(text)).toEqual([]);
    expect(warnings(text)).toEqual([
      'db: priority: "high" can\'t be read: use an integer, INFINITY or -INFINITY; meanwhile it counts as 0',
    ]);
  });

  it('are told of where only the beginning counts, with what counts', () => {
    const text = cib(db('', `${pair('clone-max', '1e3')}${pair('resource-stickiness', '99999999.5').replace('"x"', '"y"')}`));
    expect(refused(text)).toEqual([]);
    expect(warnings(text)).toEqual([
      'db: clone-max: of "1e3" only the beginning is read: use an integer, or INFINITY; meanwhile it counts as 1',
      expect.stringMatching(/^db: resource-stickiness: of "99999999.5" only the beginning is read: .*; meanwhile it counts as INFINITY$/),
    ]);
    expect(warnings(cib(db('', pair('priority', '1.0'))))).toEqual([]);
  });

  it('are told of in roles, in what becomes of many, and in attributes of nodes', () => {
    const text = cib(db('', `${pair('target-role', 'Stoped')}${pair('multiple-active', 'stop_olny').replace('"x"', '"y"')}`)).replace(
      '<nodes/>',
      `<nodes><node id="1" uname="alpha"><instance_attributes id="n">${pair('standby', 'perhaps').replace('"x"', '"z"')}${pair('rack', 'perhaps').replace('"x"', '"r"')}</instance_attributes></node></nodes>`,
    );
    expect(refused(text)).toEqual([]);
    expect(warnings(text)).toEqual([
      `alpha: standby: "perhaps" can't be read: use true or false (also yes, no, on, off, y, n, 1, 0); meanwhile the node is not in standby`,
      expect.stringMatching(/^db: target-role: "Stoped" can't be read: use started, stopped, .*; meanwhile it has no effect$/),
      expect.stringMatching(/^db: multiple-active: "stop_olny" can't be read: use stop_start, .*; meanwhile stop_start is used$/),
    ]);
    for (const role of ['Started', 'STOPPED', 'Master', 'default', '#default'])
      expect(warnings(cib(db('', pair('target-role', role))))).toEqual([]);
  });

  it('are names that are most likely mistyped; others may be somebody’s own', () => {
    expect(warnings(cib(db('', pair('promotabel', 'true'))))).toEqual([
      'db: promotabel is not known: did you mean promotable?; meanwhile it has no effect',
    ]);
    expect(refused(cib(db('', pair('promotabel', 'true'))))).toEqual([]);
    for (const own of ['my-tool-state', 'backup', 'remote-node', 'external-ip', 'owner'])
      expect(warnings(cib(db('', pair(own, 'x'))))).toEqual([]);
    expect(warnings(cib(db(monitor('interval="10s"', `<meta_attributes id="n">${pair('onfail', 'block')}</meta_attributes>`))))).toEqual([
      'db, operation monitor: onfail is not known: did you mean on-fail?; meanwhile only the resource agent is told of it',
    ]);
  });

  it('are words that are none, and older ones that count', () => {
    const told = (text: string): readonly string[] => warnings(text).map((line) => line.replace(/: use .*;/, ';'));
    expect(told(cib(db('', pair('requires', 'quorom'))))).toEqual([
      'db: requires: "quorom" can\'t be read; meanwhile it counts as not given',
    ]);
    const onFail = (value: string): string =>
      cib(db(monitor('interval="10s"', `<meta_attributes id="n">${pair('on-fail', value)}</meta_attributes>`)));
    expect(told(onFail('restrt'))).toEqual(['db, operation monitor: on-fail: "restrt" can\'t be read; meanwhile it counts as not given']);
    for (const value of ['Restart', 'nothing', 'migrate']) expect(told(onFail(value))).toEqual([]);
  });

  it('are told of, all of them, in a configuration that has them already', () => {
    const group = `<group id="g">${db(monitor('interval="3 parsecs"', `<meta_attributes id="n">${pair('timeout', 'long')}</meta_attributes>`))}</group>`;
    expect(warnings(cib(group, '', 'none'))).toEqual([
      expect.stringMatching(/^db, operation monitor: interval: "3 parsecs" can't be read: .*; meanwhile the operation does not recur$/),
      expect.stringMatching(/^db, operation monitor: timeout: "long" can't be read: .*; meanwhile 20s is used$/),
    ]);
  });
});
