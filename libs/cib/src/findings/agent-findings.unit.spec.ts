import { describe, expect, it } from 'vitest';
import { readCib } from '../document/cib.js';
import type { XmlElement } from '../xml/element.js';
import { agentFindings, type KnownAgents, type KnownParameter } from './agent-findings.js';

const parameter = (name: string, more: Partial<KnownParameter> = {}): KnownParameter => ({
  name,
  required: false,
  deprecated: false,
  ...more,
});

const AGENTS: KnownAgents = {
  classes: ['ocf', 'stonith'],
  agents: {
    'ocf:heartbeat:IPaddr2': [[parameter('ip', { required: true }), parameter('nic')]],
    'ocf:test:differs': [
      [parameter('a', { required: true }), parameter('old')],
      [parameter('a'), parameter('new')],
    ],
    'ocf:test:silent': [undefined],
    'stonith:fence_ipmilan': [
      [
        parameter('ip', { required: true, obsoletes: 'ipaddr' }),
        parameter('ipaddr', { required: true, deprecated: true }),
        parameter('action', { required: true }),
      ],
    ],
  },
};

/** @param resources XML of the section */
function documentWith(resources: string): XmlElement {
  const xml = `<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0"><configuration><crm_config/><nodes/><resources>${resources}</resources><constraints/></configuration><status/></cib>`;
  return readCib(xml).document;
}

function found(resources: string): readonly string[] {
  return agentFindings(documentWith(resources), AGENTS).map(
    ({ kind, subject, message }) => `${kind} ${subject} ${message.split(':')[0] ?? ''}`,
  );
}

function primitive(id: string, agent: string, parameters: Readonly<Record<string, string>> = {}, more = ''): string {
  const parts = agent.split(':');
  const [standard, provider, type] = parts.length === 3 ? parts : [parts[0], undefined, parts[1]];
  const pairs = Object.entries(parameters).map(([name, value]) => `<nvpair id="${id}-${name}" name="${name}" value="${value}"/>`);
  const named = provider === undefined ? '' : ` provider="${provider}"`;
  return `<primitive id="${id}" class="${standard ?? ''}"${named} type="${type ?? ''}">${more}<instance_attributes id="${id}-p">${pairs.join('')}</instance_attributes></primitive>`;
}

it('what runs in a container is in its image, of which nobody tells: it is said that it is not checked, and refused to nobody', () => {
  const inside = '<primitive id="db" class="ocf" provider="test" type="in-image"/>';
  expect(agentFindings(documentWith(`<bundle id="b"><podman image="i"/>${inside}</bundle>`), AGENTS)).toMatchObject([
    { kind: 'unchecked-agent', level: 'warning', subject: 'db', message: expect.stringContaining('image of b') as string },
  ]);
  expect(found(inside)).toEqual(['unknown-agent db ocf']);
  expect(found(`<bundle id="b"><podman image="i"/>${primitive('ip', 'ocf:heartbeat:IPaddr2', { ip: '10.0.0.1' })}</bundle>`)).toEqual([]);
});

describe('what is found of agents', () => {
  it('is nothing as long as no node has told anything', () => {
    const document = documentWith(primitive('a', 'ocf:nobody:knows'));
    expect(agentFindings(document, AGENTS)).toHaveLength(1);
    expect(agentFindings(document, undefined)).toEqual([]);
    expect(agentFindings(document, { ...AGENTS, classes: [] })).toEqual([]);
  });

  it('is nothing of a connection to a remote node, which the server holds, whatever agents the nodes have', () => {
    expect(found(primitive('far', 'ocf:pacemaker:remote', { addr: 'far.example.org', reconnect_interval: '30s' }))).toEqual([]);
    const template = primitive('t', 'ocf:pacemaker:remote').replaceAll('primitive', 'template');
    expect(found(`${template}<primitive id="far" template="t"/>`)).toEqual([]);
  });

  it('names an agent that no node has, and one that may be meant', () => {
    expect(agentFindings(documentWith(primitive('ip', 'ocf:heartbeat:IPadr2')), AGENTS)).toMatchObject([
      { kind: 'unknown-agent', level: 'error', subject: 'ip', element: 'primitive', id: 'ip', suggestion: 'ocf:heartbeat:IPaddr2' },
    ]);
  });

  it('says nothing of standards that nobody has named all agents of, or of what is no fence agent by its name', () => {
    expect(found(primitive('a', 'systemd:nginx') + primitive('b', 'lsb:web') + primitive('c', 'stonith:my-own'))).toEqual([]);
  });

  it('names parameters that the agent does not take, and those that it needs', () => {
    expect(found(primitive('ip', 'ocf:heartbeat:IPaddr2', { nick: 'eth0' }))).toEqual([
      'missing-parameter ip ip',
      'unknown-parameter ip nick',
    ]);
    expect(found(primitive('ip', 'ocf:heartbeat:IPaddr2', { ip: '192.0.2.1', nic: 'eth0', trace_ra: '1' }))).toEqual([]);
  });

  it('claims of an agent in several versions only what is so in each, and nothing of what was not described', () => {
    expect(found(primitive('d', 'ocf:test:differs', { old: '1', new: '1', none: '1' }))).toEqual(['unknown-parameter d none']);
    expect(found(primitive('s', 'ocf:test:silent', { anything: '1' }))).toEqual([]);
  });

  it('counts what the cluster gives a fence agent, and what its older parameters say', () => {
    expect(found(primitive('f', 'stonith:fence_ipmilan', { ipaddr: '192.0.2.9', pcmk_host_list: 'n1' }))).toEqual([]);
    expect(found(primitive('f', 'stonith:fence_ipmilan'))).toEqual(['missing-parameter f ip']);
  });

  it('counts what templates, groups, references and rules give', () => {
    const template = `<template id="t" class="ocf" provider="heartbeat" type="IPaddr2"><instance_attributes id="t-p"><nvpair id="t-n" name="nic" value="eth0"/></instance_attributes></template>`;
    const rule = '<rule id="r" boolean-op="and"><expression id="e" attribute="#uname" operation="eq" value="n1"/></rule>';
    const byRule = `<primitive id="x" template="t"><instance_attributes id="x-p">${rule}<nvpair id="x-ip" name="ip" value="192.0.2.1"/></instance_attributes></primitive>`;
    const byReference = '<primitive id="y" template="t"><instance_attributes id-ref="x-p"/></primitive>';
    const inGroup = `<group id="g"><primitive id="z" template="t"/><instance_attributes id="g-p"><nvpair id="g-ip" name="ip" value="192.0.2.1"/></instance_attributes></group>`;
    expect(found(template + byRule + byReference + inGroup + '<primitive id="w" template="t"/>')).toEqual(['missing-parameter w ip']);
  });

  it('knows what an object has of itself from what is in it', () => {
    expect(found(primitive('a', 'ocf:constructor:x'))).toEqual(['unknown-agent a ocf']);
    expect(found(primitive('b', 'ocf:heartbeat:IPaddr2', { ip: '1', constructor: '1' }))).toEqual(['unknown-parameter b constructor']);
  });
});
