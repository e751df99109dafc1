import { findingKey, findingsOf, serializeXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { append, threeNodes } from '../testing/stream.js';
import type { ClusterCommand } from './cluster-command.js';
import { decide } from './decide.js';

const remote = (id: string): string => `<primitive id="${id}" class="ocf" provider="pacemaker" type="remote"/>`;
const guest = (name: string): string =>
  `<primitive id="vm" class="ocf" provider="heartbeat" type="VirtualDomain"><meta_attributes id="m"><nvpair id="p" name="remote-node" value="${name}"/></meta_attributes></primitive>`;
const bundle = (id: string): string =>
  `<bundle id="${id}"><podman image="i" replicas="2"/><network control-port="9"/><primitive id="in" class="ocf" provider="pacemaker" type="Dummy"/></bundle>`;

const after = (state: ClusterState, command: ClusterCommand): ClusterState => {
  const decision = decide(command, state);
  if (!decision.ok) throw new Error(decision.rejection.message);
  return append(state, ...decision.events);
};
const standing = (resources: string): ClusterState =>
  after(threeNodes(), {
    type: 'replace-configuration',
    force: true,
    cib:
      '<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/>' +
      `<resources>${resources}</resources><constraints/></configuration><status/></cib>`,
  });

describe('what stands of the name of a remote node', () => {
  it.each<[what: string, resources: string, node: string, kind: string]>([
    ['under which no agent could join', remote('caf\u00e9'), 'caf\u00e9', 'unusable-node-name'],
    ['of a guest', guest('g/1'), 'g/1', 'unusable-node-name'],
    ['of a guest, with what nobody sees', guest('g\u200b1'), 'g\u200b1', 'unusable-node-name'],
    ['of a replica', bundle('b'.repeat(63)), `${'b'.repeat(63)}-0`, 'unusable-node-name'],
    ['that looks like another one, the first', remote('r1') + remote('R1'), 'r1', 'look-alike'],
    ['that looks like another one, the second', remote('r1') + remote('R1'), 'R1', 'look-alike'],
  ])('is not new when the node gets attributes: %s', (_, resources, node, kind) => {
    const before = standing(resources);
    const next = after(before, { type: 'set-node-attribute', node, name: 'rack', value: '1', lifetime: 'forever' });
    expect(next.cib).not.toEqual(before.cib);
    const keys = (state: ClusterState): readonly string[] => findingsOf(state.cib).map(findingKey);
    expect(keys(next)).toEqual(keys(before));
    expect(findingsOf(next.cib).map((found) => found.kind)).toContain(kind);
  });

  it('keeps nobody from importing it with its attributes', () => {
    const before = standing(remote('caf\u00e9'));
    const next = after(before, { type: 'set-node-attribute', node: 'caf\u00e9', name: 'rack', value: '1', lifetime: 'forever' });
    expect(decide({ type: 'replace-configuration', cib: serializeXml(next.cib) }, before)).toMatchObject({ ok: true });
  });
});
