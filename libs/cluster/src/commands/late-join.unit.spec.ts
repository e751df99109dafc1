import { describe, expect, it } from 'vitest';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { execute, threeNodes } from '../testing/stream.js';
import type { JoinNode } from './agent-command.js';
import { decide } from './decide.js';

const join = (processStartedMs: number, number: number, bootId = 'boot-1'): JoinNode => ({
  type: 'join-node',
  node: 'n1',
  agentVersion: '1',
  leaseMs: 5000,
  bootId,
  attempt: { processStartedMs, number },
});
const joined = execute(threeNodes(), join(1_000, 7));
const incarnation = memberOf(joined, 'n1')?.incarnation ?? 0;
const outcomeOf = (command: JoinNode, state: ClusterState): string => {
  const decision = decide(command, state);
  if (!decision.ok) return decision.rejection.code;
  return decision.events.length === 0 ? 'nothing new' : 'joined';
};

describe('a join that the network or a frozen server held up', () => {
  it('changes nothing when it comes a second time', () => {
    expect(outcomeOf(join(1_000, 7), joined)).toBe('nothing new');
  });

  it('is refused when a later one was there before, of the same process or of one that followed it', () => {
    expect(outcomeOf(join(1_000, 6), joined)).toBe('join-overtaken');
    expect(outcomeOf(join(900, 99), joined)).toBe('join-overtaken');
    const lost = execute(joined, { type: 'lose-lease', node: 'n1', incarnation, expiredAt: 'x' });
    expect(outcomeOf(join(1_000, 6), lost)).toBe('join-overtaken');
  });

  it('does not bring a life back that is over: its agent has to ask anew', () => {
    const lost = execute(joined, { type: 'lose-lease', node: 'n1', incarnation, expiredAt: 'x' });
    expect(outcomeOf(join(1_000, 7), lost)).toBe('lease-lost');
    const down = execute(lost, { type: 'confirm-node-down', node: 'n1' });
    expect(outcomeOf(join(1_000, 7), down)).toBe('lease-lost');
    expect(outcomeOf({ ...join(1_000, 7), active: ['db'] }, down)).toBe('declared-down');
    const epoch = execute(joined, { type: 'begin-epoch', clusterId: 'c', epoch: 'e2', reason: 'restored', by: 'a person' });
    expect(outcomeOf(join(1_000, 7), epoch)).toBe('log-epoch-changed');
    expect(outcomeOf(join(1_000, 8), epoch)).toBe('joined');
  });
});

describe('a later join', () => {
  it.each([
    ['of the same process', join(1_000, 8)],
    ['of a process that followed it', join(1_500, 1)],
    ['of an agent that does not tell', { ...join(0, 1), attempt: undefined }],
  ])('%s is let in', (_, command) => {
    const { attempt, ...rest } = command;
    expect(outcomeOf(attempt === undefined ? rest : { ...rest, attempt }, joined)).toBe('joined');
  });

  it('of another boot is not compared: that one counts from its own start', () => {
    const left = execute(joined, { type: 'leave-node', node: 'n1', incarnation });
    expect(outcomeOf(join(10, 1, 'boot-2'), left)).toBe('joined');
  });
});
