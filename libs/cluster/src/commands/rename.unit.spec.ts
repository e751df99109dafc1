import { serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { startedResult } from '../testing/started.js';
import { execute, threeNodes } from '../testing/stream.js';
import type { ClusterCommand } from './cluster-command.js';
import { decide } from './decide.js';

const dummy = (id: string): string => `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"/>`;
const RESOURCES = `${dummy('db')}<group id="G">${dummy('g1')}</group><primitive id="fence" class="stonith" type="fence_x"><instance_attributes id="fi"><nvpair id="f1" name="pcmk_host_list" value="n1 n2,n3"/><nvpair id="f2" name="pcmk_host_map" value="n1:1;n2:2,n1"/></instance_attributes></primitive>`;
const CONSTRAINTS =
  '<rsc_location id="l" rsc="db" node="n1" score="5"/><rsc_colocation id="c" rsc="G" with-rsc="db"/>' +
  '<rsc_order id="ord"><resource_set id="s"><resource_ref id="db"/><resource_ref id="G"/></resource_set></rsc_order>' +
  '<rsc_location id="r" rsc="G"><rule id="r1" score="3"><expression id="e" attribute="#uname" operation="eq" value="n1"/></rule></rsc_location>';
const MORE =
  '<fencing-topology><fencing-level id="fl" target="n1" index="1" devices="fence"/></fencing-topology><tags><tag id="t"><obj_ref id="db"/></tag></tags>';

const state = (): ClusterState => threeNodes({ resources: RESOURCES, constraints: CONSTRAINTS, more: MORE });
const rename = (resource: string, to: string): ClusterCommand => ({ type: 'rename-resource', resource, to, reason: 'clearer' });
const text = ({ cib }: ClusterState): string => serializeXml(cib).replace(/\n\s*/g, '');

function refusal(command: ClusterCommand, of: ClusterState): string {
  const decision = decide(command, of);
  return decision.ok ? 'accepted' : `${String(decision.rejection.status)} ${decision.rejection.code} ${decision.rejection.pointer ?? ''}`;
}

describe('a resource with another id', () => {
  it('takes along whatever refers to it, as one event', () => {
    const decision = decide(rename('db', 'orders'), state());
    expect(decision).toMatchObject({
      ok: true,
      events: [
        {
          type: 'ConfigurationChanged',
          data: { command: 'rename-resource', arguments: { resource: 'db', to: 'orders' }, reason: 'clearer' },
        },
      ],
    });
    const renamed = text(execute(state(), rename('db', 'orders')));
    expect(renamed).not.toMatch(/"db"/);
    expect(renamed).toContain('<rsc_location id="l" rsc="orders" node="n1" score="5"/>');
    expect(renamed).toContain('with-rsc="orders"');
    expect(renamed).toContain('<resource_ref id="orders"/>');
    expect(renamed).toContain('<obj_ref id="orders"/>');
    expect(text(execute(state(), rename('fence', 'power')))).toContain('devices="power"');
  });

  it('is stopped, if it is known by its id; a group may run', () => {
    const running = execute(state(), {
      type: 'record-results',
      node: 'n2',
      incarnation: 1,
      results: [startedResult('db'), startedResult('g1')],
    });
    expect(refusal(rename('db', 'orders'), running)).toBe('409 still-active /resource');
    expect(refusal(rename('G', 'site'), running)).toBe('accepted');
    const stopped = execute(running, {
      type: 'record-results',
      node: 'n2',
      incarnation: 1,
      results: [startedResult('db', { operation: 'stop', resultId: 'stop', callId: 2 })],
    });
    const decision = decide(rename('db', 'orders'), stopped);
    expect(decision.ok && decision.events.map(({ type }) => type)).toEqual(['ConfigurationChanged', 'FailuresCleared', 'HistoryDeleted']);
  });

  it('has an id that is free and can be one', () => {
    expect(refusal(rename('db', 'G'), state())).toBe('422 invalid-argument /to');
    expect(refusal(rename('db', '1db'), state())).toBe('422 invalid-argument /to');
    expect(refusal(rename('db', 'a:0'), state())).toBe('422 invalid-argument /to');
    expect(refusal(rename('nothing', 'x'), state())).toBe('404 resource-not-found /resource');
  });
});

describe('a node with another name', () => {
  const to: ClusterCommand = { type: 'rename-node', node: 'n1', to: 'alpha' };
  const gone = (): ClusterState => execute(state(), { type: 'leave-node', node: 'n1', incarnation: 1 });

  it('is named by it wherever it was, and is one that was never heard of', () => {
    const renamed = text(execute(gone(), to));
    expect(renamed).toContain('<node id="alpha" uname="alpha"/>');
    expect(renamed).toContain('rsc="db" node="alpha"');
    expect(renamed).toContain('operation="eq" value="alpha"');
    expect(renamed).toContain('target="alpha"');
    expect(renamed).toContain('value="alpha n2,n3"');
    expect(renamed).toContain('value="alpha:1;n2:2,n1"');
  });

  it('runs nothing, and the name is free', () => {
    expect(refusal(to, state())).toBe('409 node-online /node');
    expect(refusal({ type: 'rename-node', node: 'n1', to: 'n2' }, gone())).toBe('422 invalid-argument /to');
    expect(refusal({ type: 'rename-node', node: 'n9', to: 'x' }, gone())).toBe('404 node-not-found /node');
  });
});

describe('several at once', () => {
  it('are disabled in one event, or none of them', () => {
    const disable = (...also: readonly string[]): ClusterCommand => ({ type: 'set-resource-mode', mode: 'disable', resource: 'db', also });
    const decision = decide(disable('G', 'fence'), state());
    expect(decision.ok && decision.events.length).toBe(1);
    expect(text(execute(state(), disable('G'))).match(/name="target-role" value="Stopped"/g)).toHaveLength(2);
    expect(refusal(disable('G', 'nothing'), state())).toBe('404 resource-not-found /also/1');
  });

  it('are named by a tag', () => {
    const tagged = execute(state(), { type: 'set-resource-mode', mode: 'unmanage', resource: 't' });
    expect(text(tagged)).toContain('<nvpair id="db-meta_attributes-is-managed" name="is-managed" value="false"/>');
  });

  it('are put in maintenance, nodes, in one event', () => {
    const all = execute(state(), { type: 'set-nodes-maintenance', maintenance: true });
    expect(text(all).match(/name="maintenance" value="true"/g)).toHaveLength(3);
    const two: ClusterCommand = { type: 'set-nodes-maintenance', maintenance: false, nodes: ['n1', 'n2'] };
    expect(text(execute(all, two)).match(/name="maintenance" value="true"/g)).toHaveLength(1);
    expect(refusal({ type: 'set-nodes-maintenance', maintenance: true, nodes: ['n9'] }, state())).toBe('404 node-not-found /nodes');
  });
});
