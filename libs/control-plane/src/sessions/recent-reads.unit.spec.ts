import { PROTOCOL, type PollRequest } from '@systole/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCommands } from '../commands/cluster-commands.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { MemoryLog } from '../memory/memory-log.js';
import type { Clock } from '../ports/clock.js';
import { AgentSessions } from './agent-sessions.js';
import type { CallingNode } from './session.js';

const CLUSTER = '6a6a8dcd-0000-4000-8000-000000000000';
const CIB =
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  '<nodes><node id="1" uname="n1"/></nodes><resources/><constraints/></configuration><status/></cib>';
const AGENT: CallingNode = { clusterId: CLUSTER, node: 'n1', tokenId: 't', actor: 'agent:n1' };
const SETTINGS = { leaseMs: 12_000, pollMs: 4_000 };
const RECENT_MS = 2_000;

/** One of the servers of a database, with a memory of its own. */
class Server {
  reads = 0;
  readonly sessions: AgentSessions;
  readonly commands: ClusterCommands;

  constructor(database: MemoryDatabase, clock: Clock) {
    const log = this.counted(database.openLog(clock));
    const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
    this.commands = new ClusterCommands({ log, clock, chance });
    this.sessions = new AgentSessions({
      log,
      commands: this.commands,
      leases: database.leases,
      dispatches: database.dispatches,
      signals: database.dispatches,
      seals: database.seals,
      clock,
      chance,
      report: { warn: () => undefined },
      settings: SETTINGS,
      requestAdvance: () => undefined,
    });
  }

  join = () => this.sessions.join(AGENT, { agentVersion: '1', bootId: 'boot', protocol: PROTOCOL }, 'test');

  poll = (incarnation: number, changes: Partial<PollRequest> = {}) =>
    this.sessions.poll(AGENT, { incarnation, waitMs: 0, known: [], active: [], watchdog: false, ...changes }, [], 'test');

  private counted(log: MemoryLog): MemoryLog {
    const loadHead = log.loadHead.bind(log);
    log.loadHead = (clusterId) => {
      this.reads += 1;
      return loadHead(clusterId);
    };
    return log;
  }
}

describe('a poll', () => {
  let passedMs = 0;
  let one: Server;
  let other: Server;

  beforeEach(async () => {
    passedMs = 0;
    const clock: Clock = { timeOfDay: () => 1_800_000_000_000 + passedMs, monotonic: () => passedMs, after: () => () => undefined };
    const database = new MemoryDatabase(clock);
    [one, other] = [new Server(database, clock), new Server(database, clock)];
    await one.commands.execute(CLUSTER, { type: 'create-cluster', name: 'c', cib: CIB }, { actor: 'test', correlationId: 'test' });
  });

  const joined = async (server: Server): Promise<Pick<PollRequest, 'incarnation'> & Required<Pick<PollRequest, 'witness'>>> => {
    const answer = await server.join();
    if (!answer.ok || answer.answer.head === undefined) throw new Error('refused');
    const { incarnation, head: witness } = answer.answer;
    return { incarnation, witness };
  };
  const rename = (server: Server, value: string) =>
    server.commands.execute(
      CLUSTER,
      { type: 'set-node-attribute', node: 'n1', name: 'rack', value, lifetime: 'forever' },
      { actor: 'test', correlationId: 'test' },
    );

  it('is answered with what its server read lately: it reads nothing', async () => {
    const { incarnation, witness } = await joined(one);
    await rename(other, 'a');
    one.reads = 0;
    passedMs += RECENT_MS;
    expect(await one.poll(incarnation, { witness })).toMatchObject({ ok: true, answer: { head: witness } });
    expect(one.reads).toBe(0);
    passedMs += 1;
    const later = await one.poll(incarnation, { witness });
    expect(later.ok && later.answer.head?.version).toBeGreaterThan(witness.version);
    expect(one.reads).toBe(1);
  });

  it('of an agent that was told more by another server is answered with no less', async () => {
    const { incarnation, witness } = await joined(one);
    await rename(other, 'a');
    await rename(other, 'b');
    const told = await other.poll(incarnation, { witness });
    if (!told.ok || told.answer.head === undefined) throw new Error('refused');
    expect(told.answer.head.version).toBeGreaterThan(witness.version);
    const next = await one.poll(incarnation, { witness: told.answer.head });
    expect(next.ok && next.answer.head?.version).toBeGreaterThanOrEqual(told.answer.head.version);
  });

  it('of a session that began at another server since is answered', async () => {
    await joined(one);
    const { incarnation, witness } = await joined(other);
    expect(await one.poll(incarnation, { witness })).toMatchObject({ ok: true });
  });

  it('of a session that ended at another server since is refused', async () => {
    const { incarnation, witness } = await joined(one);
    expect(await other.sessions.leave(AGENT, { incarnation }, 'test')).toEqual({ ok: true, answer: undefined });
    expect(await one.poll(incarnation, { witness })).toMatchObject({ ok: false, rejection: { code: 'declared-down' } });
  });

  it('of an agent that was told nothing yet is answered with what the log holds', async () => {
    const { incarnation } = await joined(one);
    await rename(other, 'a');
    one.reads = 0;
    await one.poll(incarnation);
    expect(one.reads).toBeGreaterThan(0);
  });
});
