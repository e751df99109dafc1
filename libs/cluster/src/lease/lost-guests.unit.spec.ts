import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { reportedResult } from '../testing/reported-result.js';
import { EPOCH, execute, option, threeNodes } from '../testing/stream.js';
import { untilRest } from '../testing/until-rest.js';
import { planningHold, type PlanningHold } from './planning-hold.js';

const DEVICE =
  '<primitive id="f" class="stonith" type="fence_x"><instance_attributes id="f-p"><nvpair id="f-p-h" name="pcmk_host_list" value="n1 n2 n3 far"/></instance_attributes></primitive>';
const MACHINE =
  '<primitive id="vm" class="ocf" provider="pacemaker" type="Dummy"><meta_attributes id="vm-m"><nvpair id="vm-m-r" name="remote-node" value="guest"/></meta_attributes></primitive>';
const BUNDLE =
  '<bundle id="web"><podman image="i" replicas="1"/><network control-port="3121"/><primitive id="app" class="ocf" provider="pacemaker" type="Dummy"/></bundle>';
const CONNECTION = '<primitive id="far" class="ocf" provider="pacemaker" type="remote"/>';

const prefers = (id: string, node: string): string => `<rsc_location id="${id}-${node}" rsc="${id}" node="${node}" score="200"/>`;
const join = (node: string): ClusterCommand => ({ type: 'join-node', node, agentVersion: '1', leaseMs: 5000, onLeaseLoss: 'keep' });

/** The machine, the bundle and the connection are on n1, and all is at rest. */
function hosting(): ClusterState {
  const cib = {
    options: option('stonith-enabled', 'true') + option('startup-fencing', 'false'),
    resources: DEVICE + MACHINE + BUNDLE + CONNECTION,
    constraints: prefers('vm', 'n1') + prefers('web', 'n1') + prefers('far', 'n1'),
  };
  const joins = ['guest', 'web-0', 'far'].map(join);
  const quorate: ClusterCommand = { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 };
  const { state } = untilRest(execute(threeNodes(cib), ...joins, quorate));
  return state;
}

function lose(state: ClusterState, node: string, overdue: readonly string[] = []): ClusterState {
  return execute(state, { type: 'lose-lease', node, incarnation: memberOf(state, node)?.incarnation ?? 0, expiredAt: 'x', overdue });
}

/** At the newest event. */
function hold(state: ClusterState, overdue?: ReadonlyMap<string, number>): PlanningHold | undefined {
  return planningHold(state, (_cause, moment) => EPOCH + state.version * 1000 - moment, EPOCH, overdue);
}

describe('a host that is lost with the guests that run on it', () => {
  it.each(['guest', 'web-0'])('was lost alone when %s was overdue', (guest) => {
    const lost = lose(hosting(), 'n1', [guest]);
    expect(hold(lost)).toBeUndefined();
    expect(hold(lost, new Map([[guest, 1_500]]))).toBeUndefined();
  });

  it('was lost alone, whoever of them was lost first', () => {
    expect(hold(lose(lose(lose(hosting(), 'guest'), 'web-0'), 'n1'))).toBeUndefined();
    expect(hold(lose(lose(lose(hosting(), 'n1'), 'guest'), 'web-0'))).toBeUndefined();
  });

  it('was not lost alone when another machine is overdue or lost, which a remote node is, though the host holds its connection', () => {
    for (const other of ['n2', 'far']) {
      expect(hold(lose(hosting(), 'n1', ['guest', other]))?.reason).toBe('n1 was not lost alone: waiting for it to come back');
      expect(
        hold(
          lose(hosting(), 'n1'),
          new Map([
            ['guest', 500],
            [other, 1_500],
          ]),
        )?.forMs,
      ).toBe(1_500);
      const losses = ['n1', 'guest', other];
      expect(hold(losses.reduce((state, node) => lose(state, node), hosting()))?.reason).toContain(' were lost at once');
      expect(hold(losses.toReversed().reduce((state, node) => lose(state, node), hosting()))?.reason).toContain(' were lost at once');
    }
  });
});

describe('a node that is lost with a guest of another one', () => {
  it('was not lost alone', () => {
    expect(hold(lose(hosting(), 'n2', ['guest']))?.reason).toBe('n2 was not lost alone: waiting for it to come back');
    expect(hold(lose(lose(hosting(), 'guest'), 'n2'))?.forMs).toBe(20_000);
    expect(hold(lose(lose(hosting(), 'n2'), 'guest'))?.reason).toBe('n2 was not lost alone: waiting for it to come back');
    expect(hold(lose(hosting(), 'n2'), new Map([['guest', 1_500]]))?.forMs).toBe(1_500);
  });

  it('nor one with a guest that may run on either of two', () => {
    const elsewhere = execute(hosting(), {
      type: 'record-results',
      node: 'n2',
      incarnation: 1,
      results: [reportedResult('vm', { operation: 'monitor', callId: 990, startedAt: EPOCH / 1000 + 1000 })],
    });
    expect(hold(lose(elsewhere, 'n1', ['guest']))?.reason).toBe('n1 was not lost alone: waiting for it to come back');
  });
});
