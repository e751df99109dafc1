import { fold, initialState, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { reducedTroubles, untoldNotes } from './reduced-troubles.js';
import { troublesOf } from './troubles.js';

const DEVICE = '<primitive id="ipmi" class="stonith" type="fence_x"/>';

function stateWith(options: Readonly<Record<string, string>>, resources = DEVICE): ClusterState {
  const pairs = Object.entries(options).map(([name, value]) => `<nvpair id="o-${name}" name="${name}" value="${value}"/>`);
  const cib = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config><cluster_property_set id="o">${pairs.join('')}</cluster_property_set></crm_config><nodes/><resources>${resources}</resources><constraints/></configuration><status/></cib>`;
  return fold(initialState(), [
    {
      version: 1,
      occurredAt: '2026-01-01T00:00:00.000Z',
      actor: 'test',
      correlationId: 'c',
      event: { type: 'ClusterCreated', data: { name: 'c', cib } },
    },
  ]);
}

const told = (options: Readonly<Record<string, string>>, resources?: string): readonly string[] =>
  reducedTroubles(stateWith(options, resources), 0).map(({ code, level, text }) => `${level} ${code}: ${text}`);

describe('a configuration that leaves things undone or unguarded', () => {
  it('is none with a fence device and everything as it is by default', () => {
    expect(told({})).toEqual([]);
  });

  it('is told where fencing is switched on without any device: nothing is managed then', () => {
    expect(told({}, '')).toEqual(['bad nothing-managed: nothing is managed: fencing is switched on without a fence device']);
    expect(told({ 'have-watchdog': 'true' }, '')).toEqual(['warn no-fence-device: no fence device can be used']);
    expect(told({ 'stonith-enabled': 'false' }, '')).toEqual(['warn fencing-disabled: fencing is switched off']);
  });

  it('is told where the cluster is in maintenance, or goes on without quorum', () => {
    expect(told({ 'maintenance-mode': 'true', 'no-quorum-policy': 'ignore' })).toEqual([
      'warn maintenance-mode: maintenance: nothing is started, stopped or monitored',
      'warn quorum-ignored: no-quorum-policy is ignore',
    ]);
  });

  it('is told where somebody keeps everything stopped', () => {
    expect(told({ 'stop-all-resources': 'true' })).toEqual([
      'warn all-stopped: everything is kept stopped: stop-all-resources is on, until "start-all"',
    ]);
  });

  it('stands among the troubles by its weight', () => {
    const reduced = [...reducedTroubles(stateWith({ 'maintenance-mode': 'true' }, ''), 0)];
    const failures = [{ resource: 'db', node: 'n1', operation: 'monitor', intervalMs: 0, rc: 1 }];
    expect(troublesOf({ nodes: [], resources: [], failures, reduced }).map(({ code }) => code)).toEqual([
      'nothing-managed',
      'maintenance-mode',
      'failed-operations',
    ]);
  });
});

describe('safety notes that no other trouble stands for', () => {
  it('are a trouble, so that nobody reads settled over them', () => {
    const notes = ['node-lost', 'second-machine', 'results-dropped', 'second-machine'].map((code) => ({ code, text: 'at length' }));
    expect(untoldNotes(notes)).toEqual([{ code: 'safety-notes', level: 'warn', text: 'see Safety: second machine, results dropped' }]);
    expect(untoldNotes(notes.slice(0, 1))).toEqual([]);
  });
});
