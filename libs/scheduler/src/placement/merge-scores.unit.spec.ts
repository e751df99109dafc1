import { readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { schedule } from '../schedule.js';

describe('the merging of scores', () => {
  it('ends, and says so, when thousands of colocations tie a group to its own member', { timeout: 30_000 }, () => {
    const primitive = (id: string): string => `<primitive id="${id}" class="ocf" provider="acme" type="Service"/>`;
    const colocations = Array.from({ length: 8_000 }, (_, index) => `<rsc_colocation id="k${index}" rsc="g" with-rsc="a" score="-1"/>`);
    const cib = readCib(`<cib validate-with="pacemaker-4.0" have-quorum="1">
      <configuration>
        <crm_config><cluster_property_set id="o"><nvpair id="o1" name="fencing-enabled" value="false"/></cluster_property_set></crm_config>
        <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
        <resources><group id="g">${primitive('a')}${primitive('b')}${primitive('c')}</group></resources>
        <constraints>${colocations.join('')}</constraints>
      </configuration>
      <status>
        <node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member"/>
        <node_state id="2" uname="n2" in_ccm="true" crmd="online" join="member" expected="member"/>
      </status>
    </cib>`);
    const { messages, resources } = schedule(cib, { now: 1 });
    expect(messages.map(({ text }) => text).join('\n')).toContain('so entangled that not every chain of them was followed');
    expect(resources[0]).toMatchObject({ id: 'g', assignedTo: 'n1' });
  });
});
