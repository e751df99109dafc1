import { fold, initialState, type ClusterEvent, type ClusterState } from '@systole/cluster';
import { describe, expect, it } from 'vitest';
import { pictureOf } from '../computing/schedule-task.js';
import { serializeXml } from '@systole/cib';
import { stoppingOf } from './stopping-waits.js';
import { troublesOf } from './troubles.js';

const PAIRS = {
  fencing: '<nvpair id="f" name="stonith-enabled" value="false"/>',
  stop: '<nvpair id="s" name="stop-all-resources" value="true"/>',
};
const cibWith = ({ options = PAIRS.fencing, meta = '', node = '' }): string =>
  `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration>
    <crm_config><cluster_property_set id="cib-bootstrap-options">${PAIRS.stop}${options}</cluster_property_set></crm_config>
    <nodes><node id="1" uname="n1">${node}</node></nodes>
    <resources><primitive id="db" class="ocf" provider="acme" type="Db">${meta}</primitive></resources><constraints/></configuration><status/></cib>`;
const operation = (name: string, rc: number): ClusterEvent => ({
  type: 'OperationRecorded',
  data: {
    ...{ node: 'n1', incarnation: 1, resource: 'db', class: 'ocf', provider: 'acme', agentType: 'Db', operation: name, intervalMs: 0 },
    ...{
      status: 'done',
      rc,
      callId: name === 'start' ? 1 : 2,
      transitionKey: '1:1:0:c',
      lastRcChange: 1,
      execMs: 1,
      queueMs: 0,
      late: false,
    },
  },
});
const stopping = (given: Parameters<typeof cibWith>[0], ...more: readonly ClusterEvent[]): ClusterState => {
  const events: readonly ClusterEvent[] = [
    { type: 'ClusterCreated', data: { name: 'c', cib: cibWith(given) } },
    { type: 'NodeJoined', data: { node: 'n1', nodeId: '1', incarnation: 1, leaseMs: 5000, agentVersion: '1' } },
    { type: 'QuorumChanged', data: { quorate: true, votes: 1, expectedVotes: 1 } },
    operation('start', 0),
    { type: 'ClusterStopping', data: {} },
    ...more,
  ];
  const recorded = events.map((event, index) => ({
    version: index + 1,
    occurredAt: '2026-01-01T00:00:00.000Z',
    actor: 'test',
    correlationId: 'c',
    event,
  }));
  return fold(initialState(), recorded);
};
const shownOf = (state: ClusterState) => {
  if (state.stopping === undefined) throw new Error('it is not being stopped');
  const picture = pictureOf({ cib: { format: 'xml', text: serializeXml(state.cib) }, now: 1_800_000_000 });
  return stoppingOf(state, state.stopping, picture, 1_800_000_000_000);
};
const pair = (name: string, value: string): string => `<nvpair id="p-${name}" name="${name}" value="${value}"/>`;

describe('a cluster that is stopped before it is deleted says what it waits for', () => {
  it.each([
    ['nothing but time', {}, [], 'it is being stopped'],
    ['maintenance', { options: PAIRS.fencing + pair('maintenance-mode', 'true') }, [], 'maintenance-mode is on: set it to false'],
    [
      'maintenance of a node',
      { node: `<instance_attributes id="a">${pair('maintenance', 'true')}</instance_attributes>` },
      [],
      'n1 is in maintenance: end that',
    ],
    ['what is not managed', { meta: `<meta_attributes id="m">${pair('is-managed', 'false')}</meta_attributes>` }, [], 'it is not managed'],
    ['a fence device', { options: '' }, [], 'fencing is switched on without a fence device'],
    ['a stop that failed', {}, [operation('stop', 1)], 'it is blocked, as a stop of it failed'],
  ] as const)('%s', (_, given, more, text) => {
    const { active, waitsFor } = shownOf(stopping(given, ...more));
    expect(active).toEqual(['db']);
    expect(waitsFor).toMatchObject([{ kind: 'resource', name: 'db', text: expect.stringContaining(text) as string }]);
  });

  it('a node that is away', () => {
    const lost = stopping(
      { options: '<nvpair id="d" name="have-watchdog" value="true"/>' },
      { type: 'NodeLeaseLost', data: { node: 'n1', incarnation: 1, expiredAt: '2026-01-01T00:00:00.000Z' } },
    );
    const shown = shownOf(lost);
    expect(shown.waitsFor).toMatchObject([
      { kind: 'resource', name: 'db', text: 'it may run on n1, which is unclean: that node has to be fenced or confirmed down first' },
      { kind: 'node', name: 'n1', text: expect.stringContaining('start its agent') as string },
    ]);
    const [trouble] = troublesOf({ nodes: [], resources: [], failures: [], stopping: shown });
    expect(trouble?.text).toContain('unless you cancel the deletion: waiting for db (it may run on n1, which is unclean');
  });
});
