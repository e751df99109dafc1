import { readCib } from '@systole/cib';
import { plan, readState } from '@systole/scheduler';
import { expect, it } from 'vitest';
import { shownAttributes } from './node-attributes.js';

it('showing what connectivity is expected proposes no time for the next run (specification 01 §6.5)', () => {
  const read = (): ReturnType<typeof readState> =>
    readState(
      readCib(`<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0" have-quorum="1"><configuration>
        <crm_config><cluster_property_set id="o"><nvpair id="o-s" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>
        <nodes><node id="1" uname="n1"/></nodes><resources>
          <primitive id="ping" class="ocf" provider="pacemaker" type="ping">
            <instance_attributes id="later" score="2"><rule id="later-r" score="0"><date_expression id="later-d" operation="gt" start="2030-01-01"/></rule><nvpair id="l-h" name="host_list" value="a b c"/></instance_attributes>
            <instance_attributes id="now" score="1"><nvpair id="n-h" name="host_list" value="a b"/><nvpair id="n-m" name="multiplier" value="100"/></instance_attributes>
          </primitive>
        </resources><constraints/></configuration><status>
          <node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member">
            <transient_attributes id="1"><instance_attributes id="t"><nvpair id="t-p" name="pingd" value="100"/></instance_attributes></transient_attributes>
            <lrm id="1"><lrm_resources><lrm_resource id="ping" class="ocf" provider="pacemaker" type="ping">
              <lrm_rsc_op id="ping_last_0" operation_key="ping_start_0" operation="start" transition-key="1:1:0:u" transition-magic="0:0;1:1:0:u" call-id="1" rc-code="0" op-status="0" interval="0"/>
            </lrm_resource></lrm_resources></lrm>
          </node_state>
        </status></cib>`),
      { now: 1_700_000_000 },
    );
  const cluster = read();
  const shown = cluster.nodes.flatMap((node) => shownAttributes(cluster, node));
  expect(shown).toEqual([{ name: 'pingd', value: '100', expected: 200 }]);
  expect(plan(cluster).graph.recheckBy).toBe(plan(read()).graph.recheckBy);
});
