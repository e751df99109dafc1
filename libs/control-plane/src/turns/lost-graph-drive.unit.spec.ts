import { epochOf, toAgentAction, type ClusterCommand, type ClusterState, type GraphAction } from '@systole/cluster';
import { PROTOCOL } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { AgentSessions } from '../sessions/agent-sessions.js';
import type { ClusterAtTurn } from './cluster-at-turn.js';
import { LostGraphDrive } from './lost-graph-drive.js';
import { restingUntil, type Progress } from './progress.js';

const ID = '6a6a8dcd-0000-4000-8000-000000000004';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/></nodes>' +
  '<resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>';
const START: GraphAction = {
  ...{ kind: 'rsc_op', id: 1, operation: 'start', operationKey: 'db_start_0', node: { id: '1', name: 'n1' } },
  primitive: { id: 'db', class: 'ocf', provider: 'systole', type: 'Dummy' },
  attributes: { CRM_meta_timeout: '20000' },
};

/** A plan of another release is called off, of which n1 has begun to start `db`. */
async function underWay() {
  let passedMs = 0;
  const clock: Clock = { timeOfDay: () => 1_800_000_000_000 + passedMs, monotonic: () => passedMs, after: () => () => undefined };
  const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
  const database = new MemoryDatabase(clock);
  const { leases, dispatches, seals } = database;
  const log = database.openLog(clock);
  const commands = new ClusterCommands({ log, clock, chance });
  const ask = async (command: ClusterCommand): Promise<void> => {
    expect(await commands.execute(ID, command, { actor: 'test', correlationId: 'test' })).toMatchObject({ ok: true });
  };
  const sessions = new AgentSessions({
    ...{ log, commands, leases, dispatches, signals: dispatches, writes: database.writes, seals, clock, chance },
    report: { warn: () => undefined },
    settings: { leaseMs: 600_000, pollMs: 10_000 },
    requestAdvance: () => undefined,
  });
  const stateNow = (): Promise<ClusterState> => log.load(ID);
  const agent = { clusterId: ID, node: 'n1', tokenId: 't', actor: 'agent:n1' };
  await ask({ type: 'create-cluster', name: 'c', cib: CIB, force: true });
  const joined = await sessions.join(agent, { agentVersion: '1', bootId: 'b', protocol: PROTOCOL }, 'test');
  if (!joined.ok) throw new Error(joined.rejection.message);
  const { incarnation } = joined.answer;
  const plan = { now: 0, schedulerVersion: 'old', digest: 'd', trigger: 't', summary: [], counts: { actions: 1, pseudo: 0, fencing: 0 } };
  await ask({ type: 'plan-transition', plan: { ...plan, inputVersion: (await stateNow()).version } });
  const state = await stateNow();
  const action = toAgentAction(START, { epoch: epochOf(state, ID), transition: 1, cib: state.cib, now: 0 });
  expect(await dispatches.handOut(ID, 1, state.version, [{ graphActionId: 1, node: 'n1', action }])).toBe(true);
  const polled = await sessions.poll(agent, { incarnation, waitMs: 0, known: [], active: [], watchdog: false }, [], 'test');
  expect(polled).toMatchObject({ ok: true, answer: { actions: [{ actionId: action.actionId }] } });
  await ask({ type: 'abort-transition', number: 1, reason: 'its graph was lost' });

  let fencing: Progress | undefined;
  const decide = async (_: ClusterAtTurn, command: ClusterCommand): Promise<Progress> => {
    await ask(command);
    return { type: 'moved' };
  };
  const drive = new LostGraphDrive(dispatches, { decide }, { windDown: () => Promise.resolve(fencing) });
  return {
    ...{ ask, incarnation, action, stateNow },
    pass: (ms: number) => void (passedMs += ms),
    fence: (progress: Progress) => void (fencing = progress),
    look: async (): Promise<Progress | undefined> => {
      const { transition, ...rest } = await stateNow();
      if (transition === undefined) throw new Error('no transition runs');
      const now = clock.timeOfDay();
      const unused = {
        elapsed: () => 0,
        witnessed: () => 0,
        sinceSeen: () => passedMs,
        servedForMs: 0,
        overdue: new Map<string, number>(),
      };
      return drive.windDown({ ...unused, clusterId: ID, state: { ...rest, transition }, now, assertHeld: () => undefined }, transition);
    },
  };
}

describe('a transition whose graph is lost', () => {
  it('is waited for until what agents have begun of it has ended', async () => {
    const { ask, look, action, incarnation } = await underWay();
    expect(await look()).toEqual(restingUntil(1_800_000_080_000));
    const { actionId, transitionKey, resource, operation, intervalMs } = action;
    const done = { status: 'done', rc: 0, callId: 1, startedAt: 0, execMs: 1, queueMs: 0, recurring: false } as const;
    const result = { resultId: 'r', actionId, transitionKey, resource, operation, intervalMs, ...done };
    await ask({ type: 'record-results', node: 'n1', incarnation, results: [result] });
    expect(await look()).toBeUndefined();
  });

  it('has what is not answered in its time recorded as timed out', async () => {
    const { look, pass, stateNow } = await underWay();
    pass(79_000);
    expect((await look())?.type).toBe('resting');
    pass(1_000);
    expect(await look()).toEqual({ type: 'moved' });
    expect(JSON.stringify((await stateNow()).cib)).toContain('"operation":"start"');
    expect(await look()).toBeUndefined();
  });

  it('does not wait for what a node was to do that is gone', async () => {
    const { ask, look, incarnation } = await underWay();
    await ask({ type: 'lose-lease', node: 'n1', incarnation, expiredAt: '2027-01-15T08:00:00.000Z' });
    expect(await look()).toBeUndefined();
  });

  it('waits for fencing that is under way', async () => {
    const { ask, look, fence, incarnation } = await underWay();
    await ask({ type: 'lose-lease', node: 'n1', incarnation, expiredAt: '2027-01-15T08:00:00.000Z' });
    fence(restingUntil(7));
    expect(await look()).toEqual(restingUntil(7));
  });
});
