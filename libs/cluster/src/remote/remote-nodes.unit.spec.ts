import { readCib } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import { decide } from '../commands/decide.js';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { engineLimits } from '../engine/limits.js';
import { heldBack } from '../lease/held-back.js';
import { leaseLossPolicy } from '../lease/lease-loss.js';
import { countQuorum } from '../quorum/quorum.js';
import { livesEndedBy } from '../state/ended-life.js';
import { joinedNodes } from './remote-nodes.js';
import { mayLeave, strandedResources } from './stranded.js';
import { unheardNodes } from '../epoch/activation-hold.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { historyOf } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { operationRecorded } from '../testing/operation-recorded.js';
import { append, EPOCH, execute, option, planned, threeNodes } from '../testing/stream.js';
import { untilRest } from '../testing/until-rest.js';
import { connectionAnswer, connectionHosts } from './connection.js';

const MONITOR = '<operations><op id="far-monitor" name="monitor" interval="10s"/></operations>';
const CONNECTION = `<primitive id="far" class="ocf" provider="pacemaker" type="remote">${MONITOR}</primitive>`;
const DEVICE =
  '<primitive id="f" class="stonith" type="fence_x"><instance_attributes id="f-p"><nvpair id="f-p-h" name="pcmk_host_list" value="n1 n2 n3 far"/></instance_attributes></primitive>';
const dummy = (id: string, meta = ''): string => `<primitive id="${id}" class="ocf" provider="pacemaker" type="Dummy">${meta}</primitive>`;
const meta = (id: string, name: string, value: string): string =>
  `<meta_attributes id="${id}-m"><nvpair id="${id}-m-${name}" name="${name}" value="${value}"/></meta_attributes>`;
const prefers = (id: string, node: string, score = '200'): string =>
  `<rsc_location id="${id}-${node}" rsc="${id}" node="${node}" score="${score}"/>`;

const join = (node: string, more: Partial<Extract<ClusterCommand, { readonly type: 'join-node' }>> = {}): ClusterCommand => ({
  type: 'join-node',
  node,
  agentVersion: '1',
  leaseMs: 5000,
  ...more,
});
const quorate = (state: ClusterState): ClusterState => execute(state, { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 });
const lose = (node: string, state: ClusterState): ClusterState =>
  execute(state, {
    type: 'lose-lease',
    node,
    incarnation: memberOf(state, node)?.incarnation ?? 0,
    expiredAt: new Date(EPOCH + state.version * 1000).toISOString(),
  });
const withFencing = (on: boolean): string => option('stonith-enabled', String(on)) + option('startup-fencing', 'false');
/** What is planned: the keys of operations and fencing, with their nodes. */
const plannedFor = (state: ClusterState): readonly string[] =>
  schedule(readCib(state.cib), { now: EPOCH / 1000, scores: false }).graph.synapses.map(
    ({ action }) => `${action.operationKey} ${action.node?.name ?? ''}`,
  );

/** The agent of `far`, on one boot. */
const joinFar = (fencing = true): ClusterCommand => join('far', { bootId: 'b1', onLeaseLoss: fencing ? 'keep' : 'stop' });

/** `db` runs on `far`, whose connection n1 holds. */
function running(fencing = true, { connection = CONNECTION, constraints = '' } = {}): ClusterState {
  const cib = {
    options: withFencing(fencing),
    resources: DEVICE + connection + dummy('db'),
    constraints: prefers('db', 'far') + prefers('far', 'n1') + constraints,
  };
  const { state } = untilRest(quorate(execute(threeNodes(cib), joinFar(fencing))));
  expect(connectionHosts(state, 'far')).toEqual(['n1']);
  return state;
}

