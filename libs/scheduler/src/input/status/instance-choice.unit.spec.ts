import { readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { schedule } from '../../schedule.js';

describe('the choice of instances', () => {
  it('takes time in proportion to the histories of one name', { timeout: 30_000 }, () => {
    const count = 30_000;
    const histories = Array.from(
      { length: count },
      (_, index) => `<lrm_resource id="p" class="ocf" provider="acme" type="Service">
        <lrm_rsc_op id="p_${index}" operation="start" interval="0" call-id="${index + 1}" rc-code="0" op-status="0" crm_feature_set="3.19.0"
          transition-key="1:1:0:u" transition-magic="0:0;1:1:0:u"/></lrm_resource>`,
    );
    const cib = readCib(`<cib validate-with="pacemaker-4.0" have-quorum="1">
      <configuration>
        <crm_config><cluster_property_set id="o"><nvpair id="o1" name="fencing-enabled" value="false"/></cluster_property_set></crm_config>
        <nodes><node id="1" uname="n1"/></nodes>
        <resources><clone id="c"><primitive id="p" class="ocf" provider="acme" type="Service"/></clone></resources>
        <constraints/>
      </configuration>
      <status>
        <node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member">
          <lrm id="1"><lrm_resources>${histories.join('')}</lrm_resources></lrm>
        </node_state>
      </status>
    </cib>`);
    const { graph } = schedule(cib, { now: 1, scores: false });
    const stops = graph.synapses.filter(({ action }) => action.kind === 'rsc_op' && action.operation === 'stop');
    expect(stops).toHaveLength(count);
  });
});
