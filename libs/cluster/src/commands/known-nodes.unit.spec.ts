import { describe, expect, it } from 'vitest';
import { unheardNodes } from '../epoch/activation-hold.js';
import type { ClusterState } from '../state/cluster-state.js';
import { configuredNodes } from '../state/configuration.js';
import { append, execute, threeNodes } from '../testing/stream.js';
import type { ReplaceConfiguration } from './cluster-command.js';
import { decide } from './decide.js';

const put = (nodes: string): ReplaceConfiguration => ({
  type: 'replace-configuration',
  cib:
    '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
    `<nodes>${nodes}</nodes><resources/><constraints/></configuration></cib>`,
});
const idsAfter = (state: ClusterState, nodes: string) =>
  configuredNodes(execute(state, put(nodes)).cib).map(({ id, name }) => `${name}=${id}`);
const messageOf = (state: ClusterState, nodes: string) => {
  const decision = decide(put(nodes), state);
  return decision.ok ? 'accepted' : `${String(decision.rejection.status)} ${decision.rejection.message}`;
};
const TWO = '<node id="1" uname="n1"/><node id="2" uname="n2"/>';
const lost = execute(threeNodes(), { type: 'lose-lease', node: 'n3', incarnation: 1, expiredAt: 'x' });
const epoch = execute(threeNodes(), { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'person' });

describe('a document that leaves out a node', () => {
  it('does not remove one that may run resources', () => {
    expect(idsAfter(threeNodes(), TWO)).toEqual(['n1=1', 'n2=2', 'n3=3']);
    expect(idsAfter(lost, TWO)).toEqual(['n1=1', 'n2=2', 'n3=3']);
    expect(idsAfter(epoch, TWO)).toEqual(['n1=1', 'n2=2', 'n3=3']);
  });

  it('removes one that left or is down', () => {
    expect(idsAfter(execute(threeNodes(), { type: 'leave-node', node: 'n3', incarnation: 1 }), TWO)).toEqual(['n1=1', 'n2=2']);
    expect(idsAfter(execute(lost, { type: 'confirm-node-down', node: 'n3' }), TWO)).toEqual(['n1=1', 'n2=2']);
  });
});

describe('a document about nodes that are known', () => {
  it('does not change their ids, under which their status stands', () => {
    const swapped = '<node id="2" uname="n1"/><node id="1" uname="n2"/><node id="7" uname="n3"/>';
    expect(idsAfter(lost, swapped)).toEqual(['n1=1', 'n2=2', 'n3=3']);
  });

  it('is refused where it gives the id of one to another', () => {
    expect(messageOf(lost, `${TWO}<node id="3" uname="N3"/>`)).toMatch(/^422 node id 3 would be that of N3 and n3/);
  });

  it('is refused where it makes one another kind of node', () => {
    expect(messageOf(lost, `${TWO}<node id="3" uname="n3" type="remote"/>`)).toMatch(/^422 n3 is lost as a cluster node/);
  });
});

describe('a node that was not heard of since the log went back', () => {
  it('is waited for though an earlier change left it out of the configuration', () => {
    const gone = { kind: 'node', id: '3', path: 'configuration/nodes', before: '<node id="3" uname="n3"/>', position: 2 };
    const data = { command: 'replace-configuration', arguments: {}, changes: [gone] };
    const without = append(epoch, { type: 'ConfigurationChanged', data });
    expect(configuredNodes(without.cib).map(({ name }) => name)).toEqual(['n1', 'n2']);
    expect(unheardNodes(without)).toEqual(['n1', 'n2', 'n3']);
  });
});
