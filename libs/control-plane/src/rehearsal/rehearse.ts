import { ClusterCommands, type ClusterCommandsParts } from '../commands/cluster-commands.js';
import type { ExecuteResult } from '../commands/command-results.js';
import { EpochKeepingLog } from '../epochs/epoch-keeping-log.js';
import { Heartbeat } from '../leases/heartbeat.js';
import { MemoryDatabase } from '../memory/memory-database.js';
import type { Chance, Clock } from '../ports/clock.js';
import type { ClusterLog } from '../ports/cluster-log.js';
import type { Report } from '../ports/report.js';
import type { Scheduling } from '../ports/scheduling.js';
import { AgentSessions } from '../sessions/agent-sessions.js';
import { Wakeable } from '../time/wakeable.js';
import { ClusterWorker } from '../worker/cluster-worker.js';
import { nodeNames, rehearsedCib, type RehearsedSize } from './rehearsed-cib.js';
import { RehearsedAgent } from './rehearsed-agent.js';

export interface RehearsalParts extends Pick<ClusterCommandsParts, 'bitByBit' | 'slices'> {
  readonly scheduling: Scheduling;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Waited for before each step, which takes some milliseconds at most: lets everything else have its turn. Rejects when there is to be no further step. */
  readonly turn: () => Promise<void>;
}

/** What was done, for whoever tells of it. */
export interface Rehearsed {
  /** Results of actions that agents reported. */
  readonly results: number;
}

/** One cluster after the other: small ones, as code becomes quick by being used often, and memory is not to grow. */
const SIZES: readonly RehearsedSize[] = Array.from({ length: 3 }, () => ({ nodes: 4, resources: 60 }));
/** Of each, resources that fail one after the other. */
const FAILURES = 12;
/** Longer than a rehearsal takes: nobody loses its lease when everything stands back. */
const LEASE_MS = 600_000;
/** Longest wait of a poll, and between two looks whether something has come about; ms. */
const LOOK_MS = 500;
const SETTINGS = { concurrency: 1, leaseScanMs: 1_000, sweepMs: 30_000 };

/**
 * Does on clusters of nobody's, in memory, what a server does for its clusters: nodes join, a configuration comes, everything is looked for and started, and some of it fails. All of it is the very
 * code that serves, on the ports in memory; so V8 has compiled what is used often before somebody waits for it.
 *
 * @throws what `turn` rejects with; {Error} when something does not come about
 */
export async function rehearse(parts: RehearsalParts): Promise<Rehearsed> {
  let results = 0;
  // The same for all: whoever plans keeps what it knows of one.
  const clusterId = parts.chance.uuid();
  for (const size of SIZES) {
    const rehearsal = new Rehearsal(parts, clusterId, size);
    try {
      await rehearsal.run();
    } finally {
      await rehearsal.end();
    }
    results += rehearsal.results;
  }
  return { results };
}

/** One cluster's life, on a database of its own. */
class Rehearsal {
  results = 0;
  private readonly commands: ClusterCommands;
  private readonly log: ClusterLog;
  private readonly worker: ClusterWorker;
  private readonly agents: readonly RehearsedAgent[];
  private readonly beating: Promise<Heartbeat>;
  private readonly ended = new AbortController();
  private readonly news: Wakeable;
  private working: Promise<unknown> = Promise.resolve();
  /** What kept it from going on. */
  private trouble: Error | undefined;

