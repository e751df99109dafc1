import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readCib } from '@systole/cib';
import { readState } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import { meta, primitive, smallCib, type SmallCib } from '../testing/small-cib.js';
import { monitorDocument } from './monitor-document.js';
import type { MonitorFacts, MonitorSelection, PendingOperation } from './monitor-facts.js';
import { withPendingEntries } from './pending-entries.js';

const NOW = 1_700_010_000;
/** Debian's pacemaker-cli-utils and libxml2-utils. */
const SCHEMA = '/usr/share/pacemaker/api/api-result.rng';
const LINT = '/usr/bin/xmllint';

const NOTHING: MonitorFacts = {
  request: 'crm_mon --output-as=xml',
  coordinator: { name: 'systole', version: '1' },
  lastChange: undefined,
  fencing: [],
  tickets: [],
};

function shown(cib: SmallCib, facts: Partial<MonitorFacts> = {}, selection?: MonitorSelection): string {
  return monitorDocument(readState(smallCib(cib), { now: NOW, scores: false }), { ...NOTHING, ...facts }, selection);
}

/** Lines of elements of these names, without indentation. */
function lines(document: string, ...names: string[]): string[] {
  return document.split('\n').flatMap((line) => (names.some((name) => line.trim().startsWith(`<${name} `)) ? [line.trim()] : []));
}

const BUNDLE = `<bundle id="b"><podman image="img" replicas="2"/><network ip-range-start="10.0.0.5"/>${primitive('app')}</bundle>`;
const EVERYTHING: SmallCib = {
  nodes: ['n1', { name: 'n2', attributes: { standby: 'on', rack: 'r1' } }, { name: 'n3', state: { crmd: 'offline', in_ccm: 'false' } }],
  options: { 'fencing-enabled': 'true', 'no-quorum-policy': 'freeze', 'stonith-timeout': '2min' },
  resources: `${primitive('ip')}<group id="site">${primitive('fs')}${primitive('web')}</group><clone id="c">${primitive('png')}</clone>
    <clone id="p">${meta('p', { promotable: 'true' })}${primitive('st')}</clone>${primitive('off', meta('off', { 'target-role': 'Stopped' }))}${BUNDLE}`,
  constraints: `<rsc_location id="not2" rsc="ip" node="n2" score="-INFINITY"/><rsc_location id="prefers" rsc="ip" node="n1" score="5"/>
    <rsc_location id="less" rsc="p" role="Promoted" node="n1" score="-7"/>`,
  history: [
    { resource: 'ip', node: 'n1', task: 'start' },
    { resource: 'ip', node: 'n1', task: 'monitor', interval: 10_000, rc: 1, expected: 0 },
    { resource: 'png', node: 'n1', task: 'start' },
    { resource: 'png', node: 'n2', task: 'monitor', rc: 7 },
  ],
};
const FACTS: Partial<MonitorFacts> = {
  lastChange: { at: 1_700_000_000, user: 'user:alice', client: 'replace-configuration', origin: 'api' },
  fencing: [
    { action: 'reboot', target: 'n3', client: 'user:alice', delegate: 'n1', status: 'pending' },
    { action: 'off', target: 'n2', client: 'systole', delegate: 'n1', status: 'failed', reason: 'no "power"', completedAt: 1_700_000_000 },
  ],
  tickets: [
    { id: 'T1', granted: true, standby: false, lastGrantedAt: 1_700_000_000 },
    { id: 'T2', granted: false, standby: true },
  ],
};

describe('operations that are under way', () => {
  const pending = (resource: string, operation: string, node: string, intervalMs = 0) => ({ resource, operation, intervalMs, node });
  const underWay = (...operations: readonly PendingOperation[]): readonly string[] => {
    const { document } = smallCib(EVERYTHING);
    return lines(
      monitorDocument(readState(readCib(withPendingEntries(document, operations)), { now: NOW, scores: false }), NOTHING),
      'resource',
    );
  };

  it('are shown in the words of crm_mon, and are no history yet', () => {
    expect(underWay(pending('png', 'stop', 'n1')).find((line) => line.includes('id="png"'))).toContain('role="Stopping"');
    expect(underWay(pending('png', 'monitor', 'n1', 10_000)).find((line) => line.includes('id="png"'))).toContain('pending="Monitoring"');
    const { document } = smallCib(EVERYTHING);
    expect(withPendingEntries(document, [pending('unknown', 'start', 'n1')])).toEqual(document);
  });
});

