import { PROTOCOL, type PollRequest } from '@systole/protocol';
import { ClusterCommands } from '../commands/cluster-commands.js';
import type { MemoryDatabase } from '../memory/memory-database.js';
import type { MemoryLog } from '../memory/memory-log.js';
import type { Admission } from '../ports/admission.js';
import type { Clock } from '../ports/clock.js';
import { AgentSessions } from '../sessions/agent-sessions.js';
import type { CallingNode } from '../sessions/session.js';

/** What an agent shows of its session when it polls. */
export type ShownSession = Pick<PollRequest, 'incarnation'> & Required<Pick<PollRequest, 'witness'>>;

/** One of the servers of a database, with a memory of its own. */
export class ServerOfDatabase {
  /** How often the head of a stream was read. */
  reads = 0;
  readonly sessions: AgentSessions;
  readonly commands: ClusterCommands;

  constructor(
    protected readonly database: MemoryDatabase,
    clock: Clock,
    admission?: Admission,
  ) {
    const log = this.counted(database.openLog(clock));
    const chance = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
    this.commands = new ClusterCommands({ log, clock, chance });
    this.sessions = new AgentSessions({
      log,
      commands: this.commands,
      leases: database.leases,
      dispatches: database.dispatches,
      signals: database.dispatches,
      writes: database.writes,
      seals: database.seals,
      clock,
      chance,
      report: { warn: () => undefined },
      settings: { leaseMs: 12_000, pollMs: 4_000 },
      requestAdvance: () => undefined,
      ...(admission === undefined ? {} : { admission }),
    });
  }

  /** @throws {Error} when the node is refused */
  async join(agent: CallingNode, more: Partial<Parameters<AgentSessions['join']>[1]> = {}): Promise<ShownSession> {
    const request = { agentVersion: '1', bootId: 'boot', protocol: PROTOCOL, ...more };
    const answer = await this.sessions.join(agent, request, 'test');
    if (!answer.ok || answer.answer.head === undefined) throw new Error('refused');
    return { incarnation: answer.answer.incarnation, witness: answer.answer.head };
  }

  /** Waits for nothing. */
  poll(
    agent: CallingNode,
    session: Pick<PollRequest, 'incarnation'> & Partial<Pick<PollRequest, 'witness'>>,
  ): ReturnType<AgentSessions['poll']> {
    return this.sessions.poll(agent, { waitMs: 0, known: [], active: [], watchdog: false, ...session }, [], 'test');
  }

  private counted(log: MemoryLog): MemoryLog {
    const loadHead = log.loadHead.bind(log);
    log.loadHead = (clusterId) => {
      this.reads += 1;
      return loadHead(clusterId);
    };
    return log;
  }
}