  constructor(
    private readonly parts: RehearsalParts,
    private readonly clusterId: string,
    private readonly size: RehearsedSize,
  ) {
    const { scheduling, clock, chance, turn, bitByBit, slices } = parts;
    this.news = new Wakeable(clock);
    const report: Report = {
      info: () => undefined,
      warn: (details, message) => {
        this.fail(
          'err' in details && details.err instanceof Error ? details.err : new Error(`in the rehearsal: ${message}`, { cause: details }),
        );
      },
    };
    const database = new MemoryDatabase(clock, clock);
    const own = <Port extends object>(port: Port): Port => inTurn(port, turn);
    const openLog = (by: string): ClusterLog => own<ClusterLog>(new EpochKeepingLog({ log: database.openLog(clock), chance, report, by }));
    this.log = openLog('api');
    this.worker = new ClusterWorker(
      {
        ...{ scheduling, clock, chance, report },
        log: openLog('worker'),
        leases: own(database.leases),
        heartbeats: own(database.heartbeats),
        dispatches: own(database.dispatches),
        graphs: own(database.graphs),
        claims: own(database.claims),
        failures: own(database.failures),
        databaseClock: own({ now: () => database.now() }),
      },
      SETTINGS,
    );
    this.commands = new ClusterCommands({
      ...{ clock, chance, log: this.log },
      ...(bitByBit === undefined ? {} : { bitByBit }),
      ...(slices === undefined ? {} : { slices }),
    });
    database.onAppended = (clusterId) => {
      this.worker.want(clusterId);
      this.news.wake();
    };
    this.beating = Heartbeat.start({ ...{ clock, chance, report }, heartbeats: database.heartbeats, meanwhile: '' });
    const sessions = new AgentSessions({
      ...{ clock, chance, report },
      commands: this.commands,
      log: this.log,
      leases: own(database.leases),
      dispatches: own(database.dispatches),
      writes: own(database.writes),
      signals: database.dispatches,
      seals: database.seals,
      requestAdvance: (clusterId) => {
        this.worker.want(clusterId);
      },
      figures: {
        resultsTaken: ({ acknowledged }) => {
          this.results += acknowledged;
        },
        delivered: () => undefined,
      },
      settings: { leaseMs: LEASE_MS, pollMs: LOOK_MS },
    });
    this.agents = nodeNames(size).map((node) => new RehearsedAgent(this.clusterId, node, sessions, turn, this.ended.signal));
  }

  async run(): Promise<void> {
    await this.beating;
    this.worker.start();
    const { nodes, resources } = this.size;
    await this.ask({ type: 'create-cluster', name: 'rehearsal', cib: rehearsedCib({ nodes, resources: 0 }) });
    for (const agent of this.agents) await agent.join();
    this.working = Promise.all(
      this.agents.map((agent) =>
        agent.work().catch((error: unknown) => {
          this.fail(error);
        }),
      ),
    );
    await this.ask({ type: 'replace-configuration', cib: rehearsedCib(this.size) });
    await this.settled();
    for (let failures = 0; failures < Math.min(FAILURES, resources); failures++) {
      const resource = `r${failures}`;
      await this.agents.find(({ watched }) => watched.includes(resource))?.lose(resource);
      await this.settled();
    }
  }

  /** Whatever became of it: nothing goes on afterwards. */
  async end(): Promise<void> {
    this.ended.abort();
    await (await this.beating).stop();
    await Promise.all([this.worker.stop(), this.working]);
    this.worker.close();
  }

  private async ask(command: Parameters<ClusterCommands['execute']>[1]): Promise<void> {
    const result: ExecuteResult = await this.commands.execute(this.clusterId, command, { actor: 'rehearsal', correlationId: 'rehearsal' });
    if (!result.ok) throw new Error(`the rehearsal was refused to ${command.type}: ${result.rejection.code}`);
  }

  /** Everything runs and is monitored, and nothing is to be planned. @throws what keeps it from that */
  private async settled(): Promise<void> {
    for (;;) {
      await this.parts.turn();
      if (this.trouble !== undefined) throw this.trouble;
      const watched = this.agents.reduce((sum, agent) => sum + agent.watched.length, 0);
      const { transition, recompute } = await this.log.load(this.clusterId);
      if (watched === this.size.resources && transition === undefined && recompute === undefined) return;
      await this.news.wait(LOOK_MS);
    }
  }

  /** @param error the first counts: what follows from it is no news */
  private fail(error: unknown): void {
    this.trouble ??= error instanceof Error ? error : new Error(String(error));
    this.news.wake();
  }
}

/** A port that has its answers from somewhere else, as real ones have: everything else has its turn before. What it answers at once is answered at once. */
function inTurn<Port extends object>(port: Port, turn: () => Promise<void>): Port {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return async (...parameters: readonly unknown[]): Promise<unknown> => {
        await turn();
        return Reflect.apply(value, target, parameters) as unknown;
      };
    },
  });
}