describe('a remote node', () => {
  it('joins by the name that the configuration makes one, without an entry, a vote or a lease that quorum counts', () => {
    const state = running();
    expect(memberOf(state, 'far')).toMatchObject({ kind: 'remote', id: 'far', membership: 'joined' });
    expect(nodeStateOf(state.cib, { id: 'far', name: 'far' })?.attributes).toMatchObject({ remote_node: 'true', uname: 'far' });
    expect(JSON.stringify(state.cib)).not.toContain('"type":"remote","uname"');
    expect(countQuorum(state, ['n1', 'far'], EPOCH)).toEqual({ quorate: false, votes: 1, expectedVotes: 3 });
    expect(joinedNodes(state)).toEqual(['n1', 'n2', 'n3']);
  });

  it('is refused as long as it is not configured, when its agent says what it is for; and where it is a cluster node, too', () => {
    const state = threeNodes();
    expect(decide(join('far', { remote: true }), state)).toMatchObject({ ok: false, rejection: { code: 'node-not-found' } });
    const both = threeNodes({ resources: '<primitive id="n9" class="ocf" provider="pacemaker" type="remote"/>', more: '' });
    expect(decide(join('n9'), both)).toMatchObject({ ok: true, events: [{ type: 'NodeJoined', data: { kind: 'remote' } }] });
    const cluster = execute(threeNodes(), join('n9'));
    const cib = `<cib validate-with="pacemaker-4.0" admin_epoch="0" epoch="9" num_updates="0"><configuration><crm_config/><nodes/><resources><primitive id="n9" class="ocf" provider="pacemaker" type="remote"/></resources><constraints/></configuration><status/></cib>`;
    const refused = decide({ type: 'replace-configuration', cib }, cluster);
    expect(refused).toMatchObject({ ok: false });
    expect(JSON.stringify(refused)).toContain("it can't become a remote node");
  });

  it('lost: its connection fails with its lease, it is fenced, and its resources are not started before', () => {
    const state = lose('far', running());
    expect(connectionHosts(state, 'far')).toEqual(['n1']);
    const planned = plannedFor(state);
    expect(planned.some((one) => one.startsWith('stonith') && one.endsWith(' far'))).toBe(true);
    const { graph } = schedule(readCib(state.cib), { now: EPOCH / 1000, scores: false });
    const fencing = graph.synapses.find(({ action }) => action.operation === 'stonith');
    const start = graph.synapses.find(({ action }) => action.operationKey === 'db_start_0');
    expect(start?.action.node?.name).not.toBe('far');
    const reaches = (from: readonly number[], target: number): boolean =>
      from.some((id) => id === target || reaches(graph.synapses.find(({ action }) => action.id === id)?.inputs ?? [], target));
    expect(reaches(start?.inputs ?? [], fencing?.action.id ?? -1)).toBe(true);
  });

  it.each([
    ['a monitor', CONNECTION],
    ['no monitor', CONNECTION.replace(MONITOR, '')],
  ])(
    'lost, its connection with %s: no plan forgets that it failed, or nothing would fence the node when it was tried in vain',
    (_, connection) => {
      const planned = plannedFor(lose('far', running(true, { connection })));
      expect(planned.filter((one) => one.includes('clear_failcount'))).toEqual([]);
      expect(planned).toContain('stonith-far-reboot far');
    },
  );

  it.each(['keep', 'stop', 'watchdog'] as const)(
    'lost, told to %s, and its connection deleted: what it may still run is not started elsewhere, though nobody fences it any more',
    (policy) => {
      const told = append(running(), { type: 'LeaseLossPolicyTold', data: { node: 'far', incarnation: 1, policy } });
      const deleted = execute(told, {
        type: 'edit-configuration',
        edits: [{ edit: 'delete', collection: 'resources', id: 'far', cascade: true }],
      });
      const lost = lose('far', deleted);
      const forgotten = execute(lost, { type: 'delete-history', resource: 'far', node: 'n1' });
      expect(connectionHosts(forgotten, 'far')).toEqual([]);
      expect(strandedResources(forgotten)).toEqual(['db']);
      expect(heldBack(forgotten, EPOCH)).toMatchObject([{ node: 'far', cutOff: true, starts: ['db'] }]);
      expect(strandedResources(execute(forgotten, { type: 'confirm-node-down', node: 'far' }))).toEqual([]);
    },
  );

  it('lost without fencing: its resources are planned elsewhere when the connection can not be begun', () => {
    const state = lose('far', running(false));
    const after = untilRest(state);
    expect(after.happened).toContain('stop of far on n1');
    expect(after.happened.filter((one) => one.startsWith('start of db'))).toHaveLength(1);
    expect(after.happened).not.toContain('start of db on far');
  });

  it('lost without fencing: that its connection was stopped asks for the plan that starts what it ran, and nothing else does', () => {
    // When the last node has tried in vain, the connection is stopped there, and that is all of this plan.
    const lost = lose('far', running(false));
    const { happened } = untilRest(lost);
    expect(happened.slice(-2)).toEqual([expect.stringMatching(/^stop of far on /), expect.stringMatching(/^start of db on n\d$/)]);
    // Where nothing ran there nothing asks for a plan: the last one is the one that stops the connection.
    const idle = untilRest(execute(running(false), { type: 'set-standby', node: 'far', standby: true })).state;
    const stopped = untilRest(execute(idle, { type: 'request-shutdown', node: 'far', incarnation: 1 })).state;
    expect(connectionHosts(stopped, 'far')).toEqual([]);
    expect(stopped.recompute).toBeUndefined();
  });

  it('whose host was lost and counts as stopped is cut off as well, although the history of the connection stays there', () => {
    const cut = lose('n1', running(false));
    expect(memberOf(cut, 'n1')).toMatchObject({ membership: 'lost', givenUp: true });
    expect(JSON.stringify(nodeStateOf(cut.cib, { id: '1', name: 'n1' }))).toContain('far_start_0');
    expect(connectionHosts(cut, 'far')).toEqual([]);
    expect(strandedResources(cut)).toEqual(['db']);
  });

  it('its agent is back: that nobody could begin the connection counts no more', () => {
    const after = untilRest(lose('far', running(false)));
    expect(connectionHosts(after.state, 'far')).toEqual([]);
    const back = untilRest(execute(after.state, join('far')));
    expect(connectionHosts(back.state, 'far')).toHaveLength(1);
    expect(back.happened).toContain('start of db on far');
  });

  it.each([CONNECTION, CONNECTION.replace(MONITOR, '')])(
    'its agent is back before it was fenced: it is not any more, and what it runs is probed',
    (connection) => {
      for (const fencing of [true, false]) {
        const lost = lose('far', running(fencing, { connection }));
        const planned = plannedFor(execute(lost, joinFar(fencing)));
        expect(planned.filter((one) => one.startsWith('stonith') || one.startsWith('far_stop'))).toEqual([]);
        expect(planned).toContain('db_monitor_0 far');
      }
    },
  );

  it('its agent is back, and its fencing was asked for: it is fenced all the same', () => {
    const asked = execute(lose('far', running()), { type: 'fence-node', node: 'far' }, joinFar());
    expect(plannedFor(asked).some((one) => one.startsWith('stonith') && one.endsWith(' far'))).toBe(true);
  });

  it('confirmed to be down: it is not fenced any more, nor when it is back', () => {
    const down = execute(lose('far', running()), { type: 'confirm-node-down', node: 'far' });
    expect(plannedFor(down).filter((one) => one.startsWith('stonith'))).toEqual([]);
    const back = execute(down, join('far', { bootId: 'b2' }));
    expect(plannedFor(back).filter((one) => one.startsWith('stonith'))).toEqual([]);
  });

  it('fenced while it holds its lease, as a stop failed there: its connection fails with that, and nothing is asked of it before it is back', () => {
    const stop = { resource: 'db', provider: 'pacemaker', operation: 'stop', node: 'far', rc: 1, callId: 900 };
    const failed = append(running(), operationRecorded(stop));
    const attempt = { fencingId: 'x', target: 'far', action: 'reboot', device: 'f', executor: 'n1' } as const;
    const asked = execute(planned(failed, EPOCH / 1000), {
      type: 'request-fencing',
      request: { ...attempt, attempt: 1, transition: failed.lastTransitionNumber + 1, graphActionId: 1 },
    });
    const fenced = execute(asked, { type: 'complete-fencing', result: { ...attempt, outcome: 'succeeded' } });
    expect(memberOf(fenced, 'far')?.membership).toBe('down');
    const after = plannedFor(fenced);
    expect(after.filter((one) => one.startsWith('stonith'))).toEqual([]);
    expect(after).toEqual(expect.arrayContaining(['far_stop_0 n1', 'far_start_0 n1']));
    const back = plannedFor(execute(fenced, join('far', { bootId: 'b2' })));
    expect(back.filter((one) => one.startsWith('stonith'))).toEqual([]);
    expect(back).toContain('db_monitor_0 far');
  });

  it('what runs there in its maintenance, or could not be stopped, is not made active elsewhere either as long as the connection is not up', () => {
    const hostGone = (state: ClusterState): ClusterState => execute(lose('n1', state), { type: 'confirm-node-down', node: 'n1' });
    const maintained = execute(running(false), { type: 'set-maintenance', node: 'far', maintenance: true });
    expect(strandedResources(hostGone(maintained))).toEqual(['db']);
    const stop = { resource: 'db', provider: 'pacemaker', operation: 'stop', node: 'far', rc: 1, callId: 900 };
    expect(strandedResources(hostGone(append(running(false), operationRecorded(stop))))).toEqual(['db']);
  });

  it('its agent is started anew while its connection can be nowhere: what may run there is still not made active elsewhere', () => {
    const constraints = prefers('far', 'n2', '-INFINITY') + prefers('far', 'n3', '-INFINITY');
    for (const fencing of [true, false]) {
      const cut = execute(lose('n1', running(fencing, { constraints })), { type: 'confirm-node-down', node: 'n1' });
      const back = execute(cut, joinFar(fencing));
      expect(plannedFor(back)).toContain('db_start_0 n3');
      expect(strandedResources(back)).toEqual(['db']);
      // Where it keeps what it runs nobody fences it, as no history says that it runs anything.
      const lost = lose('far', back);
      expect(strandedResources(lost)).toEqual(fencing ? ['db'] : []);
      expect(strandedResources(execute(lost, { type: 'confirm-node-down', node: 'far' }))).toEqual([]);
      expect(strandedResources(execute(lost, joinFar(fencing)))).toEqual(fencing ? ['db'] : []);
      expect(untilRest(back).happened.filter((one) => one.startsWith('start of db'))).toEqual([]);
    }
  });

  it('lost together with the host of its connection: the connection is not waited for elsewhere, as nobody else says what became of it', () => {
    const gone = (fencing: boolean): ClusterState =>
      execute(lose('far', lose('n1', running(fencing))), { type: 'confirm-node-down', node: 'n1' });
    const start = schedule(readCib(gone(true).cib), { now: EPOCH / 1000, scores: false }).graph.synapses.find(
      ({ action }) => action.operationKey === 'far_start_0',
    );
    if (start === undefined) throw new Error('the connection is not begun elsewhere');
    expect(connectionAnswer(gone(true), start.action, () => false)).toMatchObject({ status: 'error', rc: 1 });
    expect(() => untilRest(gone(true))).toThrow(/far is to be fenced/);
    expect(untilRest(gone(false)).happened.at(-1)).toMatch(/^start of db on n\d$/);
    // Where it was fenced, or nothing ran, its machine is waited for while it boots.
    const down = execute(gone(true), { type: 'confirm-node-down', node: 'far' });
    expect(connectionAnswer(down, start.action, () => false)).toBeUndefined();
  });

  it('what its agent says to run as it joins for the first time is not made active elsewhere before it was looked for; a lie keeps nobody from anything', () => {
    const constraints =
      prefers('db', 'n2') + prefers('far', 'n1', '-INFINITY') + prefers('far', 'n2', '-INFINITY') + prefers('far', 'n3', '-INFINITY');
    const cib = { options: withFencing(true), resources: DEVICE + CONNECTION + dummy('db') + dummy('web'), constraints };
    const first = quorate(execute(threeNodes(cib), join('far', { bootId: 'b1', active: ['db', 'nothing-of-ours'] })));
    expect(strandedResources(first)).toEqual(['db']);
    const { state, happened } = untilRest(first);
    expect(happened.filter((one) => /^start of (db|web)/.test(one))).toEqual([expect.stringMatching(/^start of web on n\d$/)]);
    expect(heldBack(state, EPOCH)).toEqual([{ node: 'far', cutOff: true, starts: ['db'], promotions: [] }]);
    const lie = execute(state, join('far', { bootId: 'b1', active: ['web'], attempt: { processStartedMs: 9, number: 1 } }));
    expect(strandedResources(lie)).toEqual(['db']);
  });

  it('is not believed what it says of the connection to another one, which nobody asked it for', () => {
    const said = execute(running(), {
      type: 'record-results',
      node: 'far',
      incarnation: 1,
      results: [
        {
          ...{ resultId: 'lie', actionId: 'a', transitionKey: '5:1:0:c', operation: 'start', intervalMs: 0, status: 'done', rc: 0 },
          resource: { id: 'far', historyId: 'far', class: 'ocf', provider: 'pacemaker', type: 'remote' },
          ...{ callId: 77, startedAt: EPOCH / 1000 + 1000, execMs: 1, queueMs: 0, recurring: false },
        },
      ],
    });
    expect(historyOf(nodeStateOf(said.cib, { id: 'far', name: 'far' }), 'far')).toBeUndefined();
    expect(plannedFor(said)).toEqual([]);
  });

  it('the host of its connection is gone: nothing of it is made active elsewhere as long as the connection is not up', () => {
    const state = running(false);
    expect(strandedResources(state)).toEqual([]);
    const cut = lose('n1', state);
    const down = execute(cut, { type: 'confirm-node-down', node: 'n1' });
    expect(strandedResources(down)).toEqual(['db']);
    const { graph } = schedule(readCib(down.cib), { now: EPOCH / 1000, scores: false });
    expect(engineLimits(graph, down).heldResources).toContain('db');
    const { state: after, happened } = untilRest(down, {
      answering: ({ operation, expectedRc, resource }, node) =>
        operation === 'monitor' && resource.id === 'db' && node === 'far' ? 0 : expectedRc,
    });
    expect(connectionHosts(after, 'far')).toHaveLength(1);
    expect(happened.filter((one) => /^(start|stop) of db/.test(one))).toEqual([]);
  });

  it('leaves when its connection was stopped, and is not connected to before it joins again', () => {
    const asked = execute(running(), { type: 'request-shutdown', node: 'far', incarnation: 1 });
    expect(mayLeave(asked, 'far')).toBe(false);
    const { state, happened } = untilRest(asked);
    expect(happened.indexOf('stop of db on far')).toBeLessThan(happened.indexOf('stop of far on n1'));
    expect(mayLeave(state, 'far')).toBe(true);
    const left = untilRest(execute(state, { type: 'leave-node', node: 'far', incarnation: 1, active: [] }));
    expect(left.happened.filter((one) => one.includes(' of far '))).toEqual([]);
    const back = untilRest(execute(left.state, join('far')));
    expect(back.happened).toContain('start of db on far');
  });

  it('asks to leave when its connection can be nowhere: it may, as nobody else can stop what runs there', () => {
    const constraints = prefers('far', 'n2', '-INFINITY') + prefers('far', 'n3', '-INFINITY');
    const cut = execute(lose('n1', running(false, { constraints })), { type: 'confirm-node-down', node: 'n1' });
    const asked = execute(cut, { type: 'request-shutdown', node: 'far', incarnation: 1 });
    expect(mayLeave(asked, 'far')).toBe(true);
    expect(untilRest(asked).happened.filter((one) => / of (far|db) /.test(one))).toEqual([]);
    const stop = { resource: 'db', provider: 'pacemaker', operation: 'stop', node: 'far', rc: 0, callId: 900 };
    const left = execute(append(asked, operationRecorded(stop)), { type: 'leave-node', node: 'far', incarnation: 1, active: [] });
    expect(untilRest(left).happened.filter((one) => / of (far|db) /.test(one))).toEqual([expect.stringMatching(/^start of db on n\d$/)]);
  });

  it('asks to leave when the host of its connection is gone, and the connection is begun elsewhere before it has left: it is emptied in order then', () => {
    const cut = execute(lose('n1', running()), { type: 'confirm-node-down', node: 'n1' });
    const asked = execute(cut, { type: 'request-shutdown', node: 'far', incarnation: 1 });
    const { state, happened } = untilRest(asked);
    expect(happened.filter((one) => /^(start|stop) of (far|db) /.test(one))).toEqual([
      expect.stringMatching(/^start of far on n/),
      'stop of db on far',
      expect.stringMatching(/^stop of far on n/),
      expect.stringMatching(/^start of db on n/),
    ]);
    expect(mayLeave(state, 'far')).toBe(true);
  });

  it('is fenced by hand: its connection fails', () => {
    const state = execute(running(), { type: 'fence-node', node: 'far' });
    expect(plannedFor(state).some((one) => one.startsWith('stonith') && one.endsWith(' far'))).toBe(true);
  });

  it('after the log went back nothing is started before it was heard of', () => {
    const state = running();
    const epoch = execute(state, { type: 'begin-epoch', epoch: 'e2', previous: 'c', reason: 'test', by: 'test' } as never);
    expect(unheardNodes(epoch)).toContain('far');
  });

  it('has permanent attributes in an entry of its own, and can not be removed or renamed but by its connection', () => {
    const set = execute(running(), { type: 'set-standby', node: 'far', standby: true });
    expect(plannedFor(set)).toContain('db_stop_0 far');
    expect(decide({ type: 'remove-node', node: 'far' }, set)).toMatchObject({ ok: false, rejection: { code: 'still-referred-to' } });
    expect(decide({ type: 'rename-node', node: 'far', to: 'near' }, set)).toMatchObject({ ok: false });
    expect(execute(set, { type: 'set-standby', node: 'far', standby: false }).nodes['far']?.membership).toBe('joined');
  });
});

