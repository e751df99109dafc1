import { describe, expect, it } from 'vitest';
import type { OperationRecorded } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { historyOf } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { relevance } from '../state/relevance.js';
import { operationRecorded } from '../testing/operation-recorded.js';
import { append, EPOCH, execute, option, threeNodes } from '../testing/stream.js';
import { heldBack } from './held-back.js';
import { leftRunning } from './left-running.js';

const VM =
  '<primitive id="vm" class="ocf" provider="systole" type="Dummy"><meta_attributes id="vm-m"><nvpair id="vm-m-a" name="allow-migrate" value="true"/></meta_attributes></primitive>';

/** Newer on its node than all that was before. */
let calls = 100;
function ofVm(node: string, operation: string, changes: Partial<OperationRecorded['data']> = {}): OperationRecorded {
  return operationRecorded({ resource: 'vm', node, operation, callId: calls++, ...changes });
}
const sent = (changes: Partial<OperationRecorded['data']> = {}): OperationRecorded =>
  ofVm('n1', 'migrate_to', { migrateSource: 'n1', migrateTarget: 'n2', ...changes });

/** `vm` was started on n1, and n2 found it not to be there; without fencing. */
function running(): ClusterState {
  const state = threeNodes({ options: option('stonith-enabled', 'false'), resources: VM });
  return append(append(state, ofVm('n1', 'start')), ofVm('n2', 'monitor', { rc: 7 }));
}
function lost(state: ClusterState, node = 'n2'): ClusterState {
  return execute(state, { type: 'lose-lease', node, incarnation: 1, expiredAt: new Date(0).toISOString() });
}
function held(state: ClusterState): readonly string[] {
  return leftRunning(state).flatMap(({ resources }) => resources);
}

describe('what a live migration has brought to a node that has not said anything of it', () => {
  it('is started nowhere else when that node is lost, for its agent does not know of it', () => {
    const state = lost(append(running(), sent()));
    expect(leftRunning(state)).toEqual([{ node: 'n2', resources: ['vm'] }]);
    expect(held(state)).toEqual(['vm']);
    expect(heldBack(state, EPOCH)).toMatchObject([{ node: 'n2', starts: ['vm'] }]);
    // What it was sent from is stopped then, and knows nothing more.
    expect(held(append(state, ofVm('n1', 'stop')))).toEqual(['vm']);
  });

  it('waits for that node where the migration ended when it was lost already', () => {
    expect(held(append(lost(running()), sent()))).toEqual(['vm']);
  });

  it('may be there where nobody knows how the migration ended, and not where it failed', () => {
    expect(held(lost(append(running(), sent({ status: 'timeout', rc: 1 }))))).toEqual(['vm']);
    expect(held(lost(append(running(), sent({ rc: 1 }))))).toEqual([]);
  });

  it.each(['migrate_from', 'stop', 'monitor'])('waits for nothing where the node has said something of it since (%s)', (operation) => {
    expect(held(lost(append(append(running(), sent()), ofVm('n2', operation))))).toEqual([]);
  });

  it('waits for nothing when another node is lost', () => {
    expect(held(lost(append(running(), sent()), 'n3'))).toEqual([]);
  });

  it('is free when the node is confirmed down', () => {
    const state = execute(lost(append(running(), sent())), { type: 'confirm-node-down', node: 'n2' });
    expect(held(state)).toEqual([]);
    expect(memberOf(state, 'n2')).not.toHaveProperty('arriving');
  });

  it('is waited for until the node that joined again has looked', () => {
    const join = { type: 'join-node', node: 'n2', agentVersion: '1', leaseMs: 5000, bootId: 'b' } as const;
    const booted = execute(running(), { type: 'leave-node', node: 'n2', incarnation: 1 }, join);
    const away = lostAs(append(booted, sent()), 2);
    expect(held(away)).toEqual(['vm']);
    const back = execute(away, join);
    expect(held(back)).toEqual([]);
    expect(held(lostAs(back, 3))).toEqual(['vm']);
    const looked = append(back, ofVm('n2', 'monitor', { rc: 7, incarnation: 3 }));
    expect(held(lostAs(looked, 3))).toEqual([]);
  });

  it('is gone with the boot that it came to, when the machine was restarted for certain', () => {
    const down = execute(lost(append(running(), sent())), { type: 'confirm-node-down', node: 'n2' });
    const back = execute(down, { type: 'join-node', node: 'n2', agentVersion: '1', leaseMs: 5000, bootId: 'b2' });
    expect(held(lostAs(back, 2))).toEqual([]);
  });

  it('is waited for when the node leaves with it', () => {
    expect(held(execute(append(running(), sent()), { type: 'leave-node', node: 'n2', incarnation: 1, active: [] }))).toEqual(['vm']);
  });
});

