import type { ClusterCommand } from '@systole/cluster';
import { PROTOCOL, type PollAnswer, type PollRequest } from '@systole/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import type { NewDispatch } from '../ports/dispatches.js';
import { AgentSessions } from './agent-sessions.js';
import type { Answer, CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes/><resources><primitive id="db" class="ocf" provider="systole" type="Dummy"/></resources><constraints/></configuration><status/></cib>';
const AGENT: CallingNode = { clusterId: CLUSTER, node: 'n1', tokenId: 't', actor: 'agent:n1' };
const META = { actor: 'test', correlationId: 'test' };
const LEASE_MS = 12_000;
const WAIT_MS = 2_000;
/** An answer may be late by a twelfth of the lease. */
const LATE_MS = 1_000;

/** What hangs as long as somebody holds it. */
class Gate {
  private held: (() => void)[] | undefined;

  hold(): void {
    this.held ??= [];
  }

  letGo(): void {
    const { held } = this;
    this.held = undefined;
    for (const go of held ?? []) go();
  }

  async pass(): Promise<void> {
    const { held } = this;
    if (held !== undefined) await new Promise<void>((resolve) => held.push(resolve));
  }
}

describe('a poll behind which something hangs', () => {
  let now: number;
  let timers: Set<{ readonly at: number; readonly run: () => void }>;
  let database: MemoryDatabase;
  let sessions: AgentSessions;
  let commands: ClusterCommands;
  let known: string[];
  let looks: Gate;
  let deliveries: Gate;
  let reads: Gate;
  let appends: Gate;
  let lookFails: Error | undefined;
  let joined: Pick<PollRequest, 'incarnation' | 'witness'>;

  const turnOver = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  };
  const pass = async (ms: number): Promise<void> => {
    await turnOver();
    for (const until = now + ms; ;) {
      const due = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      now = due?.at ?? until;
      if (due === undefined) return;
      timers.delete(due);
      due.run();
      await turnOver();
    }
  };
  const ask = async (command: ClusterCommand): Promise<void> => {
    const result = await commands.execute(CLUSTER, command, META);
    if (!result.ok) throw new Error(result.rejection.message);
  };
  const handOut = async (id: number): Promise<void> => {
    const action = { actionId: `${CLUSTER}:1:${String(id)}`, kind: 'operation' } as unknown as NewDispatch['action'];
    await database.dispatches.handOut(CLUSTER, 1, database.eventsOf(CLUSTER).length, [{ graphActionId: id, node: 'n1', action }]);
  };
  let seq: number;
  const poll = (changes: Partial<PollRequest> = {}): Promise<Answer<PollAnswer>> =>
    sessions.poll(AGENT, { ...joined, waitMs: WAIT_MS, seq: ++seq, known, active: [], watchdog: false, ...changes }, [], 'test');
  /** What has been answered; undefined while nothing is. */
  const heard = (polled: Promise<Answer<PollAnswer>>): (() => Answer<PollAnswer> | undefined) => {
    let answer: Answer<PollAnswer> | undefined;
    void polled.then((given) => (answer = given));
    return () => answer;
  };
  const given = (answer: Answer<PollAnswer> | undefined): readonly string[] | undefined =>
    answer?.ok === true ? answer.answer.actions.map(({ actionId }) => actionId.split(':').at(-1) ?? '') : undefined;
  const stamps = async () => (await database.dispatches.ofTransition(CLUSTER, 1)).filter(({ delivered }) => delivered).length;

  beforeEach(async () => {
    [now, seq, known, timers, lookFails] = [0, 0, [], new Set(), undefined];
    [looks, deliveries, reads, appends] = [new Gate(), new Gate(), new Gate(), new Gate()];
    const clock: Clock = {
      timeOfDay: () => 1_800_000_000_000 + now,
      monotonic: () => now,
      after: (ms, run) => {
        const timer = { at: now + ms, run };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    };
    const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
    database = new MemoryDatabase(clock);
    const log = database.openLog(clock);
    const [loadRecent, append, deliver] = [log.loadRecent.bind(log), log.append.bind(log), log.deliver.bind(log)];
    log.loadRecent = async (...args) => {
      await reads.pass();
      return loadRecent(...args);
    };
    log.append = async (...args) => {
      await appends.pass();
      return append(...args);
    };
    log.deliver = async (...args) => {
      const delivered = await deliver(...args);
      // The stamps are on their way.
      await deliveries.pass();
      return delivered;
    };
    const { dispatches } = database;
    commands = new ClusterCommands({ log, clock, chance });
    sessions = new AgentSessions({
      log,
      commands,
      leases: database.leases,
      dispatches: {
        anyOpen: async (id, node, of) => {
          await looks.pass();
          if (lookFails !== undefined) throw lookFails;
          return dispatches.anyOpen(id, node, of);
        },
        undelivered: () => Promise.resolve([]),
        delivered: (id, node, ids) => dispatches.delivered(id, node, ids),
        handedOut: (id, node, ids) => dispatches.handedOut(id, node, ids),
        handedOutAt: (id, node, ids) => dispatches.handedOutAt(id, node, ids),
      },
      signals: dispatches,
      writes: database.writes,
      seals: database.seals,
      clock,
      chance,
      report: { warn: () => undefined },
      settings: { leaseMs: LEASE_MS, pollMs: LEASE_MS / 3 },
      requestAdvance: () => undefined,
    });
    await ask({ type: 'create-cluster', name: 'c', cib: CIB });
    const answer = await sessions.join(AGENT, { agentVersion: '1', bootId: 'boot', protocol: PROTOCOL }, 'test');
    if (!answer.ok || answer.answer.head === undefined) throw new Error('refused');
    joined = { incarnation: answer.answer.incarnation, witness: answer.answer.head };
    const counts = { actions: 3, pseudo: 0, fencing: 0 };
    const plan = { inputVersion: 2, now: 1, schedulerVersion: '1', digest: 'd', counts, trigger: 't', summary: [] };
    await ask({ type: 'plan-transition', plan });
  });

  it('is answered little after its wait, with its lease renewed, when the look does not come', async () => {
    await handOut(1);
    looks.hold();
    const answer = heard(poll());
    await pass(WAIT_MS + LATE_MS - 1);
    expect(answer()).toBeUndefined();
    await pass(1);
    expect(answer()).toMatchObject({ ok: true, answer: { leaseMs: LEASE_MS, actions: [] } });
    const [lease] = await database.leases.ofCluster(CLUSTER);
    expect(lease?.renewal).toBe('1');
    looks.letGo();
    expect(given(await poll())).toEqual(['1']);
  });

  it('is given at once what is signalled while its look does not come', async () => {
    looks.hold();
    const answer = heard(poll());
    await turnOver();
    await handOut(1);
    await turnOver();
    expect(given(answer())).toEqual(['1']);
  });

  it('is answered so, too, when a delivery does not come; what that stamped is given to the next poll, and nothing is begun twice', async () => {
    deliveries.hold();
    const first = heard(poll());
    await turnOver();
    await handOut(1);
    await pass(WAIT_MS + LATE_MS);
    expect(given(first())).toEqual([]);
    expect(await stamps()).toBe(1);
    // The agent asks again, and again behind the same transaction.
    const second = heard(poll());
    await pass(WAIT_MS + LATE_MS);
    expect(given(second())).toEqual([]);
    const third = heard(poll());
    await turnOver();
    deliveries.letGo();
    await pass(0);
    expect(given(third())).toEqual(['1']);
    known = [`${CLUSTER}:1:1`];
    const fourth = heard(poll());
    await pass(WAIT_MS + LATE_MS);
    expect(given(fourth())).toEqual([]);
  });

  it('stamps nothing when its turn comes only after it was answered', async () => {
    deliveries.hold();
    const first = heard(poll());
    await turnOver();
    await handOut(1);
    await turnOver();
    const second = heard(poll());
    await pass(WAIT_MS + LATE_MS);
    expect([given(first()), given(second())]).toEqual([[], []]);
    await ask({ type: 'set-node-attribute', node: 'n1', name: 'rack', value: 'z', lifetime: 'reboot' });
    await handOut(2);
    deliveries.letGo();
    await pass(0);
    expect(await stamps()).toBe(1);
    expect(given(await poll())).toEqual(['1', '2']);
  });

  it('is answered with what was read when it came where nothing newer can be read, and without what can not be recorded', async () => {
    const answer = heard(poll({ troubles: [{ code: 'disk', detail: 'full' }] }));
    await turnOver();
    reads.hold();
    await pass(WAIT_MS + LATE_MS);
    expect(answer()).toMatchObject({ ok: true, answer: { actions: [], head: { version: joined.witness?.version } } });
    reads.letGo();
    appends.hold();
    const other = heard(poll({ troubles: [{ code: 'other', detail: 'full' }] }));
    await pass(WAIT_MS + LATE_MS);
    expect(other()).toMatchObject({ ok: true });
  });

  it('is told what goes wrong as long as it waits for it, and what goes wrong later tells nobody', async () => {
    lookFails = new Error('the database is away');
    await expect(poll()).rejects.toThrow('the database is away');
    looks.hold();
    const answer = heard(poll());
    await pass(WAIT_MS + LATE_MS);
    expect(answer()).toMatchObject({ ok: true });
    // An unhandled rejection would fail the run.
    looks.letGo();
    await turnOver();
  });
});
