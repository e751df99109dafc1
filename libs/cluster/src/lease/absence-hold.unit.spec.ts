import { describe, expect, it } from 'vitest';
import { initialState, type ClusterState } from '../state/cluster-state.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import { absenceHold } from './absence-hold.js';

const NOW = Date.UTC(2026, 0, 1);
const LOST_FOR_MS = 60_000;
const withLoss = (options = ''): ClusterState =>
  execute(threeNodes({ options }), { type: 'lose-lease', node: 'n3', incarnation: 1, expiredAt: 'x' });
const lost = withLoss();
const holdAt = (state: ClusterState, servedForMs: number | undefined) => absenceHold(state, servedForMs, () => LOST_FOR_MS, NOW);

describe('a node that was lost before the servers were away', () => {
  it('gets dc-deadtime from their return', () => {
    expect(holdAt(lost, 1_000)).toEqual({ nodes: ['n3'], forMs: 19_000, reason: 'the servers were away: waiting for n3 to come back' });
    expect(holdAt(lost, 20_000)).toBeUndefined();
    expect(holdAt(withLoss(option('dc-deadtime', '30s')), 20_000)?.forMs).toBe(10_000);
  });

  it('is waited for as long as they are away', () => {
    expect(holdAt(lost, undefined)).toMatchObject({ nodes: ['n3'], forMs: Number.POSITIVE_INFINITY });
    expect(holdAt(threeNodes(), undefined)).toBeUndefined();
  });

  it('is not waited for when it was lost since, nor when somebody asked for its fencing, nor without fencing', () => {
    expect(absenceHold(lost, 1_000, () => 999, NOW)).toBeUndefined();
    const asked = execute(lost, { type: 'set-node-attribute', node: 'n3', name: 'terminate', value: 'true', lifetime: 'reboot' });
    expect(holdAt(asked, 1_000)).toBeUndefined();
    expect(holdAt(withLoss(option('fencing-enabled', 'false')), 1_000)).toBeUndefined();
  });
});

describe('a node that was not heard of before the servers were away', () => {
  const BEGIN = { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'r', by: 'b' } as const;
  const join = (node: string) => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5_000 }) as const;

  it('gets dc-deadtime from their return when the log had gone back', () => {
    const unheard = execute(threeNodes(), BEGIN, join('n1'), join('n2'));
    expect(holdAt(unheard, 1_000)).toMatchObject({ nodes: ['n3'], forMs: 19_000 });
    expect(holdAt(unheard, undefined)).toMatchObject({ nodes: ['n3'], forMs: Number.POSITIVE_INFINITY });
    expect(absenceHold(unheard, 1_000, () => 999, NOW)).toBeUndefined();
    expect(holdAt(unheard, 20_000)).toBeUndefined();
  });

  it('is not waited for when it had left before, nor without fencing', () => {
    const leave = { type: 'leave-node', node: 'n3', incarnation: 1 } as const;
    expect(holdAt(execute(threeNodes(), leave, BEGIN, join('n1'), join('n2')), 1_000)).toBeUndefined();
    const unfenced = threeNodes({ options: option('fencing-enabled', 'false') });
    expect(holdAt(execute(unfenced, BEGIN, join('n1'), join('n2')), 1_000)).toBeUndefined();
  });

  it('gets it when it never joined, where such nodes are fenced', () => {
    const configured = (options = ''): ClusterState => {
      const crmConfig = `<crm_config><cluster_property_set id="s">${options}</cluster_property_set></crm_config>`;
      const nodes = '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>';
      const cib =
        '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0">' +
        `<configuration>${crmConfig}${nodes}<resources/><constraints/></configuration><status/></cib>`;
      return execute(initialState(), { type: 'create-cluster', name: 'c', cib }, join('n1'));
    };
    expect(holdAt(configured(), 1_000)).toMatchObject({ nodes: ['n2'], forMs: 19_000 });
    expect(holdAt(configured(option('startup-fencing', 'false')), 1_000)).toBeUndefined();
  });
});
