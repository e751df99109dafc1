import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import { device } from '../fencing/testing/fencing-cluster.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { execute, option, planned, threeNodes } from '../testing/stream.js';
import { activationHold } from './activation-hold.js';

const join = (node: string, more: object = {}): ClusterCommand => ({
  ...{ type: 'join-node', node, agentVersion: '1', leaseMs: 5_000, bootId: `boot-${node}` },
  ...more,
});
const lost: ClusterCommand = { type: 'lose-lease', node: 'n3', incarnation: 2, expiredAt: 'x' };
const epoch: ClusterCommand = {
  ...{ type: 'begin-epoch', clusterId: 'cluster-1', epoch: 'e2', reason: 'yesterday’s copy was put back', by: 'a person' },
};
const attempt = { fencingId: 'cluster-1:1:9:1', target: 'n3', action: 'reboot', device: 'd', executor: 'n1' } as const;
const request = (more: object = {}): ClusterCommand => ({
  type: 'request-fencing',
  request: { ...attempt, attempt: 1, transition: 1, graphActionId: 9, ...more },
});
const membershipOf = (state: ClusterState) => memberOf(state, 'n3')?.membership;

describe('an attempt to fence a node that is open when the log goes back', () => {
  const asked = execute(planned(execute(threeNodes({ resources: device('d') }), join('n3'), lost)), request());
  const restored = execute(asked, epoch);
  const told: ClusterCommand = { type: 'complete-fencing', result: { ...attempt, incarnation: 1, resultId: 'r1', outcome: 'succeeded' } };

  it('takes a node for down, while it is known when it ended', () => {
    expect(membershipOf(execute(asked, told))).toBe('down');
  });

  it('says nothing any more, whoever tells late how it ended: the node may have been started again in the lost tail', () => {
    expect(restored.fencing).toEqual({});
    expect(membershipOf(execute(restored, told))).toBe('unheard');
    expect(activationHold(execute(restored, told), 0)?.nodes).toContain('n3');
    expect(membershipOf(execute(restored, join('n3'), told))).toBe('joined');
    expect(membershipOf(execute(restored, join('n1'), join('n3'), told))).toBe('joined');
  });

  it('by its own watchdog keeps it from joining no more: nobody counts', () => {
    const options = option('stonith-watchdog-timeout', '10s');
    const feeding = execute(threeNodes({ options }), join('n3', { onLeaseLoss: 'watchdog', watchdogMs: 5_000 }), {
      ...{ type: 'note-watchdog', node: 'n3', incarnation: 2, seq: 1, timeoutMs: 5_000 },
    });
    const counted = execute(planned(execute(feeding, lost)), request({ device: 'watchdog', executor: 'n3', watchdogMs: 10_000 }));
    expect(decide(join('n3'), counted)).toMatchObject({ rejection: { code: 'reset-ordered' } });
    expect(membershipOf(execute(counted, epoch, join('n3')))).toBe('joined');
  });
});
