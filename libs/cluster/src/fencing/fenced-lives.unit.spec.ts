import { describe, expect, it } from 'vitest';
import type { JoinNode } from '../commands/agent-command.js';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { decide } from '../commands/decide.js';
import type { FencingCompleted } from '../events/cluster-event.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { nodeStateOf } from '../state/node-state.js';
import { append, execute, option, planned, threeNodes } from '../testing/stream.js';

const join = (bootId?: string): JoinNode => ({
  type: 'join-node',
  node: 'n3',
  agentVersion: '1',
  leaseMs: 5000,
  ...(bootId === undefined ? {} : { bootId }),
});
const lose = (state: ClusterState): ClusterState =>
  execute(state, { type: 'lose-lease', node: 'n3', incarnation: memberOf(state, 'n3')?.incarnation ?? 0, expiredAt: 'x' });
const attempt = { fencingId: 'f', target: 'n3', device: 'd', executor: 'n1' } as const;
const request = (action: 'reboot' | 'on' = 'reboot'): ClusterCommand => ({
  type: 'request-fencing',
  request: { ...attempt, action, attempt: 1, transition: 1, graphActionId: 1 },
});
const succeeded = (state: ClusterState, action: 'reboot' | 'on' = 'reboot'): ClusterState => {
  const data: FencingCompleted['data'] = { ...attempt, action, outcome: 'succeeded', confirmed: true };
  return append(state, { type: 'FencingCompleted', data });
};
const membershipOf = (state: ClusterState) => memberOf(state, 'n3')?.membership;
const letIn = (command: JoinNode, state: ClusterState): boolean => decide(command, state).ok;

/** n3 was lost, may run on, and is to be fenced. */
const keeping = execute(threeNodes({ options: option('fencing-enabled', 'true') }), { ...join('boot-1'), onLeaseLoss: 'keep' });
const asked = execute(planned(lose(keeping)), request());

describe('a node that joins between the request to fence it and the report that it was', () => {
  it('is down with that, where the same boot had joined before the device acted; the next boot is let in at once', () => {
    const back = execute(asked, join('boot-1'));
    expect(membershipOf(back)).toBe('joined');
    const fenced = succeeded(back);
    expect(membershipOf(fenced)).toBe('down');
    expect(fenced.fencing).toEqual({});
    expect(letIn(join('boot-2'), back)).toBe(false);
    expect(letIn(join('boot-2'), fenced)).toBe(true);
    const rebooted = execute(fenced, join('boot-2'));
    expect(membershipOf(rebooted)).toBe('joined');
    // The plan that counted it as joined is obsolete, whose fencing it was.
    expect(fenced.recompute?.version).toBe(fenced.version);
  });

  it('is down with that also when that boot was lost again, or had joined several times', () => {
    expect(membershipOf(succeeded(lose(execute(asked, join('boot-1')))))).toBe('down');
    expect(membershipOf(succeeded(execute(asked, join('boot-1'), join('boot-1'))))).toBe('down');
  });

  it('is there with what it says from its next boot, which began after the device had acted', () => {
    const stopping = execute(planned(lose(execute(threeNodes(), { ...join('boot-1'), onLeaseLoss: 'stop' }))), request());
    const rebooted = execute(stopping, join('boot-2'));
    expect(membershipOf(succeeded(rebooted))).toBe('joined');
    const again = execute(rebooted, join('boot-2'));
    expect(membershipOf(succeeded(again))).toBe('joined');
    // Did it begin before, it is over, too: nothing is known of what runs there, and it is to be fenced when its lease ends.
    const member = memberOf(rebooted, 'n3');
    expect(JSON.stringify(member && nodeStateOf(succeeded(rebooted).cib, member))).not.toContain('lrm_resource"');
    expect(membershipOf(lose(succeeded(rebooted)))).toBe('lost');
  });

  it('is there where nobody knows its boot, and to be fenced when its lease ends', () => {
    const unknown = execute(execute(planned(lose(threeNodes())), request()), join());
    expect(membershipOf(succeeded(unknown))).toBe('joined');
    expect(membershipOf(lose(succeeded(unknown)))).toBe('lost');
    expect(membershipOf(succeeded(execute(asked, join())))).toBe('joined');
  });

  it('is there when another boot was there in between: which machine was fenced nobody knows', () => {
    const stopping = execute(planned(lose(execute(threeNodes(), { ...join('boot-1'), onLeaseLoss: 'stop' }))), request());
    const twice = execute(lose(execute(stopping, { ...join('boot-2'), onLeaseLoss: 'stop' })), join('boot-1'));
    expect(membershipOf(succeeded(twice))).toBe('joined');
  });

  it('is down with the last step of a reboot by several devices, too', () => {
    const on: ClusterCommand = {
      type: 'request-fencing',
      request: { ...attempt, action: 'on', wanted: 'reboot', attempt: 1, transition: 1, graphActionId: 1 },
    };
    expect(membershipOf(succeeded(execute(planned(lose(keeping)), on, join('boot-1')), 'on'))).toBe('down');
  });

  it('stays when it was unfenced', () => {
    const unfencing = execute(planned(keeping), request('on'), join('boot-1'));
    expect(membershipOf(succeeded(unfencing, 'on'))).toBe('joined');
  });
});
