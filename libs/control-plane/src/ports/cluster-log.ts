import type { ClusterEvent, ClusterState, LogHead } from '@systole/cluster';
import type { Delivery, DueDeliveries } from './dispatches.js';
import type { TransactionTables } from './transaction-tables.js';

/** Who asks for an append, and why; stands with each event. */
export interface AppendMeta {
  /** A user, a token's name, `agent:<node>`, `worker`. */
  readonly actor: string;
  /** The name of the command that led to the events. */
  readonly command: string;
  /** The same for everything that follows from one request. */
  readonly correlationId: string;
  /** Names this one command, so that its events are found again. */
  readonly causationId: string;
}

/** What an append came to. */
export interface Appended {
  readonly events: readonly ClusterEvent[];
  readonly firstVersion: number;
  readonly lastVersion: number;
  /** ISO 8601. */
  readonly occurredAt: string;
}

/** Actions that went to a node, and that it answers; those of other nodes stay open. */
export interface Answers {
  readonly node: string;
  readonly actionIds: readonly string[];
  /** Told before the commit which of them were not answered before; what it throws undoes the append of all parts. */
  readonly told?: (first: ReadonlySet<string>) => void;
}

/** What one command appends, and does to the tables in the same transaction. */
export interface AppendPart {
  /** At least one. */
  readonly events: readonly ClusterEvent[];
  readonly meta: AppendMeta;
  /** Marked as answered with the events. */
  readonly answers?: Answers;
  /** Done after the append; what it throws undoes the append of all parts. Those of several parts go on at the same time. */
  readonly within?: (tables: TransactionTables, appended: Appended) => Promise<unknown>;
}

export interface Append {
  readonly clusterId: string;
  /** The append takes place only if the stream is at this version. */
  readonly expectedVersion: number;
  /** One after the other; at least one. */
  readonly parts: readonly AppendPart[];
  /** Asked before the append; `false` leaves everything as it was. */
  readonly guard?: (tables: TransactionTables) => Promise<boolean>;
}

/** Where the parts of an append come to stand, one after the other. @param expectedVersion of the stream before */
export function placesOf(parts: readonly Pick<AppendPart, 'events'>[], expectedVersion: number, occurredAt: string): readonly Appended[] {
  let version = expectedVersion;
  return parts.map(({ events }) => {
    const firstVersion = version + 1;
    version += events.length;
    return { events, firstVersion, lastVersion: version, occurredAt };
  });
}

/** Does the work of all parts, at the same time, and waits for all of it. @throws what the first of those threw that did */
export async function workTogether(parts: readonly AppendPart[], tables: TransactionTables, appended: readonly Appended[]): Promise<void> {
  const works = parts.flatMap(({ within }, index) => {
    const of = appended[index];
    return within === undefined || of === undefined ? [] : [within(tables, of)];
  });
  for (const work of await Promise.allSettled(works)) if (work.status === 'rejected') throw work.reason;
}

/** Tells all parts which of their actions were not answered before. @throws what the first of those threw that did */
export function tellAnswers(parts: readonly AppendPart[], firstOf: (answers: Answers) => ReadonlySet<string>): void {
  const thrown: unknown[] = [];
  for (const { answers } of parts) {
    if (answers === undefined) continue;
    const first = firstOf(answers);
    try {
      answers.told?.(first);
    } catch (error) {
      thrown.push(error);
    }
  }
  if (thrown.length > 0) throw thrown[0];
}

export type AppendOutcome =
  /** Each part. */
  | { readonly type: 'appended'; readonly appended: readonly Appended[] }
  /** The stream is not at that version (any more), or the transaction was undone for the sake of another. Fold again. */
  | { readonly type: 'conflict' }
  /** The guard said no. */
  | { readonly type: 'guarded' }
  /** Another cluster has the name that ClusterCreated gives. */
  | { readonly type: 'name-taken'; readonly name: string };

/** What became of an append that was to be decided while the stream is held. */
export type HeldOutcome =
  | AppendOutcome
  /** Nothing was to be appended. */
  | { readonly type: 'nothing' }
  /** The stream was not held, and nothing decided: one of all is held at a time, and somebody else holds one. */
  | { readonly type: 'busy' };

/** A decision took longer than the stream may be held for it. Nothing was changed. */
export class HeldTooLong extends Error {
  override readonly name = 'HeldTooLong';

  constructor(clusterId: string, withinMs: number, options?: ErrorOptions) {
    super(`the stream of cluster ${clusterId} was held for ${String(withinMs / 1_000)} s, in which nothing was decided`, options);
  }
}

/** The answer to a commit got lost: what was to be appended may be in the stream, or may still come there. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';

  constructor(clusterId: string, options?: ErrorOptions) {
    super(`whether events of cluster ${clusterId} were stored is not known: the connection broke before the answer`, options);
  }
}

/** The database refuses what was to be stored with an append, or did with it: nothing was changed. Those that go together are all refused for what one of them holds. */
export class Unstorable extends Error {
  override readonly name = 'Unstorable';

