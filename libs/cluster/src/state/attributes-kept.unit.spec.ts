import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { append, execute, option, threeNodes } from '../testing/stream.js';
import type { ClusterState } from './cluster-state.js';
import { nodeStateOf, transientAttributes } from './node-state.js';

const FENCING = '<primitive id="power" class="stonith" type="fence_x"/>';
const fenced = threeNodes({ resources: FENCING, options: option('stonith-enabled', 'true') });
const unfenced = threeNodes({ options: option('stonith-enabled', 'false') });

const join = (onLeaseLoss: 'keep' | 'stop', bootId = 'boot'): ClusterCommand => ({
  type: 'join-node',
  node: 'n1',
  agentVersion: '1',
  leaseMs: 5_000,
  bootId,
  onLeaseLoss,
});
const set = (name: string): ClusterCommand => ({ type: 'set-node-attribute', node: 'n1', name, value: '1', lifetime: 'reboot' });
const SET = ['master-db', 'pingd', '#health-disk', 'fail-count-db#monitor_10000', '#node-unfenced', 'standby', 'terminate'];
const lose = (state: ClusterState): ClusterCommand => ({
  type: 'lose-lease',
  node: 'n1',
  incarnation: state.nodes['n1']?.incarnation ?? 0,
  expiredAt: '2026-01-01T00:00:00.000Z',
});

const joined = (state: ClusterState, onLeaseLoss: 'keep' | 'stop' = 'keep'): ClusterState =>
  execute(state, join(onLeaseLoss), ...SET.map(set));

function attributesOf(state: ClusterState): string[] {
  const member = state.nodes['n1'];
  const nodeState = member === undefined ? undefined : nodeStateOf(state.cib, member);
  return nodeState === undefined ? [] : transientAttributes(nodeState).map(({ name }) => name);
}

describe('what lasts until the reboot', () => {
  it('outlasts a restart of the agent, whatever it is', () => {
    expect(attributesOf(execute(joined(fenced), join('keep')))).toEqual(SET);
  });

  it('does, too, when the lease was lost meanwhile and the node, which is to be fenced, was not', () => {
    const lost = execute(joined(fenced), lose(joined(fenced)));
    expect(attributesOf(execute(lost, join('keep')))).toEqual(SET);
  });

  it('but promotion scores are gone where the agent stops, when its lease is lost, what they are of', () => {
    const before = joined(fenced, 'stop');
    const kept = attributesOf(execute(before, lose(before), join('stop')));
    expect(kept).toEqual(SET.filter((name) => name !== 'master-db'));
  });

  it('is gone with the next boot', () => {
    const before = joined(fenced);
    expect(attributesOf(execute(before, lose(before), { type: 'confirm-node-down', node: 'n1' }, join('keep', 'next')))).toEqual([]);
  });

  it('is gone, on the same boot, when the node was said to be down, counted as stopped, or left', () => {
    const before = joined(fenced);
    expect(attributesOf(execute(before, lose(before), { type: 'confirm-node-down', node: 'n1' }, join('keep')))).toEqual([]);
    const given = joined(unfenced, 'stop');
    const lost = execute(given, lose(given));
    const givenUp = append(lost, {
      type: 'TransitionPlanned',
      data: {
        number: 1,
        inputVersion: lost.version,
        now: 1_900_000_000,
        schedulerVersion: 't',
        digest: 'd',
        counts: { actions: 0, pseudo: 0, fencing: 0 },
        trigger: 't',
        summary: [],
      },
    });
    expect(givenUp.nodes['n1']?.givenUp).toBe(true);
    expect(attributesOf(execute(givenUp, join('stop')))).toEqual([]);
    const { incarnation = 0 } = before.nodes['n1'] ?? {};
    expect(attributesOf(execute(before, { type: 'leave-node', node: 'n1', incarnation, active: [] }, join('keep')))).toEqual([]);
  });

  it('is not that somebody asked for a shutdown: that was another process', () => {
    const before = joined(fenced);
    const { incarnation = 0 } = before.nodes['n1'] ?? {};
    const asked = execute(before, { type: 'request-shutdown', node: 'n1', incarnation });
    expect(attributesOf(asked)).toContain('shutdown');
    expect(attributesOf(execute(asked, join('keep')))).toEqual(SET);
  });

  it('is nothing but standby in logs of before', () => {
    const before = joined(fenced);
    const data = { node: 'n1', nodeId: '1', incarnation: 9, leaseMs: 5_000, agentVersion: '1', bootId: 'boot' };
    expect(attributesOf(append(before, { type: 'NodeJoined', data }))).toEqual(['standby']);
  });
});