describe('monitorDocument', () => {
  it('sums the cluster up, and says who looks after it', () => {
    expect(
      lines(shown(EVERYTHING, FACTS), 'pacemaker-result', 'current_dc', 'last_change', 'resources_configured', 'cluster_options'),
    ).toEqual([
      '<pacemaker-result api-version="2.25" request="crm_mon --output-as=xml">',
      '<current_dc present="true" version="1" name="systole" id="systole" with_quorum="true" mixed_version="false"/>',
      '<last_change time="Tue Nov 14 22:13:20 2023" user="user:alice" client="replace-configuration" origin="api"/>',
      '<resources_configured number="18" disabled="1" blocked="0"/>',
      '<cluster_options stonith-enabled="true" symmetric-cluster="true" no-quorum-policy="freeze" maintenance-mode="false" stop-all-resources="false" stonith-timeout-ms="120000" priority-fencing-delay-ms="0"/>',
    ]);
    expect(lines(shown(EVERYTHING, { coordinator: undefined }), 'current_dc')).toEqual(['<current_dc present="false"/>']);
  });

  it('tells what was done, without probes that found nothing, and what failed', () => {
    const document = shown(EVERYTHING);
    expect(lines(document, 'operation_history', 'resource_history').map((line) => line.replace(/ last-rc.*/, ''))).toEqual([
      '<resource_history id="ip" orphan="false" migration-threshold="1000000">',
      '<operation_history call="1" task="start" rc="0" rc_text="ok"',
      '<operation_history call="2" task="monitor" rc="1" rc_text="error" interval="10000ms"',
      '<resource_history id="png" orphan="false" migration-threshold="1000000">',
      '<operation_history call="1" task="start" rc="0" rc_text="ok"',
    ]);
    expect(lines(document, 'failure')).toEqual([
      expect.stringMatching(
        /^<failure op_key="ip_monitor_10000" node="n1" exitstatus="error" .* status="Error" .* queued="\d+" exec="\d+"/,
      ),
    ]);
  });

  it('tells of bans, tickets and fencing, the newest first', () => {
    expect(lines(shown(EVERYTHING, FACTS), 'ban', 'ticket', 'fence_event')).toEqual([
      '<fence_event action="reboot" target="n3" client="user:alice" origin="user:alice" status="pending" delegate="n1"/>',
      '<fence_event action="off" target="n2" client="systole" origin="systole" status="failed" delegate="n1" exit-reason="no &quot;power&quot;" completed="2023-11-14 22:13:20Z"/>',
      '<ticket id="T1" status="granted" standby="false" last-granted="Tue Nov 14 22:13:20 2023"/>',
      '<ticket id="T2" status="revoked" standby="true"/>',
      '<ban id="less" resource="p" node="n1" weight="-7" promoted-only="true" master_only="true"/>',
      '<ban id="not2" resource="ip" node="n2" weight="-1000000" promoted-only="false" master_only="false"/>',
    ]);
  });

  it('shows bundles by replica', () => {
    expect(lines(shown(EVERYTHING), 'bundle', 'replica')).toEqual([
      '<bundle id="b" type="podman" image="img" unique="false" managed="true" failed="false">',
      '<replica id="0">',
      '<replica id="1">',
    ]);
  });

  it('leaves out sections in which nothing stands, as the reference does', () => {
    const empty = shown({ nodes: ['n1'] });
    for (const name of ['resources', 'node_attributes', 'failures', 'fence_history', 'tickets', 'bans'])
      expect(empty).not.toMatch(new RegExp(`<${name}[ >/]`));
    expect(empty).toContain('<node_history/>');
  });

  it('shows the nodes and resources that are selected, and what concerns these', () => {
    const selection = { nodes: new Set(['n1']), resources: new Set(['site', 'web', 'b', 'b-podman-1']) };
    const document = shown(EVERYTHING, FACTS, selection);
    expect(lines(document, 'resource', 'group', 'clone', 'replica').map((line) => line.replace(/(id="[^"]*").*/, '$1'))).toEqual([
      '<group id="site"',
      '<resource id="web"',
      '<replica id="1"',
      '<resource id="b-podman-1"',
    ]);
    expect(lines(document, 'failure', 'ban', 'fence_event', 'resource_history')).toEqual([]);
    expect(document.split('\n').filter((line) => line.startsWith('    <node ')).length).toBe(1);
  });

  it.runIf(existsSync(SCHEMA) && existsSync(LINT))('is valid by the schema that Pacemaker ships', () => {
    for (const document of [shown(EVERYTHING, FACTS), shown({ nodes: [] })]) {
      expect(() => execFileSync(LINT, ['--relaxng', SCHEMA, '--noout', '-'], { input: document, stdio: 'pipe' })).not.toThrow();
    }
    const other = monitorDocument(readState(readCib('<cib validate-with="none"/>'), { now: NOW }), { ...NOTHING, request: '\u0000' });
    expect(() => execFileSync(LINT, ['--relaxng', SCHEMA, '--noout', '-'], { input: other, stdio: 'pipe' })).not.toThrow();
  });
});
