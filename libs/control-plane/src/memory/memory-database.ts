import type { ClusterEvent } from '@systole/cluster';
import type { Clock, DatabaseClock } from '../ports/clock.js';
import type { AdvanceFailure } from '../ports/advance-failures.js';
import type { ClusterClaim } from '../ports/cluster-claims.js';
import { HeldTooLong, placesOf, tellAnswers, workTogether, type Append, type Appended, type AppendOutcome } from '../ports/cluster-log.js';
import type { ApiBeats } from '../ports/heartbeats.js';
import type { RollCall } from '../ports/node-leases.js';
import type { TransactionTables } from '../ports/transaction-tables.js';
import { MemoryAgentWrites, memoryAgentWritesIn, type NewestWrite } from './memory-agent-writes.js';
import { MemoryClaims } from './memory-claims.js';
import { answerIn, MemoryDispatches, type StoredDispatch } from './memory-dispatches.js';
import { memoryContainerTokensIn, type ContainerToken } from './memory-container-tokens.js';
import { MemoryFailures } from './memory-failures.js';
import { MemoryGraphs, type StoredGraph } from './memory-graphs.js';
import { MemoryHeartbeats, MemoryLeases, memoryLeasesIn, type StoredLease } from './memory-leases.js';
import { MemorySeals } from './memory-seals.js';
import { MemorySecrets, memorySecretsIn, type StoredSecret } from './memory-secrets.js';
import { StreamHold } from './stream-hold.js';
import { MemoryLog, type CommitFate, type StoredEvent } from './memory-log.js';

/** Everything that can be rebuilt from the events, or is worth nothing after a restart. */
export interface MemoryTables {
  readonly leases: Map<string, StoredLease>;
  readonly beats: Map<string, ApiBeats>;
  readonly dispatches: Map<string, StoredDispatch>;
  readonly graphs: Map<string, StoredGraph>;
  readonly claims: Map<string, ClusterClaim>;
  readonly failures: Map<string, AdvanceFailure>;
  readonly rollCalls: Map<'newest', RollCall>;
  readonly secrets: Map<string, StoredSecret>;
  readonly containerTokens: Set<ContainerToken>;
  readonly agentWrites: Map<string, NewestWrite>;
}

/** All that a database holds at one moment. */
export interface MemoryCopy {
  readonly events: ReadonlyMap<string, readonly StoredEvent[]>;
  readonly names: ReadonlyMap<string, string>;
  readonly tables: MemoryTables;
}

/**
 * A database in memory: the ports' twins, for tests, simulations and rehearsals. It passes the same suite as the real ones, and can do what those must be
 * survived doing: leave a commit unanswered, lose the tail of a stream, lose its tables, be put back as it was.
 */
export class MemoryDatabase implements DatabaseClock {
  tables: MemoryTables = emptyTables();
  readonly leases = new MemoryLeases(this);
  readonly heartbeats = new MemoryHeartbeats(this);
  readonly dispatches = new MemoryDispatches(this);
  readonly graphs = new MemoryGraphs(this);
  readonly claims = new MemoryClaims(this);
  readonly failures = new MemoryFailures(this);
  readonly secrets = new MemorySecrets(this);
  readonly writes = new MemoryAgentWrites(this);
  /** Older than any copy. */
  readonly seals = new MemorySeals();
  private rollCallsMade = 0;
  /** Asked at each commit of events; tests replace it. */
  fateOfNextCommit: () => CommitFate = () => 'answered';
  /** Told of each append that took place; tests replace it. */
  onAppended: (clusterId: string, appended: Appended) => void = () => undefined;
  private readonly events = new Map<string, readonly StoredEvent[]>();
  private readonly names = new Map<string, string>();
  private readonly late: Append[] = [];
  private turn: Promise<unknown> = Promise.resolve();
  private held: StreamHold | undefined;

  /**
   * @param clock of the machine that the database runs on
   * @param timers of its own; without them a stream that is held is let go of by its holder only
   */
  constructor(
    private readonly clock: Pick<Clock, 'timeOfDay'>,
    private readonly timers?: Pick<Clock, 'after'>,
  ) {}

  /** The log as one more process sees it. @param clock of the process that opens it; without one, nothing counts as read lately there */
  openLog(clock?: Pick<Clock, 'monotonic'>): MemoryLog {
    return new MemoryLog(this, clock);
  }

  timeOfDay(): number {
    return this.clock.timeOfDay();
  }

  now(): Promise<number> {
    return Promise.resolve(this.timeOfDay());
  }

  streams(): readonly string[] {
    return [...this.events.keys()];
  }

  eventsOf(clusterId: string): readonly StoredEvent[] {
    return this.events.get(clusterId) ?? [];
  }

  /** As after the restore of a copy: of this stream nothing is left beyond a version. */
  loseTail(clusterId: string, lastVersion: number): void {
    this.events.set(clusterId, this.eventsOf(clusterId).slice(0, lastVersion));
  }

  /** A backup, or what an asynchronous replica has. */
  copy(): MemoryCopy {
    return { events: new Map(this.events), names: new Map(this.names), tables: ownCopyOf(this.tables) };
  }

  /** All is as it was when the copy was made; what was under way is gone. */
  restore({ events, names, tables }: MemoryCopy): void {
    this.events.clear();
    this.names.clear();
    for (const [id, stored] of events) this.events.set(id, stored);
    for (const [name, id] of names) this.names.set(name, id);
    this.tables = ownCopyOf(tables);
    this.late.length = 0;
    this.letGo(this.held);
  }

