import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import type { ClusterEvent, OperationRecorded } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { operationRecorded } from '../testing/operation-recorded.js';
import { append, EPOCH, execute, option, threeNodes } from '../testing/stream.js';
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

  it('ends when its host finds that it does not run: nobody was told to stop it that stopped it by itself', () => {
    const found = (changes: Partial<OperationRecorded['data']> = {}) => stopOf({ operation: 'monitor', rc: 7, ...changes });
    const ended = { host: 'n1', container: 'db-podman-0' };
    // The host's agent has lost its lease, stopped all, and is there again as the same boot.
    const booted = execute(running(), join('n1', 'b1'));
    const back = execute(lose('n1', booted), join('n1', 'b1'));
    const incarnation = memberOf(back, 'n1')?.incarnation ?? 0;
    expect(containersEndedBy(back, found({ incarnation }))).toEqual(ended);
    // Its agent ended, and the container with it: where it is not managed nobody is told to stop it.
    const started = append(running(), stopOf({ operation: 'start', callId: 5 }));
    expect(containersEndedBy(started, found({ intervalMs: 10_000, callId: 6 }))).toEqual(ended);
  });

  it('does not end by a finding where it is not managed and the agent inside is in a session: podman says 7 of what it could not look at', () => {
    const maintained = execute(threeNodes({ resources: BUNDLE, options: option('maintenance-mode', 'true') }), join('db-0', 'inside'));
    const started = append(maintained, stopOf({ operation: 'start', callId: 5 }));
    for (const intervalMs of [0, 60_000]) {
      const found = stopOf({ operation: 'monitor', rc: 7, callId: 6, intervalMs });
      expect(containersEndedBy(started, found)).toBeUndefined();
      expect(containersEndedBy(lose('db-0', started), found)).toEqual({ host: 'n1', container: 'db-podman-0' });
    }
  });

  it('does not end by a finding that is older than its start, was of another life of the host, or says that it failed', () => {
    const started = append(running(), stopOf({ operation: 'start', callId: 5 }));
    for (const intervalMs of [0, 10_000]) {
      const of = (changes: Partial<OperationRecorded['data']>) =>
        containersEndedBy(started, stopOf({ operation: 'monitor', rc: 7, callId: 6, intervalMs, ...changes }));
      for (const changes of [{ callId: 4 }, { incarnation: 7 }, { rc: 1 }, { rc: 0 }, { status: 'error' }, { agentType: 'Dummy' }] as const)
        expect(of(changes)).toBeUndefined();
    }
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
