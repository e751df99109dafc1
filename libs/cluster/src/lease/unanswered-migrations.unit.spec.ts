import { readCib } from '@systole/cib';
import { schedule } from '@systole/scheduler';
import { describe, expect, it } from 'vitest';
import type { ClusterCommand } from '../commands/cluster-command.js';
import type { ClusterEvent, OperationRecorded } from '../events/cluster-event.js';
import { livesEndedBy } from '../state/ended-life.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { historyOf } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { relevance } from '../state/relevance.js';
import { operationRecorded } from '../testing/operation-recorded.js';
import { append, EPOCH, execute, option, planned, threeNodes } from '../testing/stream.js';
import { untilRest } from '../testing/until-rest.js';
import { leftRunning } from './left-running.js';
import { plannedMigrations } from './unanswered-migrations.js';

const VM = (more = ''): string =>
  `<primitive id="vm" class="ocf" provider="pacemaker" type="Dummy"><meta_attributes id="vm-m"><nvpair id="vm-m-a" name="allow-migrate" value="true"/>${more}</meta_attributes></primitive>`;
const GUEST = '<nvpair id="vm-m-r" name="remote-node" value="guest"/>';
const DEVICE =
  '<primitive id="f" class="stonith" type="fence_x"><instance_attributes id="f-p"><nvpair id="f-p-h" name="pcmk_host_list" value="n1 n2 n3"/></instance_attributes></primitive>';
const PREFERS_N1 = '<rsc_location id="l1" rsc="vm" node="n1" score="200"/><rsc_location id="l2" rsc="vm" node="n2" score="100"/>';

/** `vm` runs on n1. */
function running(fencing = false, more = ''): ClusterState {
  const cib = {
    options: option('stonith-enabled', String(fencing)) + option('startup-fencing', 'false'),
    resources: VM(more) + (fencing ? DEVICE : ''),
    constraints: PREFERS_N1,
  };
  const quorate: ClusterCommand = { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 };
  return untilRest(execute(threeNodes(cib), quorate)).state;
}

/** n1 is to be left, so that `vm` is migrated to n2; n1 was handed its `migrate_to`, for all that the log knows. */
function sending(state = running()): ClusterState {
  const emptied = execute(state, { type: 'set-standby', node: 'n1', standby: true });
  const now = EPOCH / 1000;
  const { graph } = schedule(readCib(emptied.cib), { now, scores: false });
  const migrations = plannedMigrations(graph);
  expect(migrations).toMatchObject([{ resource: 'vm', source: 'n1', target: 'n2' }]);
  const counts = { actions: 2, pseudo: 0, fencing: 0 };
  const plan = { inputVersion: emptied.version, now, schedulerVersion: 't', digest: 'd', counts, trigger: 't', summary: [], migrations };
  return execute(emptied, { type: 'plan-transition', plan });
}

const lose = (node: string): ClusterCommand => ({ type: 'lose-lease', node, incarnation: 1, expiredAt: new Date(0).toISOString() });

function lost(state = sending()): ClusterState {
  return over(execute(state, lose('n1')));
}

/** The transition ends: nobody answers any more. */
function over(state: ClusterState): ClusterState {
  const { number = 0 } = state.transition ?? {};
  return execute(state, { type: 'complete-transition', result: { number, outcome: 'aborted', completed: 0, skipped: 1, failed: 1 } });
}

function looked(state: ClusterState, node = 'n2'): boolean {
  const member = memberOf(state, node);
  return historyOf(nodeStateOf(state.cib, member ?? { id: '', name: node }), 'vm') !== undefined;
}

/** A result of n1's `migrate_to`, in the plan of `sending`. */
function answered(state: ClusterState, changes: Partial<OperationRecorded['data']> = {}): ClusterState {
  const { number = 0, migrations = [] } = state.transition ?? {};
  const transitionKey = `${String(migrations[0]?.graphAction)}:${String(number)}:0:c`;
  const result = { transitionKey, resource: 'vm', provider: 'pacemaker', node: 'n1', operation: 'migrate_to', callId: 900 };
  return append(state, operationRecorded({ ...result, migrateSource: 'n1', migrateTarget: 'n2', ...changes }));
}

