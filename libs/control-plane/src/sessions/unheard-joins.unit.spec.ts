import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { ReportBudgetSpent } from '../ports/report-budgets.js';
import { ServerOfDatabase } from '../testing/server-of-database.js';
import type { CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/><nodes/>' +
  '<resources/><constraints/></configuration><status/></cib>';
const agent = (node: string): CallingNode => ({ clusterId: CLUSTER, node, tokenId: `t-${node}`, actor: `agent:${node}` });
const N1 = agent('n1');

describe('a node that joins again and again', () => {
  let passedMs: number;
  let database: MemoryDatabase;
  let server: ServerOfDatabase;
  let started: number;

  /** As an agent that was started anew. */
  const join = (bootId = 'boot', of = N1) => server.join(of, { bootId, attempt: { processStartedMs: ++started, number: 1 } });
  const wait = (ms: number): void => void (passedMs += ms);
  const joins = (): number => database.eventsOf(CLUSTER).filter(({ event }) => event.type === 'NodeJoined').length;
  const renewals = async (): Promise<readonly string[]> => (await database.leases.ofCluster(CLUSTER)).map(({ renewal }) => renewal);
  const refusal = async (of: Promise<unknown>): Promise<ReportBudgetSpent> => {
    const error: unknown = await of.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof ReportBudgetSpent) return error;
    throw new Error('was let in, or refused for something else', { cause: error });
  };
  const joinThrice = async (): Promise<void> => {
    for (let joined = 1; joined <= 3; joined++) {
      await join();
      wait(5_000);
    }
  };

  beforeEach(async () => {
    [passedMs, started] = [0, 0];
    const clock: Clock = { timeOfDay: () => 1_800_000_000_000 + passedMs, monotonic: () => passedMs, after: () => () => undefined };
    database = new MemoryDatabase(clock);
    server = new ServerOfDatabase(database, clock);
    const created = await server.commands.execute(
      CLUSTER,
      { type: 'create-cluster', name: 'c', cib: CIB },
      { actor: 'test', correlationId: 'test' },
    );
    expect(created.ok).toBe(true);
  });

  it('and never polls is let in three times, and then once a minute: in between nothing is recorded, and its lease is not renewed', async () => {
    await joinThrice();
    const before = [await renewals(), database.eventsOf(CLUSTER).length];
    const { message, retryAfterMs, spent } = await refusal(join());
    expect(message).toMatch(/n1 .*never polls/);
    expect(spent.kind).toBe('joins');
    expect(retryAfterMs).toBe(55_000);
    wait(30_000);
    expect((await refusal(join())).retryAfterMs).toBe(25_000);
    expect([await renewals(), database.eventsOf(CLUSTER).length]).toEqual(before);
    wait(25_000);
    await join();
    expect(joins()).toBe(4);
    wait(5_000);
    expect((await refusal(join())).retryAfterMs).toBe(55_000);
  });

  it('is let in as ever when it polls in between', async () => {
    for (let joined = 1; joined <= 8; joined++) {
      const session = await join();
      expect(await server.poll(N1, session)).toMatchObject({ ok: true });
    }
    expect(joins()).toBe(8);
  });

  it('does not count as heard by polls of a life that is over', async () => {
    const first = await join();
    await join();
    await join();
    expect(await server.poll(N1, first)).toMatchObject({ ok: false });
    await refusal(join());
  });

  it('is answered when it repeats a join whose answer was lost, however often', async () => {
    const again = { attempt: { processStartedMs: 1, number: 1 } };
    for (let repeated = 1; repeated <= 6; repeated++) expect(await server.join(N1, again)).toMatchObject({ incarnation: 1 });
    started = 1;
    await join();
    await join();
    expect(await server.join(N1, { attempt: { processStartedMs: started, number: 1 } })).toMatchObject({ incarnation: 3 });
    await refusal(join());
  });

  it('is bounded as well when its joins come at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => join()));
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBe(10 - joins());
    expect(joins()).toBeLessThanOrEqual(3);
  });

  it('waits no longer as another boot', async () => {
    await joinThrice();
    expect(await server.sessions.leave(N1, { incarnation: 3, active: [] }, 'test')).toMatchObject({ ok: true });
    expect((await refusal(join('another boot'))).retryAfterMs).toBe(55_000);
    wait(55_000);
    const session = await join('another boot');
    expect(await server.poll(N1, session)).toMatchObject({ ok: true });
    await join('another boot');
  });

  it('keeps no other node out', async () => {
    await joinThrice();
    await refusal(join());
    await join('boot of n2', agent('n2'));
  });
});
