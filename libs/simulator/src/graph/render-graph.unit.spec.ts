import type { GraphAction, Synapse, TransitionGraph } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import { renderGraph } from './render-graph.js';

const graph = (synapses: readonly Synapse[], more: Partial<TransitionGraph> = {}): TransitionGraph => ({
  clusterDelay: '60s',
  fencingTimeout: '90',
  failedStopOffset: 'INFINITY',
  failedStartOffset: '1',
  batchLimit: '0',
  synapses,
  ...more,
});

const pseudo = (id: number, operation: string): GraphAction => ({
  kind: 'pseudo_event',
  id,
  operation,
  operationKey: `g_${operation}_0`,
  attributes: { CRM_meta_timeout: '20000' },
});

describe('renderGraph', () => {
  it('writes a graph without actions as one tag, with options as they were written', () => {
    expect(renderGraph(graph([]))).toBe(
      '<transition_graph cluster-delay="60s" fencing-timeout="90" failed-stop-offset="INFINITY" failed-start-offset="1" batch-limit="0" transition_id="1"/>\n',
    );
  });

  it('names the migration limit and the time of the next look only when there are any', () => {
    const text = renderGraph(graph([], { migrationLimit: '3', recheckBy: 1_700_000_000 }));
    expect(text).toContain('transition_id="1" migration-limit="3" recheck-by="1700000000"/>');
  });

  it('writes each action with its details, and its inputs without', () => {
    const monitor: GraphAction = {
      kind: 'rsc_op',
      id: 9,
      operation: 'monitor',
      operationKey: 'db_monitor_10000',
      internalOperationKey: 'db:0_monitor_10000',
      node: { id: '2', name: 'n2', router: 'n1' },
      primitive: { id: 'db', longId: 'db:0', class: 'ocf', provider: 'systole', type: 'Dummy' },
      attributes: { CRM_meta_interval: '10000', path: 'a<b>"c"&\n' },
      params: [{ name: '1', value: 'one' }],
    };
    const synapses = [
      { id: 0, priority: 1_000_000, action: pseudo(3, 'start'), inputs: [] },
      { id: 1, priority: 0, action: monitor, inputs: [3] },
    ];
    expect(renderGraph(graph(synapses)).split('\n').slice(1).join('\n')).toBe(`  <synapse id="0" priority="1000000">
    <action_set>
      <pseudo_event id="3" operation="start" operation_key="g_start_0">
        <attributes CRM_meta_timeout="20000"/>
      </pseudo_event>
    </action_set>
    <inputs/>
  </synapse>
  <synapse id="1">
    <action_set>
      <rsc_op id="9" operation="monitor" operation_key="db_monitor_10000" internal_operation_key="db:0_monitor_10000" on_node="n2" on_node_uuid="2" router_node="n1">
        <primitive id="db" long-id="db:0" class="ocf" provider="systole" type="Dummy"/>
        <attributes CRM_meta_interval="10000" path="a&lt;b&gt;&quot;c&quot;&amp;&#x0A;">
          <param name="1" value="one"/>
        </attributes>
      </rsc_op>
    </action_set>
    <inputs>
      <trigger>
        <pseudo_event id="3" operation="start" operation_key="g_start_0"/>
      </trigger>
    </inputs>
  </synapse>
</transition_graph>
`);
  });

  it('lists the nodes that fencing takes down, and the mode and lock of an action in its tag', () => {
    const fencing: GraphAction = {
      kind: 'crm_event',
      id: 1,
      operation: 'stonith',
      operationKey: 'stonith-n1-reboot',
      node: { id: '1', name: 'n1' },
      attributes: {},
      downed: ['1', 'guest'],
    };
    const erase: GraphAction = { ...fencing, id: 2, operation: 'lrm_delete', mode: 'cib', shutdownLock: 1234, downed: [] };
    const maintenance: GraphAction = { ...pseudo(4, 'maintenance_nodes'), maintenance: [{ nodeId: 'r1', inMaintenance: true }] };
    const text = renderGraph(graph([fencing, erase, maintenance].map((action, id) => ({ id, priority: 0, action, inputs: [] }))));
    expect(text).toContain('        <downed>\n          <node id="1"/>\n          <node id="guest"/>\n        </downed>\n');
    expect(text).toMatch(/<crm_event mode="cib" id="2" [^>]* shutdown-lock="1234">/);
    expect(text).toContain('          <node id="r1" node_in_maintenance="1"/>\n');
  });
});