describe('a live migration whose source is lost before it said how that ended', () => {
  it('has its resource looked for at the target, and not started a second time', () => {
    expect(looked(sending())).toBe(true);
    expect(looked(lost())).toBe(false);
    const { happened } = untilRest(lost(), { answering: ({ operation }, node) => (operation === 'monitor' ? (node === 'n2' ? 0 : 7) : 0) });
    expect(happened).toContain('monitor of vm on n2');
    expect(happened.filter((what) => what.startsWith('start of vm'))).toEqual([]);
  });

  it('has it started where it is wanted when it is not there', () => {
    const { happened } = untilRest(lost());
    expect(happened.indexOf('monitor of vm on n2')).toBeLessThan(happened.findIndex((what) => what.startsWith('start of vm')));
    expect(happened.filter((what) => what.startsWith('start of vm'))).toHaveLength(1);
  });

  it('has it waited for when the target is lost, too, in either order', () => {
    const held = (state: ClusterState): readonly string[] =>
      leftRunning(state).flatMap(({ node, resources }) => (node === 'n2' ? resources : []));
    expect(held(execute(sending(), lose('n1'), lose('n2')))).toEqual(['vm']);
    expect(held(execute(sending(), lose('n2'), lose('n1')))).toEqual(['vm']);
  });

  it('asks for nothing where the migration was answered, or the node was to send nothing', () => {
    expect(looked(lost(answered(sending(), { rc: 1 })))).toBe(true);
    expect(looked(over(execute(sending(), lose('n3'))))).toBe(true);
    const there = append(
      answered(sending()),
      operationRecorded({ resource: 'vm', provider: 'pacemaker', node: 'n2', operation: 'migrate_from', callId: 901 }),
    );
    expect(looked(over(execute(there, lose('n1'))))).toBe(true);
  });

  it.each([
    ['was lost', (state: ClusterState) => over(execute(state, lose('n1')))],
    ['was confirmed down', (state: ClusterState) => over(execute(state, lose('n1'), { type: 'confirm-node-down', node: 'n1' }))],
    [
      'has begun a new life',
      (state: ClusterState) => over(execute(state, { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 })),
    ],
  ])('has it looked for, too, where it had ended and the target had said nothing of it when the source %s', (_, go) => {
    for (const sent of [answered(sending()), over(answered(sending()))]) {
      expect(looked(sent)).toBe(true);
      const state = go(sent.transition === undefined ? planned(sent) : sent);
      expect(looked(state)).toBe(false);
    }
  });

  it('has it looked for again when the source is over: it may have gone on until then', () => {
    const state = lost(sending(running(true)));
    const transitionKey = `9:${String(state.lastTransitionNumber + 1)}:7:c`;
    const probe = { resource: 'vm', provider: 'pacemaker', node: 'n2', operation: 'monitor', rc: 7, callId: 902, transitionKey };
    const found = append(state, operationRecorded(probe));
    expect(looked(found)).toBe(true);
    const event = { type: 'NodeConfirmedDown', data: { node: 'n1' } } as const;
    expect(relevance(found, event).effect).toBe('abort');
    expect(looked(append(found, event))).toBe(false);
    expect(memberOf(append(found, event), 'n1')).not.toHaveProperty('migrating');
  });

  it('is planned anew when a fence device says that the source is off', () => {
    const state = lost(sending(running(true)));
    const plan = { inputVersion: state.version, now: EPOCH / 1000, schedulerVersion: 't', digest: 'd', trigger: 't', summary: [] };
    const counts = { actions: 1, pseudo: 0, fencing: 1 };
    const next = execute(state, { type: 'plan-transition', plan: { ...plan, counts } });
    const attempt = { fencingId: 'x', target: 'n1', executor: 'n3', device: 'f', action: 'reboot' } as const;
    const request = { ...attempt, attempt: 1, transition: next.lastTransitionNumber, graphActionId: 1 };
    const asked = execute(next, { type: 'request-fencing', request });
    const event: ClusterEvent = { type: 'FencingCompleted', data: { ...attempt, outcome: 'succeeded' } };
    expect(relevance(asked, event)).toMatchObject({ effect: 'abort', reason: 'vm may have been migrated to n2' });
  });

  it('does not believe a probe that may have looked before it came', () => {
    const state = lost();
    const early = { resource: 'vm', provider: 'pacemaker', node: 'n2', operation: 'monitor', rc: 7 };
    const before = String(state.lastTransitionNumber);
    const after = String(state.lastTransitionNumber + 1);
    expect(looked(append(state, operationRecorded({ ...early, callId: 903, transitionKey: `9:${before}:7:c` })))).toBe(false);
    expect(looked(append(state, operationRecorded({ ...early, callId: 903, transitionKey: `9:${after}:7:c` })))).toBe(true);
    expect(looked(append(state, operationRecorded({ ...early, rc: 0, callId: 903, transitionKey: `9:${before}:7:c` })))).toBe(true);
  });

  it('is asked for by a new life of the source as well', () => {
    const state = execute(sending(), { type: 'join-node', node: 'n1', agentVersion: '1', leaseMs: 5000 });
    expect(looked(state)).toBe(false);
  });

  it('does not take a guest in it for ended, which may have gone with it', () => {
    const guest: ClusterCommand = { type: 'join-node', node: 'guest', agentVersion: '1', leaseMs: 5000 };
    const state = lost(sending(untilRest(execute(running(true, GUEST), guest)).state));
    const event = { type: 'NodeConfirmedDown', data: { node: 'n1' } } as const;
    expect(livesEndedBy(state, event).map(({ name }) => name)).toEqual(['n1']);
    expect(memberOf(append(state, event), 'guest')?.membership).toBe('joined');
  });
});