describe('what a result of a life that is over tells of a live migration', () => {
  const join = { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000, active: ['vm'] } as const;
  const rejoined = (): ClusterState => execute(running(), join);
  const seenOn = (state: ClusterState, node: string): boolean => {
    const member = memberOf(state, node);
    return member !== undefined && historyOf(nodeStateOf(state.cib, member), 'vm') !== undefined;
  };

  it.each([
    ['was cut short by the end of the agent', { status: 'error', rc: 1 }],
    ['ended well before the agent was restarted', {}],
  ] as const)('has the target look for it before it is started anywhere, and it is planned anew (%s)', (_, changes) => {
    const before = rejoined();
    expect(seenOn(before, 'n2')).toBe(true);
    const event = sent({ ...changes, late: true });
    expect(relevance(before, event)).toMatchObject({ effect: 'abort', reason: 'vm may have been migrated to n2' });
    const told = append(before, event);
    expect(seenOn(told, 'n2')).toBe(false);
    expect(held(lost(told))).toEqual(['vm']);
  });

  it('changes nothing where it failed, or the target runs it', () => {
    expect(seenOn(append(rejoined(), sent({ rc: 1, late: true })), 'n2')).toBe(true);
    const there = append(rejoined(), ofVm('n2', 'start'));
    expect(relevance(there, sent({ late: true }))).toMatchObject({ effect: 'none' });
    expect(seenOn(append(there, sent({ late: true })), 'n2')).toBe(true);
  });
});

describe('what a live migration brings across an epoch of the log', () => {
  const BEGIN = { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' } as const;
  const join = (node: string, active: readonly string[] = []) =>
    ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000, bootId: `boot-${node}`, active }) as const;
  const lifeOf = (state: ClusterState, node: string) => ({ incarnation: memberOf(state, node)?.incarnation ?? 0 });
  const lostNow = (state: ClusterState): ClusterState => lostAs(state, lifeOf(state, 'n2').incarnation);
  const booted = (): ClusterState => {
    const joined = execute(running(), { type: 'leave-node', node: 'n2', incarnation: 1, active: [] }, join('n2'));
    return append(joined, ofVm('n2', 'monitor', { rc: 7, incarnation: 2 }));
  };
  const probed = (state: ClusterState): ClusterState => {
    const transitionKey = '8:2:7:e2';
    return append(
      state,
      ofVm('n1', 'monitor', { transitionKey, ...lifeOf(state, 'n1') }),
      ofVm('n2', 'monitor', { transitionKey, ...lifeOf(state, 'n2'), rc: 7 }),
    );
  };
  const lateOfBefore = (): OperationRecorded => sent({ late: true });
  const histories = (state: ClusterState): readonly string[] =>
    ['n1', 'n2'].filter((node) => {
      const member = memberOf(state, node);
      return member !== undefined && historyOf(nodeStateOf(state.cib, member), 'vm') !== undefined;
    });

  it('is looked for at the target when it is told in the next one', () => {
    const state = probed(execute(booted(), BEGIN, join('n1', ['vm']), join('n2')));
    expect(histories(state)).toEqual(['n1', 'n2']);
    expect(relevance(state, lateOfBefore())).toMatchObject({ effect: 'abort', reason: 'vm may have been migrated to n2' });
    const told = append(state, lateOfBefore());
    expect(histories(told)).toEqual(['n1']);
    expect(held(lostNow(told))).toEqual(['vm']);
  });

  it('is known of a target that is heard of only then, and lost before it was looked at', () => {
    const told = append(execute(booted(), BEGIN, join('n1', ['vm'])), lateOfBefore());
    expect(held(lostNow(execute(told, join('n2'))))).toEqual(['vm']);
  });

  it('is not forgotten with the epoch in which it was told', () => {
    const state = execute(append(booted(), sent()), BEGIN);
    expect(held(state)).toEqual(['vm']);
    const back = execute(state, join('n1'), join('n2'));
    expect(held(lostNow(back))).toEqual(['vm']);
    const looked = append(back, ofVm('n2', 'monitor', { rc: 7, ...lifeOf(back, 'n2'), transitionKey: '8:2:7:e2' }));
    expect(held(lostNow(looked))).toEqual([]);
  });
});

function lostAs(state: ClusterState, incarnation: number): ClusterState {
  return execute(state, { type: 'lose-lease', node: 'n2', incarnation, expiredAt: new Date(0).toISOString() });
}
