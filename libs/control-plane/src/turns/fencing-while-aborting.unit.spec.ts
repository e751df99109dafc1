import { epochOf, toFenceAction, type ClusterCommand, type ClusterState, type TransitionGraph } from '@systole/cluster';
import { setImmediate } from 'node:timers/promises';
import { PROTOCOL } from '@systole/protocol';
import { expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { AgentSessions } from '../sessions/agent-sessions.js';
import { ClusterWorker } from '../worker/cluster-worker.js';

const ID = '6a6a8dcd-0000-4000-8000-000000000003';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/><node id="2" uname="n2"/><node id="3" uname="n3"/></nodes>' +
  '<resources><primitive id="f" class="stonith" type="fence_test"/></resources><constraints/></configuration><status/></cib>';
/** Fences n2. */
const GRAPH: TransitionGraph = {
  ...{ clusterDelay: '60s', fencingTimeout: '60s', failedStopOffset: 'INFINITY', failedStartOffset: '1', batchLimit: '0' },
  synapses: [
    {
      ...{ id: 0, priority: 0, inputs: [] },
      action: {
        ...{ kind: 'crm_event', id: 1, operation: 'stonith', operationKey: 'stonith-n2-off', node: { id: '2', name: 'n2' } },
        attributes: { CRM_meta_stonith_action: 'off', CRM_meta_on_node: 'n2', CRM_meta_on_node_uuid: '2' },
      },
    },
  ],
};

it('a worker rests while a transition that was called off waits for a fence device, however long that takes', async () => {
  let passedMs = 0;
  const waits: number[] = [];
  const timers = new Set<{ readonly at: number; readonly action: () => void }>();
  const pass = async (ms: number): Promise<void> => {
    passedMs += ms;
    for (const timer of [...timers].filter(({ at }) => at <= passedMs)) {
      timers.delete(timer);
      timer.action();
    }
    await setImmediate();
  };
  const clock: Clock = {
    timeOfDay: () => 1_800_000_000_000 + passedMs,
    monotonic: () => passedMs,
    after: (ms, action) => {
      const timer = { at: passedMs + ms, action };
      timers.add(timer);
      waits.push(ms);
      return () => timers.delete(timer);
    },
  };
  const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
  const database = new MemoryDatabase(clock);
  const log = database.openLog(clock);
  const commands = new ClusterCommands({ log, clock, chance });
  const meta = { actor: 'test', correlationId: 'test' };
  const ask = async (command: ClusterCommand): Promise<void> => {
    expect(await commands.execute(ID, command, meta)).toMatchObject({ ok: true });
  };
  const { leases, heartbeats, dispatches, graphs, claims, failures, seals } = database;
  const worker = new ClusterWorker(
    {
      ...{ log, leases, heartbeats, dispatches, graphs, claims, failures, clock, chance },
      databaseClock: { now: () => database.now() },
      scheduling: { version: 't', schedule: () => Promise.reject(new Error('not planned here')), graphFrom: () => Promise.resolve(GRAPH) },
      report: { info: () => undefined, warn: () => undefined },
    },
    { concurrency: 1, leaseScanMs: 500, sweepMs: 30_000 },
  );
  const sessions = new AgentSessions({
    ...{ log, commands, leases, dispatches, signals: dispatches, writes: database.writes, seals, clock, chance },
    report: { warn: () => undefined },
    settings: { leaseMs: 60_000, pollMs: 10_000 },
    requestAdvance: () => undefined,
  });
  const agent = { clusterId: ID, node: 'n1', tokenId: 't', actor: 'agent:n1' };

  await ask({ type: 'create-cluster', name: 'c', cib: CIB });
  for (const node of ['n2', 'n3']) await ask({ type: 'join-node', node, agentVersion: '1', leaseMs: 60_000 });
  const joined = await sessions.join(agent, { agentVersion: '1', bootId: 'b', protocol: PROTOCOL }, 'test');
  if (!joined.ok) throw new Error(joined.rejection.message);
  await ask({ type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: '2027-01-15T08:00:00.000Z' });
  await ask({ type: 'change-quorum', quorate: true, votes: 2, expectedVotes: 3 });
  const plan = {
    inputVersion: 1,
    now: 0,
    schedulerVersion: 't',
    digest: 'd',
    trigger: 't',
    summary: [],
    counts: { actions: 0, pseudo: 0, fencing: 1 },
  };
  await ask({ type: 'plan-transition', plan: { ...plan, inputVersion: (await log.load(ID)).version } });
  await graphs.store(ID, { number: 1, digest: 'd' }, new Uint8Array());
  const attempt = {
    fencingId: 'x',
    target: 'n2',
    action: 'off',
    device: 'f',
    executor: 'n1',
    attempt: 1,
    transition: 1,
    graphActionId: 1,
  } as const;
  await ask({ type: 'request-fencing', request: attempt });
  const stateNow = (): Promise<ClusterState> => log.load(ID);
  const state = await stateNow();
  const [pending] = Object.values(state.fencing);
  const action = pending && toFenceAction(state, pending, { epoch: epochOf(state, ID) });
  if (action === undefined) throw new Error('nothing is to be fenced');
  expect(await dispatches.handOut(ID, 1, state.version, [{ graphActionId: 1, node: 'n1', action }])).toBe(true);
  const { incarnation } = joined.answer;
  const poll = await sessions.poll(agent, { incarnation, waitMs: 0, known: [], active: [], watchdog: false }, [], 'test');
  expect(poll).toMatchObject({ ok: true, answer: { actions: [{ actionId: action.actionId }] } });

  await worker.move(ID);
  expect((await stateNow()).transition?.status).toBe('running');
  await ask({ type: 'abort-transition', number: 1, reason: 'something else is wanted' });
  for (let half = 0; half < 40; half++) {
    await worker.move(ID);
    expect((await stateNow()).transition?.status).toBe('aborting');
    await pass(500);
  }
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(100);
  await worker.stop();
});