  loseTables(): void {
    this.tables = emptyTables();
  }

  /** One after the other, as if every transaction locked all that there is. */
  exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    const mine = this.turn.then(work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /** The same, when nobody holds that stream. @param hold of who holds it itself: @throws when it was let go of */
  async exclusivelyOn<T>(clusterId: string, work: () => T | Promise<T>, hold?: StreamHold): Promise<T> {
    for (;;) {
      const turn = await this.exclusively(async () => {
        const other = this.held?.clusterId === clusterId && this.held !== hold ? this.held : undefined;
        if (other !== undefined) return { over: other.over };
        if (hold !== undefined && this.held !== hold) throw new HeldTooLong(clusterId, hold.withinMs);
        return { result: await work() };
      });
      if ('result' in turn) return turn.result;
      await turn.over;
    }
  }

  /** Keeps others from a stream until it is let go of. @returns undefined when somebody holds one already; to be called {@link exclusively} */
  hold(clusterId: string, withinMs: number): StreamHold | undefined {
    if (this.held !== undefined) return undefined;
    const hold = new StreamHold(clusterId, withinMs);
    hold.callOff = this.timers?.after(withinMs, () => {
      this.letGo(hold);
    });
    this.held = hold;
    return hold;
  }

  letGo(hold: StreamHold | undefined): void {
    hold?.end();
    if (this.held === hold) this.held = undefined;
  }

  /** What was left open by `late` commits takes place now, as far as it can. */
  async commitLateOnes(): Promise<void> {
    for (const append of this.late.splice(0)) await this.transact(append);
  }

  commitLater(append: Append): void {
    this.late.push(append);
  }

  /** The transaction of an append; to be called {@link exclusively}. */
  async transact({ clusterId, expectedVersion, parts, guard }: Append): Promise<AppendOutcome> {
    const draft = copyOf(this.tables);
    const tables: TransactionTables = {
      leases: memoryLeasesIn(draft.leases, () => this.timeOfDay()),
      secrets: memorySecretsIn(draft.secrets),
      containerTokens: memoryContainerTokensIn(draft.containerTokens),
      writes: memoryAgentWritesIn(draft.agentWrites),
      clock: { now: () => Promise.resolve(this.timeOfDay()) },
    };
    if (guard !== undefined && !(await guard(tables))) return { type: 'guarded' };
    const stored = this.eventsOf(clusterId);
    if (stored.length !== expectedVersion) return { type: 'conflict' };
    const taken = parts.flatMap(({ events }) => events).find((event) => this.isTaken(event, clusterId));
    if (taken?.type === 'ClusterCreated') return { type: 'name-taken', name: taken.data.name };
    const before = stored.at(-1)?.occurredAt ?? '';
    const now = new Date(this.timeOfDay()).toISOString();
    const appended = placesOf(parts, expectedVersion, now > before ? now : before);
    tellAnswers(parts, (answers) => answerIn(draft.dispatches, clusterId, answers));
    await workTogether(parts, tables, appended);
    this.tables = draft;
    const added = parts.flatMap(({ events, meta }, index) => {
      const { firstVersion = 0, occurredAt = '' } = appended[index] ?? {};
      return events.map((event, place): StoredEvent => ({ version: firstVersion + place, event, meta, occurredAt }));
    });
    this.events.set(clusterId, [...stored, ...added]);
    for (const { event } of added) this.name(event, clusterId);
    for (const one of appended) this.onAppended(clusterId, one);
    return { type: 'appended', appended };
  }

  private isTaken(event: ClusterEvent, clusterId: string): boolean {
    return event.type === 'ClusterCreated' && (this.names.get(event.data.name) ?? clusterId) !== clusterId;
  }

  /** Another one each time, whatever copy is put back. */
  newRollCallId(): string {
    this.rollCallsMade += 1;
    return `roll-call-${String(this.rollCallsMade)}`;
  }

  private name(event: ClusterEvent, clusterId: string): void {
    if (event.type === 'ClusterCreated') this.names.set(event.data.name, clusterId);
    if (event.type === 'ClusterDeleted') for (const [name, id] of this.names) if (id === clusterId) this.names.delete(name);
  }
}

function emptyTables(): MemoryTables {
  return {
    leases: new Map(),
    beats: new Map(),
    dispatches: new Map(),
    graphs: new Map(),
    claims: new Map(),
    failures: new Map(),
    rollCalls: new Map(),
    secrets: new Map(),
    containerTokens: new Set(),
    agentWrites: new Map(),
  };
}

function ownCopyOf({
  leases,
  beats,
  dispatches,
  graphs,
  claims,
  failures,
  rollCalls,
  secrets,
  containerTokens,
  agentWrites,
}: MemoryTables): MemoryTables {
  return {
    leases: new Map(leases),
    beats: new Map(beats),
    dispatches: new Map(dispatches),
    graphs: new Map(graphs),
    claims: new Map(claims),
    failures: new Map(failures),
    rollCalls: new Map(rollCalls),
    secrets: new Map(secrets),
    containerTokens: new Set(containerTokens),
    agentWrites: new Map(agentWrites),
  };
}

/** Of what a transaction of events changes; the others are written at any time. */
function copyOf({ leases, dispatches, secrets, containerTokens, agentWrites, ...others }: MemoryTables): MemoryTables {
  return {
    ...others,
    leases: new Map(leases),
    dispatches: new Map(dispatches),
    secrets: new Map(secrets),
    containerTokens: new Set(containerTokens),
    agentWrites: new Map(agentWrites),
  };
}