  /** @param options.cause what the database says, or whoever writes for it */
  constructor(options: ErrorOptions) {
    super('the database refuses what is to be stored', options);
  }
}

/** The log does not hold any more what this process had read: it went back in time, or was rewritten. */
export class LogWentBack extends Error {
  override readonly name = 'LogWentBack';

  constructor(
    readonly clusterId: string,
    /** What was read, and is not there. */
    readonly witness: LogHead,
  ) {
    super(
      `the event log of cluster ${clusterId} does not hold version ${String(witness.version)} as it was read before: it went back in time. Try again: the cluster takes stock of its nodes`,
    );
  }
}

/** The log of a cluster holds what a newer release wrote, so that this process can't say how the cluster stands. */
export class LogTooNew extends Error {
  override readonly name = 'LogTooNew';

  /** @param options.cause says which event it is */
  constructor(
    readonly clusterId: string,
    options: ErrorOptions,
  ) {
    super(
      `the event log of cluster ${clusterId} was written by a newer release than this process is of: ask another one, or upgrade this one`,
      options,
    );
  }
}

/** A state, and the event that it ends with: what may be told to others as stored for good. */
export interface StateAtHead {
  readonly state: ClusterState;
  readonly head: LogHead;
}

/**
 * The events of all clusters, and what they fold to. Everything that fails rejects; apart from {@link OutcomeUnknown} nothing was changed then.
 */
export interface ClusterLog {
  /**
   * The state that contains at least every event committed before the call. A cluster that never was has `existence` `none`.
   *
   * @throws {LogWentBack} when this process had read what the log does not hold, until a new epoch began ({@link EpochKeepingLog} begins it)
   */
  load(clusterId: string): Promise<ClusterState>;
  /** The same, with its place in the log. A cluster that never was has a head without a hash. */
  loadHead(clusterId: string): Promise<StateAtHead>;
  /**
   * The state as this process read it at some time in the last so many ms; as {@link loadHead} when it read none. For what may as well have been late on its way: it costs nothing
   * where others read all the time, and waits for nobody.
   */
  loadRecent(clusterId: string, withinMs: number): Promise<StateAtHead>;
  /** Hash of the event that the log has at a version; undefined when it has none. */
  hashAt(clusterId: string, version: number): Promise<string | undefined>;
  /** The state as it was at an earlier version (at the head, when that is lower). */
  loadAt(clusterId: string, version: number): Promise<ClusterState>;
  /** Appends the events of all parts and does the work on the tables, or nothing of it. @throws {OutcomeUnknown | Unstorable}; what a part's work throws */
  append(append: Append): Promise<AppendOutcome>;
  /**
   * Appends what is decided while nobody else appends: for what takes so long to decide, or meets so many others, that it would lose again and again. Other appends to
   * the stream, and deliveries, wait meanwhile; leases do not. One stream of all is held at a time: those who wait for it leave room for everybody else, however many
   * processes want to hold one.
   *
   * @param withinMs after which the stream is let go, whatever is being decided; a process that ends or freezes lets go soon after that at the latest
   * @param decide what to append at the head, given the state there; undefined: nothing. Asked once in a call, at most; must not wait for another append to the cluster
   * @throws {HeldTooLong | LogWentBack}; as {@link append}; what `decide` throws
   */
  appendHolding(clusterId: string, withinMs: number, decide: (state: ClusterState) => Promise<Append | undefined>): Promise<HeldOutcome>;
  /**
   * Stamps and gives what nodes have to do for a transition, as it stands at the head of the stream, which does not grow until the stamps are stored: nothing that made
   * the transition obsolete can have been recorded before they are (S3). Of an aborting one only notifications are given: they change nothing; what else was in an
   * answer that got lost counts as undelivered again. A poll that is still held open while a later one was answered leaves the later one's stamp: its own answer goes
   * nowhere. Appends wait meanwhile.
   *
   * @param decide what is due; undefined: nothing. Asked once the stream is held, and again when the database ended the transaction for the sake of another one
   * @returns for each that waits, in their order; none when nothing was due
   * @throws {LogWentBack} as {@link load}
   */
  deliver(clusterId: string, decide: (at: StateAtHead) => DueDeliveries | undefined): Promise<readonly Delivery[]>;
  /** The events from a version on that one command appended there; undefined when another did, or nobody yet. */
  appendedBy(clusterId: string, causationId: string, firstVersion: number): Promise<Appended | undefined>;
  /** The same, wherever it stands from a version on. Made for requests with a key (ids of UUID version 8), which are found at once; for others the stream is read from there. */
  causedBy(clusterId: string, causationId: string, fromVersion: number): Promise<Appended | undefined>;
  /** All clusters that exist, with the versions that their streams are at. */
  heads(): Promise<readonly ClusterHead[]>;
}

export interface ClusterHead {
  readonly id: string;
  /** 0 when the stream has no event (any more). */
  readonly version: number;
}
