import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import type { OperationRecorded } from '../events/cluster-event.js';
import { livesEndedBy } from '../state/ended-life.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { relevance } from '../state/relevance.js';
import { operationRecorded } from '../testing/operation-recorded.js';
import { append, execute, option, planned, threeNodes } from '../testing/stream.js';
import { untilRest } from '../testing/until-rest.js';

const DEVICE =
  '<primitive id="f" class="stonith" type="fence_x"><instance_attributes id="f-p"><nvpair id="f-p-h" name="pcmk_host_list" value="n1 n2 n3"/></instance_attributes></primitive>';
const VM =
  '<primitive id="vm" class="ocf" provider="pacemaker" type="Dummy"><meta_attributes id="vm-m"><nvpair id="vm-m-r" name="remote-node" value="guest"/><nvpair id="vm-m-a" name="allow-migrate" value="true"/></meta_attributes></primitive>';
const DB = '<primitive id="db" class="ocf" provider="pacemaker" type="Dummy"/>';

/** `vm` runs on n1, and `db` in it. */
function running(): ClusterState {
  const cib = {
    options: option('stonith-enabled', 'true') + option('startup-fencing', 'false'),
    resources: DEVICE + VM + DB,
    constraints: '<rsc_location id="l1" rsc="vm" node="n1" score="200"/><rsc_location id="l2" rsc="db" node="guest" score="200"/>',
  };
  const guest: ClusterCommand = { type: 'join-node', node: 'guest', agentVersion: '1', leaseMs: 5000 };
  const quorate: ClusterCommand = { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 };
  return untilRest(execute(threeNodes(cib), guest, quorate)).state;
}

/** Of `vm`, newer than all that was before. */
function ofVm(changes: Partial<OperationRecorded['data']>): OperationRecorded {
  return operationRecorded({ resource: 'vm', provider: 'pacemaker', callId: 900, ...changes });
}

function maintained(state: ClusterState, ...nodes: readonly string[]): ClusterState {
  return execute(state, ...nodes.map((node): ClusterCommand => ({ type: 'set-maintenance', node, maintenance: true })));
}

const leave = (node: string, active: readonly string[]): ClusterCommand => ({ type: 'leave-node', node, incarnation: 1, active });

describe('a guest', () => {
  it('goes on when the agent of its host leaves what it runs in running', () => {
    const left = execute(maintained(running(), 'n1', 'guest'), leave('n1', ['vm']));
    expect(memberOf(left, 'guest')?.membership).toBe('joined');
    // Until the host is off for certain.
    expect(memberOf(execute(left, { type: 'confirm-node-down', node: 'n1' }), 'guest')?.membership).toBe('down');
  });

  it('of which something was left running keeps that when the agent of its host leaves as well', () => {
    const left = execute(maintained(running(), 'n1', 'guest'), leave('guest', ['db']), leave('n1', ['vm']));
    expect(memberOf(left, 'guest')?.leftRunning?.flatMap(({ resources }) => resources)).toEqual(['db']);
  });

  it('does not end with a stop on another node than the one that left it running', () => {
    const left = execute(maintained(running(), 'n1', 'guest'), leave('n1', ['vm']));
    expect(livesEndedBy(left, ofVm({ operation: 'stop', node: 'n2' }))).toEqual([]);
  });

  it('does not end with a stop that is older than what is known of that node', () => {
    expect(livesEndedBy(running(), ofVm({ operation: 'stop', callId: 1 }))).toEqual([]);
    expect(livesEndedBy(running(), ofVm({ operation: 'stop' })).map(({ name }) => name)).toEqual(['guest']);
  });

  it('does not end with a stop, or a fencing, where what it runs in came from, before it was stopped where it went', () => {
    const sent = { operation: 'migrate_to', migrateSource: 'n1', migrateTarget: 'n2', lastRcChange: 2000 };
    const away = append(running(), ofVm(sent));
    const stop = ofVm({ operation: 'stop', callId: 901, lastRcChange: 2001 });
    expect(livesEndedBy(away, stop)).toEqual([]);
    const lost = execute(away, { type: 'lose-lease', node: 'n1', incarnation: 1, expiredAt: new Date(0).toISOString() });
    expect(livesEndedBy(lost, { type: 'NodeConfirmedDown', data: { node: 'n1' } }).map(({ name }) => name)).toEqual(['n1']);
    const stopped = append(away, ofVm({ operation: 'stop', node: 'n2', callId: 902, lastRcChange: 2001 }));
    expect(memberOf(stopped, 'guest')?.membership).toBe('joined');
    expect(livesEndedBy(stopped, stop).map(({ name }) => name)).toEqual(['guest']);
  });

  it('that ends as planned has the plan made anew where that was made by its attributes: they have ended with it', () => {
    const stop = ofVm({ operation: 'stop', transitionKey: '1:2:0:none' });
    const running2 = planned(running());
    expect(running2.transition?.number).toBe(2);
    expect(relevance(running2, stop)).toMatchObject({ effect: 'none' });
    const scored = execute(running(), { type: 'set-node-attribute', node: 'guest', name: 'master-db', value: '10', lifetime: 'reboot' });
    expect(relevance(planned(scored), stop)).toMatchObject({ effect: 'abort', reason: 'guest ended, and its attributes with it' });
    const idle = execute(running(), { type: 'set-node-attribute', node: 'guest', name: 'nobody-reads-it', value: '1', lifetime: 'reboot' });
    expect(relevance(planned(idle), stop)).toMatchObject({ effect: 'none' });
  });
});
