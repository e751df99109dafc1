/** The least that the store asks of an event: a name, and data that JSON can hold. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/**
 * An event to append. A type parameter that is a union of events distributes, so that `type` still tells the shape of `data`.
 */
export type NewEvent<E extends DomainEvent = DomainEvent> = E extends DomainEvent
  ? Pick<E, 'type' | 'data'> & {
      /** Version of the shape of `data`; the current one of the store's upcasters (1 where there is none) when left out. */
      readonly schemaVersion?: number;
      /** What the event concerns (resources, nodes, constraints): the audit index. None when left out. Order is kept. */
      readonly subjects?: readonly string[];
    }
  : never;

/** Who or what appends, and why. The same for all events of one append. */
export interface AppendMeta {
  /** Who: a user, a token's name, `agent:<node>`, `worker`. */
  readonly actor: string;
  /** The name of the command that led to the events. */
  readonly command: string;
  /** The same for everything that follows from one request. What answers several has the others' in its data, in the list `alsoAnswers`, and is found by those, too. */
  readonly correlationId: string;
  /** The event or message that directly led to this append. */
  readonly causationId?: string;
}

/** Events that have one cause. */
export interface EventsOfOne<E extends DomainEvent = DomainEvent> {
  /** At least one. */
  readonly events: readonly NewEvent<E>[];
  readonly meta: AppendMeta;
}

/**
 * What the stream's version must be for an append to take place: a number (0 is the same as `no-stream`), `no-stream` (no event yet),
 * or `any` (facts, which are recorded whatever happened before).
 */
export type ExpectedVersion = number | 'any' | 'no-stream';

/** What was appended, where. The events of one append have consecutive versions. */
export interface AppendResult {
  readonly streamId: string;
  readonly firstVersion: number;
  /** Also the stream's version (its ETag) right after the append. */
  readonly lastVersion: number;
  /** One for each event, ascending; not necessarily consecutive. */
  readonly globalPositions: readonly number[];
  /** ISO 8601, UTC, milliseconds; from the database's clock. The same for all events of one append, never decreasing in a stream. */
  readonly occurredAt: string;
  /** Hash of the last of them, by that of the event before the first: as the database made it, without asking; absent for large ones. @param prevHash lower-case hexadecimal; {@link GENESIS_HASH} before the first event of a stream */
  readonly hashAfter?: (prevHash: string) => string;
}

/** Where and when an event was recorded, by whom. */
export interface EventEnvelope {
  /** Unique among all streams; grows within a stream. Later events of other streams may have a lower one. */
  readonly globalPosition: number;
  readonly streamId: string;
  /** Counts from 1 in each stream, without gaps. */
  readonly version: number;
  readonly schemaVersion: number;
  readonly subjects: readonly string[];
  readonly actor: string;
  readonly command: string;
  readonly correlationId: string;
  readonly causationId?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
  /** Lower-case hexadecimal; the previous event's `hash`, 64 zeros for the first. */
  readonly prevHash: string;
  /** Lower-case hexadecimal sha256 of the bytes of `prevHash` and the UTF-8 of the event's canonical JSON (docs/guide/evidence.md). */
  readonly hash: string;
}

/** An event as it lies in its stream, upcast to the current schema version. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = E extends DomainEvent ? EventEnvelope & Pick<E, 'type' | 'data'> : never;
