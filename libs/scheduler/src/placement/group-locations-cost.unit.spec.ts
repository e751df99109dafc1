import { readCib } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { LocationConstraint } from '../model/constraints.js';
import { opened } from '../model/opened.js';
import { plan, readState } from '../run.js';

const GROUP = 5;

/** How often a run looks at each location constraint of a cluster with so many groups, in which later members are colocated with those before them. */
function looksAtEach(groups: number): number {
  const members = Array.from({ length: groups * GROUP }, (_, index) => index);
  const primitive = (index: number): string => `<primitive id="r${index}" class="ocf" provider="pacemaker" type="Dummy"/>`;
  const group = (of: number): string =>
    `<group id="g${of}">${members
      .slice(of * GROUP, (of + 1) * GROUP)
      .map(primitive)
      .join('')}</group>`;
  const colocation = (index: number): string => `<rsc_colocation id="c${index}" rsc="r${index}" with-rsc="r${index - 1}" score="10"/>`;
  const location = (index: number): string => `<rsc_location id="l${index}" rsc="r${index}" node="n1" score="5"/>`;
  const cluster = readState(
    readCib(
      '<cib validate-with="pacemaker-4.0" have-quorum="1"><configuration>' +
        '<crm_config><cluster_property_set id="o"><nvpair id="s" name="stonith-enabled" value="false"/></cluster_property_set></crm_config>' +
        `<nodes><node id="1" uname="n1"/></nodes><resources>${Array.from({ length: groups }, (_, of) => group(of)).join('')}</resources>` +
        `<constraints>${members.map(location).join('')}${members
          .filter((index) => index % GROUP > 1)
          .map(colocation)
          .join('')}</constraints>` +
        '</configuration><status><node_state id="1" uname="n1" in_ccm="true" crmd="online" join="member" expected="member"/></status></cib>',
    ),
    { now: 0 },
  );
  let looks = 0;
  opened(cluster).locations = new Proxy<LocationConstraint[]>([], {
    get(target, key, receiver): unknown {
      if (typeof key === 'string' && /^\d+$/.test(key)) looks++;
      return Reflect.get(target, key, receiver);
    },
  });
  plan(cluster);
  return looks / members.length;
}

describe('location constraints of groups', () => {
  it('are looked for among those of the group, not of the cluster', () => {
    expect([looksAtEach(2), looksAtEach(20)]).toEqual([1, 1]);
  });
});
