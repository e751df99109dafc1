import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { unknownNodes } from './unknown-nodes.js';

const found = (node: string, status = '') =>
  unknownNodes(
    parseXml(
      `<cib><configuration><crm_config/><nodes><node id="1" uname="n1"/></nodes><resources>
        <primitive id="far" class="ocf" provider="pacemaker" type="remote"/>
        <primitive id="vm" class="ocf" provider="heartbeat" type="VirtualDomain"><meta_attributes id="m"><nvpair id="r" name="remote-node" value="guest"/></meta_attributes></primitive>
        <bundle id="web"/></resources>
        <constraints><rsc_location id="l" rsc="vm" node="${node}" score="1"/></constraints></configuration><status>${status}</status></cib>`,
    ),
  );

describe('a location constraint', () => {
  it('to a node that nothing knows is told, and is no reason to refuse anything: it may join', () => {
    expect(found('n9')).toMatchObject(
      [
        {
          kind: 'unknown-node',
          level: 'warning',
          element: 'rsc_location',
          id: 'l',
          subject: 'vm',
          attribute: 'node',
          message: /^no node n9 /,
        },
      ].map((one) => ({ ...one, message: expect.stringMatching(one.message) as string })),
    );
    expect(found('web-x')).toHaveLength(1);
    expect(found('__proto__')).toHaveLength(1);
  });

  it('to one that is configured, has joined, or that a resource makes is not', () => {
    for (const node of ['n1', '1', 'far', 'guest', 'web-0']) expect(found(node)).toEqual([]);
    expect(found('n9', '<node_state id="9" uname="n9"/>')).toEqual([]);
  });
});
