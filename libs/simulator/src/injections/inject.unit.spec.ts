import { parseXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { WorkingCib } from '../cib/working-cib.js';
import { inject, type InjectionContext } from './inject.js';
import type { Injections } from './injections.js';

const context: InjectionContext = {
  clock: 1_700_000_000,
  agentOf: () => ({ class: 'ocf', provider: 'systole', type: 'Dummy' }),
  startFailureIsFatal: true,
  featureSet: '3.20.5',
};

const nvpair = (id: string, name: string, value: string): string => `<nvpair id="${id}" name="${name}" value="${value}"/>`;

/** The CIB after injections, as text. */
function injected(injections: Injections, { options = '', attributes = '' } = {}): string {
  const cib = new WorkingCib(
    parseXml(`<cib><configuration><crm_config>${options}</crm_config><nodes><node id="1" uname="n1"/></nodes></configuration>
      <status><node_state id="1" uname="n1"><transient_attributes id="1">${attributes}</transient_attributes></node_state></status></cib>`),
  );
  inject(cib, injections, context);
  return JSON.stringify(cib.document());
}

/** The `name=value` of every nvpair, with the id of its set. */
function pairs(json: string): string[] {
  const found: string[] = [];
  const visit = (element: { name?: string; attributes?: Record<string, string>; children?: [] }, set: string): void => {
    const { name, attributes = {}, children = [] } = element;
    if (name === 'nvpair') found.push(`${set}: ${attributes['name'] ?? ''}=${attributes['value'] ?? ''}`);
    for (const child of children) visit(child, attributes['id'] ?? '');
  };
  visit(JSON.parse(json) as object, '');
  return found;
}

describe('inject', () => {
  it('raises a fail count where a running cluster keeps it', () => {
    const attributes = `<instance_attributes id="status-1">${nvpair('f', 'fail-count-db#monitor_10000', '2')}</instance_attributes>`;
    expect(pairs(injected({ operations: ['db_monitor_10000@n1=1'] }, { attributes }))).toEqual([
      'status-1: fail-count-db#monitor_10000=3',
      'status-1: last-failure-db#monitor_10000=1700000000',
    ]);
  });

  it('begins a fail count in a set of its own', () => {
    expect(pairs(injected({ operations: ['db_start_0@n1=1'] }))).toEqual([
      '1: fail-count-db#start_0=INFINITY',
      '1: last-failure-db#start_0=1700000000',
    ]);
  });

  it('adds a fail count to the attributes that are there, whatever they are called', () => {
    const attributes = `<instance_attributes id="status-1">${nvpair('a', 'x', '1')}</instance_attributes>`;
    expect(pairs(injected({ operations: ['db_start_0@n1=1'] }, { attributes }))).toEqual([
      'status-1: x=1',
      'status-1: fail-count-db#start_0=INFINITY',
      'status-1: last-failure-db#start_0=1700000000',
    ]);
  });

  it('counts from 0 where the count is no number', () => {
    const attributes = `<instance_attributes id="s">${nvpair('f', 'fail-count-db#monitor_10000', 'many')}</instance_attributes>`;
    expect(pairs(injected({ operations: ['db_monitor_10000@n1=1'] }, { attributes }))[0]).toBe('s: fail-count-db#monitor_10000=1');
  });

  it('counts its changes in the version of the document', () => {
    const version = (injections: Injections): string | undefined =>
      /"(?:epoch":"\d+",")?num_updates":"\d+"/.exec(injected(injections))?.[0];
    expect(version({ operations: ['db_monitor_10000@n1=1'] })).toBe('"num_updates":"1"');
    expect(version({ ticketsGranted: ['t', 'u'] })).toBe('"num_updates":"2"');
    // Its attributes, then what it had.
    expect(version({ nodesDown: ['n1'] })).toBe('"num_updates":"2"');
    expect(version({ watchdog: 'true' })).toBe('"epoch":"1","num_updates":"0"');
    // The node, its state, and what that says.
    expect(version({ nodesUp: ['n2'] })).toBe('"epoch":"1","num_updates":"2"');
  });

  it('sets the watchdog in the options that precede all others', () => {
    const options = `<cluster_property_set id="mine">${nvpair('o', 'no-quorum-policy', 'stop')}</cluster_property_set>`;
    expect(pairs(injected({ watchdog: 'true' }, { options }))).toEqual([
      'mine: no-quorum-policy=stop',
      'cib-bootstrap-options: have-watchdog=true',
    ]);
  });

  it('sets the watchdog wherever it is set already', () => {
    const set = (id: string): string =>
      `<cluster_property_set id="${id}">${nvpair(`${id}-w`, 'have-watchdog', 'false')}</cluster_property_set>`;
    expect(pairs(injected({ watchdog: 'true' }, { options: set('a') + set('b') }))).toEqual([
      'a: have-watchdog=true',
      'b: have-watchdog=true',
    ]);
  });

  it('marks the state of a node as simulated', () => {
    for (const injections of [{ nodesUp: ['n1'] }, { nodesDown: ['n1'] }, { nodesFailed: ['n1'] }]) {
      expect(injected(injections)).toContain('"crm-debug-origin":"crm_simulate"');
    }
  });
});
