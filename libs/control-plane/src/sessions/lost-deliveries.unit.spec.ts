import type { AgentAction, ClusterCommand, ReportedResult } from '@systole/cluster';
import { PROTOCOL, type PollAnswer, type PollRequest } from '@systole/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase, type MemoryCopy } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { AgentSessions } from './agent-sessions.js';
import type { Answer, CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/>' +
  '<resources/><constraints/></configuration><status/></cib>';
const ACTION: AgentAction = {
  actionId: `${CLUSTER}:1:1`,
  kind: 'operation',
  transitionKey: `1:1:0:${CLUSTER}`,
  operation: 'start',
  intervalMs: 0,
  timeoutMs: 20_000,
  expectedRc: 0,
  resource: { id: 'r', historyId: 'r', class: 'ocf', provider: 'systole', type: 'Dummy' },
  parameters: {},
  meta: {},
};

describe('a node that polls with what it was given', () => {
  const agent: CallingNode = { clusterId: CLUSTER, node: 'n1', tokenId: 't', actor: 'agent:n1' };
  let database: MemoryDatabase;
  let sessions: AgentSessions;
  let lease: Pick<PollRequest, 'incarnation' | 'witness' | 'rollCall'>;
  let warnings: string[];
  let passedMs: number;
  let hangs: boolean;

  const ask = async (command: ClusterCommand): Promise<void> => {
    const result = await new ClusterCommands({ log: database.openLog(), clock, chance }).execute(CLUSTER, command, {
      actor: 'test',
      correlationId: 'test',
    });
    if (!result.ok) throw new Error(result.rejection.message);
  };
  const clock: Clock = {
    timeOfDay: () => 1_800_000_000_000 + passedMs,
    monotonic: () => passedMs,
    after: (ms, call) => {
      // Time passes where something is waited for.
      const timer = setImmediate(() => {
        passedMs += ms;
        call();
      });
      return () => {
        clearImmediate(timer);
      };
    },
  };
  const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
  const open = (): void => {
    sessions = new AgentSessions({
      log: database.openLog(clock),
      commands: new ClusterCommands({ log: database.openLog(clock), clock, chance }),
      leases: database.leases,
      dispatches: {
        anyOpen: (...asked) => database.dispatches.anyOpen(...asked),
        undelivered: () => database.dispatches.undelivered(),
        handedOut: (...asked) => database.dispatches.handedOut(...asked),
        handedOutAt: (...asked) => database.dispatches.handedOutAt(...asked),
        delivered: (...asked) => (hangs ? new Promise(() => undefined) : database.dispatches.delivered(...asked)),
      },
      signals: database.dispatches,
      writes: database.writes,
      seals: database.seals,
      clock,
      chance,
      report: { warn: (_, message) => warnings.push(message) },
      settings: { leaseMs: 12_000, pollMs: 4_000 },
      requestAdvance: () => undefined,
    });
  };
  const poll = (...known: readonly string[]): Promise<Answer<PollAnswer>> =>
    sessions.poll(agent, { waitMs: 0, known, active: [], watchdog: false, ...lease }, [], 'test');
  const handOut = async (): Promise<void> => {
    const version = database.eventsOf(CLUSTER).length;
    await database.dispatches.handOut(CLUSTER, 1, version, [{ graphActionId: 1, node: 'n1', action: ACTION }]);
  };
  const renewals = async (): Promise<readonly string[]> => (await database.leases.ofCluster(CLUSTER)).map(({ renewal }) => renewal);
  /** The servers begin anew on a copy of the database. */
  const restore = (copy: MemoryCopy): void => {
    database.restore(copy);
    open();
  };

  beforeEach(async () => {
    [passedMs, warnings, hangs] = [0, [], false];
    database = new MemoryDatabase(clock);
    open();
    await ask({ type: 'create-cluster', name: 'c', cib: CIB });
    const joined = await sessions.join(agent, { agentVersion: '1', bootId: 'boot', protocol: PROTOCOL }, 'test');
    if (!joined.ok || joined.answer.head === undefined || joined.answer.rollCall === undefined) throw new Error('refused');
    lease = { incarnation: joined.answer.incarnation, witness: joined.answer.head, rollCall: joined.answer.rollCall };
    const plan = {
      inputVersion: database.eventsOf(CLUSTER).length,
      now: 1,
      schedulerVersion: '1',
      digest: 'd',
      counts: { actions: 1, pseudo: 0, fencing: 0 },
      trigger: 't',
      summary: [],
    };
    await ask({ type: 'plan-transition', plan });
  });

  it('goes on when the database knows that it was given it', async () => {
    await handOut();
    expect(await poll()).toMatchObject({ ok: true, answer: { actions: [{ actionId: ACTION.actionId }] } });
    expect(await poll(ACTION.actionId)).toMatchObject({ ok: true, answer: { actions: [] } });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['handed out', async (): Promise<void> => handOut()],
    ['planned', (): Promise<void> => Promise.resolve()],
  ])('has to join anew, before it renews its lease, when the database is of when that was only %s', async (_, before) => {
    await before();
    const copy = database.copy();
    await handOut();
    await poll();
    restore(copy);
    const renewed = await renewals();
    expect(await poll(ACTION.actionId)).toMatchObject({ ok: false, rejection: { code: 'log-epoch-changed', pointer: '/known' } });
    expect(await renewals()).toEqual(renewed);
    expect(warnings).toEqual([expect.stringContaining('has not given it')]);
  });

  it.each([
    ['handed out', async (): Promise<void> => handOut()],
    [
      'delivered',
      async (): Promise<void> => {
        await handOut();
        await poll();
      },
    ],
  ])(
    'shows what its results were acknowledged with, though no poll was answered since, when the database is of when that was only %s',
    async (_, before) => {
      await before();
      const copy = database.copy();
      await handOut();
      await poll();
      const result = {
        ...{ resultId: 'x', actionId: ACTION.actionId, transitionKey: ACTION.transitionKey, resource: ACTION.resource, operation: 'start' },
        ...{ intervalMs: 0, status: 'done', rc: 0, callId: 1, startedAt: 1, execMs: 1, queueMs: 0, lastRcChange: 1, at: 1 },
      } as unknown as ReportedResult;
      const reported = await sessions.results(agent, { incarnation: lease.incarnation, results: [result] }, 'test');
      if (!reported.ok || reported.answer.head === undefined) throw new Error('refused');
      expect(reported.answer.acknowledged).toEqual(['x']);
      restore(copy);
      const renewed = await renewals();
      const shown = await sessions.poll(
        agent,
        { waitMs: 0, known: [], active: [], watchdog: false, ...lease, recorded: reported.answer.head },
        [],
        'test',
      );
      expect(shown).toMatchObject({ ok: false, rejection: { code: 'log-epoch-changed' } });
      expect(await renewals()).not.toEqual(renewed);
    },
  );
  it('is told of in the server log once a minute, however often it polls', async () => {
    passedMs += 3_000; // What was read before the plan is not recent any more.
    for (let polled = 0; polled < 20; polled++) expect(await poll(ACTION.actionId)).toMatchObject({ ok: false });
    expect(warnings).toHaveLength(1);
    passedMs += 59_999;
    await poll(ACTION.actionId);
    expect(warnings).toHaveLength(1);
    passedMs += 1;
    await poll(ACTION.actionId);
    expect(warnings).toHaveLength(2);
  });

  it.each(['', 'zzz', '1e3', '-1', '1'.repeat(11), `1${'x'.repeat(1_000)}`])('may say what is no id of an action (%j)', async (made) => {
    passedMs += 3_000;
    expect(await poll(`${CLUSTER}:1:${made}`)).toMatchObject({ ok: true });
    expect(warnings).toEqual([]);
  });

  it('is told so once: it goes on with it in its next life, of which nobody says that nothing runs', async () => {
    const copy = database.copy();
    await handOut();
    await poll();
    restore(copy);
    expect(await poll(ACTION.actionId)).toMatchObject({ ok: false });
    expect(await poll(ACTION.actionId)).toMatchObject({ ok: false });
    const again = await sessions.join(agent, { agentVersion: '1', bootId: 'boot', protocol: PROTOCOL }, 'test');
    if (!again.ok || again.answer.head === undefined) throw new Error('refused');
    lease = { ...lease, incarnation: again.answer.incarnation, witness: again.answer.head };
    expect(await poll(ACTION.actionId)).toMatchObject({ ok: true });
    expect(await poll(`${CLUSTER}:1:2`)).toMatchObject({ ok: false });
  });

  it('may know what was of a transition before, or of another epoch: that is forgotten some time', async () => {
    expect(await poll(`${CLUSTER}:0:1`, 'another epoch:1:1', `${CLUSTER}:11:1`, '')).toMatchObject({ ok: true });
    expect(warnings).toEqual([]);
  });

  const answered = async (): Promise<string | undefined> => (await database.leases.ofCluster(CLUSTER))[0]?.answered;
  /** A worker begins to watch. @returns what its agent is told with the next answer, and shows from then on */
  const callRoll = async (): Promise<string> => (await database.leases.callRoll()).id;

  it('renews its lease all the same when nobody can say what it was given, and does not count as heard', async () => {
    hangs = true;
    passedMs += 3_000;
    const rollCall = await callRoll();
    const renewed = await renewals();
    lease = { ...lease, rollCall };
    expect(await poll(ACTION.actionId)).toMatchObject({ ok: true });
    expect(await renewals()).not.toEqual(renewed);
    expect(await answered()).not.toBe(rollCall);
    hangs = false;
    await handOut();
    await poll();
    expect(await poll(ACTION.actionId)).toMatchObject({ ok: true });
    expect(await answered()).toBe(rollCall);
  });

  it('answers the roll that was called when it joined, and no later one before it was told of that', async () => {
    const first = lease.rollCall;
    expect(await answered()).toBe(first);
    const second = await callRoll();
    expect(await poll()).toMatchObject({ ok: true, answer: { rollCall: second } });
    expect(await answered()).toBe(first);
    lease = { ...lease, rollCall: second };
    await poll();
    expect(await answered()).toBe(second);
  });

  it('has to join anew when it goes on showing another roll call for a lease, and not before: its cluster waits for it', async () => {
    await callRoll();
    expect(await poll()).toMatchObject({ ok: true });
    passedMs += 11_000;
    expect(await poll()).toMatchObject({ ok: true });
    passedMs += 13_000;
    expect(await poll()).toMatchObject({ ok: false, rejection: { code: 'log-epoch-changed', pointer: '/rollCall' } });
    const again = await sessions.join(agent, { agentVersion: '1', bootId: 'boot', protocol: PROTOCOL }, 'test');
    expect(again).toMatchObject({ ok: true, answer: { rollCall: (await database.leases.rollCall()).id } });
    expect(await answered()).toBe((await database.leases.rollCall()).id);
  });

  it('hears at once that the roll was called, once for each call, and waits as long as ever otherwise', async () => {
    const waited = async (): Promise<number> => {
      const before = passedMs;
      await sessions.poll(agent, { waitMs: 3_000, known: [], active: [], watchdog: false, ...lease }, [], 'test');
      return passedMs - before;
    };
    await callRoll();
    expect(await waited()).toBeLessThan(1_000);
    // One that does not show what it was told.
    expect(await waited()).toBeGreaterThanOrEqual(3_000);
    await callRoll();
    expect(await waited()).toBeLessThan(1_000);
  });
});
