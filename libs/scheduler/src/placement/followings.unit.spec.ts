import { readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { schedule } from '../schedule.js';

const LENGTH = 24;

const primitive = (id: string, priority = 0): string => `<primitive id="${id}" class="ocf" provider="acme" type="S">
  <meta_attributes id="${id}-m"><nvpair id="${id}-p" name="priority" value="${priority}"/></meta_attributes></primitive>`;
const colocation = (rsc: string, withRsc: string): string =>
  `<rsc_colocation id="${rsc}-${withRsc}" rsc="${rsc}" with-rsc="${withRsc}" score="INFINITY"/>`;

/**
 * p24 with p23 … with p0, and p1 with r0, which is placed first and asks for the chain; p24 is placed next and follows q1 to n1, which changes its scores, and only
 * then p0 asks for the same chain.
 */
function chain(): string {
  const members = Array.from({ length: LENGTH + 1 }, (_, index) => `p${index}`);
  const last = `p${LENGTH}`;
  const state = (id: number): string =>
    `<node_state id="${id}" uname="n${id}" in_ccm="true" crmd="online" join="member" expected="member"/>`;
  return `<cib validate-with="pacemaker-4.0" have-quorum="1" epoch="1" num_updates="0" admin_epoch="0">
    <configuration>
      <crm_config><cluster_property_set id="o"><nvpair id="o1" name="fencing-enabled" value="false"/></cluster_property_set></crm_config>
      <nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>
      <resources>${primitive('r0', 100)}${primitive('q1', 40)}${members.map((id) => primitive(id, id === last ? 50 : 0)).join('')}</resources>
      <constraints>
        ${colocation('p1', 'r0')}${colocation(last, 'q1')}
        ${members
          .slice(1)
          .map((id, index) => colocation(id, `p${index}`))
          .join('')}
        <rsc_location id="l1" rsc="${last}" node="n2" score="100"/><rsc_location id="l2" rsc="q1" node="n1" score="1000"/>
      </constraints>
    </configuration>
    <status>${state(1)}${state(2)}</status>
  </cib>`;
}

describe('what is remembered of a chain', () => {
  it('is forgotten when the scores at its far end change between two that ask for it', () => {
    const scores = (explain: boolean): string[] =>
      schedule(readCib(chain()), { now: 1, explain }).scores.map(({ resource, node, score }) => `${resource} ${node} ${score}`);
    expect(scores(false)).toContain('p0 n2 0');
    expect(scores(false)).toEqual(scores(true));
  });
});
