import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import type { ClusterEvent, OperationRecorded } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { operationRecorded } from '../testing/operation-recorded.js';
import { EPOCH, execute, threeNodes } from '../testing/stream.js';
import { containersEndedBy } from './ended-containers.js';

const BUNDLE =
  '<bundle id="db"><podman image="i" replicas="2"/><network control-port="3121"/><primitive id="p" class="ocf" provider="heartbeat" type="Dummy"/></bundle>';

const join = (node: string, bootId: string): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000, bootId });
const lose = (node: string, state: ClusterState): ClusterState =>
  execute(state, {
    type: 'lose-lease',
    node,
    incarnation: memberOf(state, node)?.incarnation ?? 0,
    expiredAt: new Date(EPOCH + state.version * 1000).toISOString(),
  });

const stopOf = (changes: Partial<OperationRecorded['data']> = {}): OperationRecorded =>
  operationRecorded({ resource: 'db-podman-0', provider: 'heartbeat', agentType: 'podman', operation: 'stop', callId: 900, ...changes });

function eventOf(command: ClusterCommand, state: ClusterState): ClusterEvent {
  const decision = decide(command, state);
  const [event] = decision.ok ? decision.events : [];
  if (event === undefined) throw new Error('nothing happened');
  return event;
}

describe('a container of a bundle', () => {
  const running = (resources = BUNDLE): ClusterState => threeNodes({ resources });

  it('ends with its stop, also when the configuration has it no more', () => {
    expect(containersEndedBy(running(), stopOf())).toEqual({ host: 'n1', container: 'db-podman-0' });
    expect(containersEndedBy(running(''), stopOf())).toEqual({ host: 'n1', container: 'db-podman-0' });
  });

  it('does not end with a stop that failed, was of another life of the host, or of something else', () => {
    const of = (changes: Partial<OperationRecorded['data']>) => containersEndedBy(running(), stopOf(changes));
    for (const changes of [{ rc: 1 }, { status: 'timeout' }, { incarnation: 7 }, { agentType: 'Dummy' }, { operation: 'monitor' }] as const)
      expect(of(changes)).toBeUndefined();
  });

  it('ends with its host: confirmed down, left, or there again as another boot', () => {
    const booted = execute(running(), join('n1', 'b1'));
    const lost = lose('n1', booted);
    expect(containersEndedBy(lost, eventOf({ type: 'confirm-node-down', node: 'n1' }, lost))).toEqual({ host: 'n1' });
    const leaving = eventOf({ type: 'leave-node', node: 'n1', incarnation: memberOf(booted, 'n1')?.incarnation ?? 0, active: [] }, booted);
    expect(containersEndedBy(booted, leaving)).toEqual({ host: 'n1', but: [] });
    expect(containersEndedBy(lost, eventOf(join('n1', 'b2'), lost))).toEqual({ host: 'n1' });
    expect(containersEndedBy(lost, eventOf(join('n1', 'b1'), lost))).toBeUndefined();
  });
});
