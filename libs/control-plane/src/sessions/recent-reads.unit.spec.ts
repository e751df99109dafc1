import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Clock } from '../ports/clock.js';
import { ServerOfDatabase } from '../testing/server-of-database.js';
import type { CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/></nodes><resources/><constraints/></configuration><status/></cib>';
const AGENT: CallingNode = { clusterId: CLUSTER, node: 'n1', tokenId: 't', actor: 'agent:n1' };
const RECENT_MS = 2_000;

describe('a poll', () => {
  let passedMs = 0;
  let one: ServerOfDatabase;
  let other: ServerOfDatabase;

  beforeEach(async () => {
    passedMs = 0;
    const clock: Clock = { timeOfDay: () => 1_800_000_000_000 + passedMs, monotonic: () => passedMs, after: () => () => undefined };
    const database = new MemoryDatabase(clock);
    [one, other] = [new ServerOfDatabase(database, clock), new ServerOfDatabase(database, clock)];
    await one.commands.execute(CLUSTER, { type: 'create-cluster', name: 'c', cib: CIB }, { actor: 'test', correlationId: 'test' });
  });

  const rename = (server: ServerOfDatabase, value: string) =>
    server.commands.execute(
      CLUSTER,
      { type: 'set-node-attribute', node: 'n1', name: 'rack', value, lifetime: 'forever' },
      { actor: 'test', correlationId: 'test' },
    );

  it('is answered with what its server read lately: it reads nothing', async () => {
    const { incarnation, witness } = await one.join(AGENT);
    await rename(other, 'a');
    one.reads = 0;
    passedMs += RECENT_MS;
    expect(await one.poll(AGENT, { incarnation, witness })).toMatchObject({ ok: true, answer: { head: witness } });
    expect(one.reads).toBe(0);
    passedMs += 1;
    const later = await one.poll(AGENT, { incarnation, witness });
    expect(later.ok && later.answer.head?.version).toBeGreaterThan(witness.version);
    expect(one.reads).toBe(1);
  });

  it('of an agent that was told more by another server is answered with no less', async () => {
    const { incarnation, witness } = await one.join(AGENT);
    await rename(other, 'a');
    await rename(other, 'b');
    const told = await other.poll(AGENT, { incarnation, witness });
    if (!told.ok || told.answer.head === undefined) throw new Error('refused');
    expect(told.answer.head.version).toBeGreaterThan(witness.version);
    const next = await one.poll(AGENT, { incarnation, witness: told.answer.head });
    expect(next.ok && next.answer.head?.version).toBeGreaterThanOrEqual(told.answer.head.version);
  });

  it('of a session that began at another server since is answered', async () => {
    await one.join(AGENT);
    const { incarnation, witness } = await other.join(AGENT);
    expect(await one.poll(AGENT, { incarnation, witness })).toMatchObject({ ok: true });
  });

  it('of a session that ended at another server since is refused', async () => {
    const { incarnation, witness } = await one.join(AGENT);
    expect(await other.sessions.leave(AGENT, { incarnation }, 'test')).toEqual({ ok: true, answer: undefined });
    expect(await one.poll(AGENT, { incarnation, witness })).toMatchObject({ ok: false, rejection: { code: 'declared-down' } });
  });

  it('of an agent that was told nothing yet is answered with what the log holds', async () => {
    const { incarnation } = await one.join(AGENT);
    await rename(other, 'a');
    one.reads = 0;
    await one.poll(AGENT, { incarnation });
    expect(one.reads).toBeGreaterThan(0);
  });
});
