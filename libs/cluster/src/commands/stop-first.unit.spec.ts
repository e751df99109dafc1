import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { append, execute, option, planned, threeNodes } from '../testing/stream.js';
import type { JoinNode } from './cluster-command.js';
import { decide } from './decide.js';

/** Each process has a letter. */
const join = (process: string, number: number, more: Partial<JoinNode> = {}): JoinNode => ({
  type: 'join-node',
  node: 'n1',
  agentVersion: '1',
  leaseMs: 5000,
  bootId: 'boot',
  attempt: { processStartedMs: process.charCodeAt(0), number },
  ...more,
});
const outcomeOf = (command: JoinNode, state: ClusterState): string => {
  const decision = decide(command, state);
  if (!decision.ok) return decision.rejection.code;
  const [event] = decision.events;
  return event?.type === 'NodeJoined' ? `incarnation ${String(event.data.incarnation)}` : 'as before';
};
const lost = { type: 'lose-lease', node: 'n1', incarnation: 2, expiredAt: 'x' } as const;
const DB = '<primitive id="db" class="ocf" provider="systole" type="Dummy"/>';

describe('a node that comes back with what it ran', () => {
  const ran = { active: ['db', 'vip'], lastIncarnation: 2 };
  const joined = execute(threeNodes({ resources: DB, options: option('stonith-enabled', 'true') }), join('a', 1));
  const down = execute(joined, lost, { type: 'confirm-node-down', node: 'n1' });
  const pointers = (command: JoinNode, state: ClusterState): readonly (string | undefined)[] => {
    const decision = decide(command, state);
    return decision.ok ? [] : (decision.rejection.issues ?? []).map(({ pointer }) => pointer);
  };

  it('stops it first after it was confirmed down, and is let in without it', () => {
    expect(outcomeOf(join('b', 1, ran), down)).toBe('declared-down');
    expect(pointers(join('b', 1, ran), down)).toEqual(['/active/0', '/active/1']);
    expect(outcomeOf(join('b', 1), down)).toBe('incarnation 3');
    expect(outcomeOf(join('b', 1, { ...ran, active: [] }), down)).toBe('incarnation 3');
  });

  it('is let in with what it could not stop: it has to be seen that it runs there', () => {
    expect(pointers(join('b', 1, { ...ran, stopFailed: ['db'] }), down)).toEqual(['/active/1']);
    expect(outcomeOf(join('b', 1, { ...ran, stopFailed: ['vip', 'db'] }), down)).toBe('incarnation 3');
  });

  it('goes on with it after its lease was lost where nothing was started elsewhere without fencing', () => {
    expect(outcomeOf(join('b', 1, ran), execute(joined, lost))).toBe('incarnation 3');
    const unfenced = execute(threeNodes({ options: option('stonith-enabled', 'false') }), join('a', 1, { onLeaseLoss: 'stop' }), lost);
    expect(outcomeOf(join('b', 1, ran), unfenced)).toBe('declared-down');
  });

  it('stops it when the node was taken for another boot since', () => {
    const replaced = execute(down, join('b', 1, { bootId: 'boot-2' }), { ...lost, incarnation: 3 });
    expect(outcomeOf(join('a', 2, ran), replaced)).toBe('declared-down');
    expect(outcomeOf(join('c', 1, { bootId: 'boot-2', active: ['db'], lastIncarnation: 3 }), replaced)).toBe('incarnation 4');
  });

  describe('and left during maintenance', () => {
    const left = execute(threeNodes({ resources: DB, options: option('maintenance-mode', 'true') }), join('a', 1), {
      type: 'leave-node',
      node: 'n1',
      incarnation: 2,
    });
    const active = { active: ['db'], lastIncarnation: 2 };

    it('goes on with it', () => {
      expect(outcomeOf(join('b', 1, active), left)).toBe('incarnation 3');
    });

    it('but not where another node has it, or may be about to start it', () => {
      const elsewhere = append(left, {
        type: 'OperationRecorded',
        data: {
          ...{ node: 'n2', incarnation: 1, resource: 'db', class: 'ocf', provider: 'systole', agentType: 'Dummy', operation: 'start' },
          ...{
            intervalMs: 0,
            status: 'done',
            rc: 0,
            callId: 1,
            transitionKey: '1:1:0:c',
            lastRcChange: 1,
            execMs: 1,
            queueMs: 0,
            late: false,
          },
        },
      });
      expect(outcomeOf(join('b', 1, active), elsewhere)).toBe('declared-down');
      const aborting = execute(planned(left), { type: 'abort-transition', number: 1, reason: 'r' });
      expect(outcomeOf(join('b', 1, active), aborting)).toBe('declared-down');
    });
  });
});
