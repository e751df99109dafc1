import { describe, expect, it } from 'vitest';
import { planningHold } from '../lease/planning-hold.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { execute, threeNodes } from '../testing/stream.js';
import type { JoinNode } from './cluster-command.js';
import { decide } from './decide.js';

const join = (bootId: string, machineId?: string): JoinNode => ({
  type: 'join-node',
  node: 'n1',
  agentVersion: '1',
  leaseMs: 5000,
  bootId,
  ...(machineId === undefined ? {} : { machineId }),
});
const lose = { type: 'lose-lease', node: 'n1', incarnation: 2, expiredAt: 'x' } as const;
const joined = execute(threeNodes(), join('boot-1', 'machine-1'));
const codeOf = (command: JoinNode, state: ClusterState): string => {
  const decision = decide(command, state);
  return decision.ok ? 'let in' : decision.rejection.code;
};

describe('a join for a node whose lease lives', () => {
  it('is let in from the same boot: its agent was started again', () => {
    expect(codeOf(join('boot-1', 'machine-1'), joined)).toBe('let in');
  });

  it('is refused from another boot, which says since when and what to do', () => {
    expect(decide(join('boot-2', 'machine-1'), joined)).toMatchObject({
      ok: false,
      rejection: {
        status: 409,
        code: 'node-joined-elsewhere',
        message: expect.stringMatching(/since .*boot-1.*token of its own/) as string,
      },
    });
  });

  it('is let in where nothing is known of the boot that joined', () => {
    expect(codeOf(join('boot-2'), threeNodes())).toBe('let in');
  });
});

describe('a join from another boot', () => {
  it('is let in when the node left, was fenced or was confirmed down', () => {
    expect(codeOf(join('boot-2', 'machine-2'), execute(joined, { type: 'leave-node', node: 'n1', incarnation: 2 }))).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-2'), execute(joined, lose, { type: 'confirm-node-down', node: 'n1' }))).toBe('let in');
  });

  it('is let in after the loss of the lease when it may be the same machine that was restarted, and not when it is another one', () => {
    const lost = execute(joined, lose);
    expect(codeOf(join('boot-2', 'machine-1'), lost)).toBe('let in');
    expect(codeOf(join('boot-2'), lost)).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-2'), lost)).toBe('node-joined-elsewhere');
    expect(codeOf(join('boot-1', 'machine-1'), lost)).toBe('let in');
  });
});

describe('after the log went back in time', () => {
  const epoch = execute(joined, { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' });

  it('the machine that the log knows for the node is let in, restarted or not, and another one only when a person confirms the node down', () => {
    expect(codeOf(join('boot-1', 'machine-1'), epoch)).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-1'), epoch)).toBe('let in');
    expect(codeOf(join('boot-2', 'machine-2'), epoch)).toBe('node-joined-elsewhere');
    expect(codeOf(join('boot-2', 'machine-2'), execute(epoch, { type: 'confirm-node-down', node: 'n1' }))).toBe('let in');
  });
});

describe('a refused join', () => {
  const knocked = execute(joined, { type: 'note-refused-join', node: 'n1', bootId: 'boot-2', machineId: 'machine-1' });

  it('is noted once for each boot', () => {
    expect(memberOf(knocked, 'n1')?.refusedJoin).toMatchObject({ bootId: 'boot-2', machineId: 'machine-1' });
    expect(decide({ type: 'note-refused-join', node: 'n1', bootId: 'boot-2' }, knocked)).toEqual({ ok: true, events: [] });
    expect(memberOf(execute(knocked, join('boot-1', 'machine-1')), 'n1')?.refusedJoin).toBeUndefined();
  });

  it('is waited for when the lease is over: a machine that was restarted quickly is not fenced for it', () => {
    const lost = execute(knocked, lose);
    const lostAt = Date.parse(memberOf(lost, 'n1')?.since ?? '');
    const hold = (after: number) => planningHold(lost, (_cause, moment) => lostAt + after - moment, 0);
    expect(hold(1_000)).toEqual({ forMs: 9_000, reason: 'waiting for n1 to join: it was started again' });
    expect(hold(10_000)).toBeUndefined();
    expect(planningHold(execute(lost, join('boot-2', 'machine-1')), () => 0, 0)).toBeUndefined();
  });
});