describe('a guest node', () => {
  const guest = (): ClusterState => {
    const cib = {
      options: withFencing(true),
      resources: DEVICE + dummy('vm', meta('vm', 'remote-node', 'guest')) + dummy('db'),
      constraints: prefers('vm', 'n1') + prefers('db', 'guest'),
    };
    return untilRest(quorate(execute(threeNodes(cib), join('guest')))).state;
  };

  it('ends with what it runs in: stopped, or fenced with its host', () => {
    const state = guest();
    expect(memberOf(state, 'guest')).toMatchObject({ kind: 'guest', membership: 'joined' });
    const lost = lose('guest', state);
    expect(plannedFor(lost).filter((one) => one.startsWith('vm_'))).toEqual(expect.arrayContaining(['vm_stop_0 n1']));
    const { happened, state: after } = untilRest(lost, {
      answering: ({ expectedRc }) => expectedRc,
    });
    expect(happened).toContain('stop of vm on n1');
    expect(memberOf(after, 'guest')?.membership).toBe('down');

    const host = execute(lose('n1', state));
    const confirmed = { type: 'NodeConfirmedDown', data: { node: 'n1' } } as const;
    expect(livesEndedBy(host, confirmed).map(({ name }) => name)).toEqual(['n1', 'guest']);
    expect(memberOf(execute(host, { type: 'confirm-node-down', node: 'n1' }), 'guest')?.membership).toBe('down');
  });

  it('keeps its resources where all that it may run on can be fenced', () => {
    const state = guest();
    expect(leaseLossPolicy(state, 'guest', false, EPOCH)).toBe('keep');
    const unfenceable = execute(state, join('n4'));
    expect(leaseLossPolicy(unfenceable, 'guest', false, EPOCH)).toBe('stop');
  });
});
