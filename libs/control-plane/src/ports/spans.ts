/** What may be said of something in a trace: names, numbers and outcomes. Never values of parameters, nor what people or programs wrote. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Something that took its time, and is over. */
export interface EndedSpan {
  /** Of the request or report that it follows from: it names the trace (`correlationCarried`). */
  readonly correlationId: string;
  /** What it is, among all that follows from that: whoever derives it once more, anywhere, comes to the same. */
  readonly key: string;
  /** The key of what it is a part of. Absent: it is what all else follows from. */
  readonly parentKey?: string;
  /** For people, and the same for all of its kind. */
  readonly name: string;
  /** ISO 8601, or epoch ms; by the clock of the database, but for requests. */
  readonly startedAt: string | number;
  /** The same. */
  readonly endedAt: string | number;
  readonly failed: boolean;
  readonly attributes: SpanAttributes;
  /** What it answers besides what it follows from. */
  readonly alsoAnswers?: readonly SpanRef[];
}

/** One of the spans of what follows from a request or report. */
export type SpanRef = Pick<EndedSpan, 'correlationId' | 'key'>;

/** Where spans go. Must not throw, nor take long. */
export interface SpanSink {
  /** Whether spans of what follows from this are kept. */
  wants(correlationId: string): boolean;
  ended(span: EndedSpan): void;
}

/** When an action was given to whom it is for, by the clock of the database: epoch ms. */
export interface DispatchTimes {
  readonly handedOutAt: number;
  /** To a poll of its agent; absent where that is not known. */
  readonly deliveredAt?: number;
}

/** Looks when actions were handed out, as far as that is still kept. */
export interface DispatchRecords {
  /** @param actionIds by which they were handed out @returns by these */
  times(clusterId: string, actionIds: readonly string[]): Promise<ReadonlyMap<string, DispatchTimes>>;
}
