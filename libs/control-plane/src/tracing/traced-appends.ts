import type { DispatchRecords, SpanSink } from '../ports/spans.js';
import { actionSpans, beginningSpan, endedActions, planSpan, transitionSpan, type StoredAppend } from './event-spans.js';

/** Appends of which it is looked up at the same time when their actions were handed out; of others that is left out. */
const MOST_LOOKS = 2;

/** Clusters of which it is remembered since when their transition goes on. */
const MOST_REMEMBERED = 10_000;

/**
 * Makes spans of what this process appends to the log: whoever appends tells, so that each thing is told once, and needs no other memory than the events. Of an append whose answer was lost nothing is told.
 */
export class TracedAppends {
  /** When the running transition of a cluster was planned, by this process. */
  private readonly planned = new Map<string, { readonly number: number; readonly at: string }>();
  private looks = 0;

  constructor(
    private readonly spans: SpanSink,
    private readonly dispatches: DispatchRecords,
  ) {}

  /** Tells of an append that committed. Throws nothing, and is not waited for. */
  readonly stored = (append: StoredAppend): void => {
    if (!this.spans.wants(append.meta.correlationId)) return;
    for (const span of beginningSpan(append)) this.spans.ended(span);
    for (const event of append.events) {
      if (event.type === 'TransitionPlanned') {
        this.remember(append.clusterId, event.data.number, append.occurredAt);
        this.spans.ended(planSpan(append, event));
      }
      if (event.type === 'TransitionCompleted') {
        const planned = this.planned.get(append.clusterId);
        this.planned.delete(append.clusterId);
        this.spans.ended(transitionSpan(append, event, planned?.number === event.data.number ? planned.at : undefined));
      }
    }
    void this.tellActions(append);
  };

  private async tellActions(append: StoredAppend): Promise<void> {
    const ended = endedActions(append);
    if (ended.length === 0) return;
    const times = await this.timesOf(
      append.clusterId,
      ended.map(({ dispatchId }) => dispatchId),
    );
    for (const action of ended) for (const span of actionSpans(append, action, times.get(action.dispatchId))) this.spans.ended(span);
  }

  private async timesOf(clusterId: string, ids: readonly string[]): ReturnType<DispatchRecords['times']> {
    if (this.looks >= MOST_LOOKS) return new Map();
    this.looks += 1;
    try {
      return await this.dispatches.times(clusterId, ids);
    } catch {
      // Whoever has to have the database hears of it elsewhere.
      return new Map();
    } finally {
      this.looks -= 1;
    }
  }

  private remember(clusterId: string, number: number, at: string): void {
    this.planned.delete(clusterId);
    const [oldest] = this.planned.keys();
    if (this.planned.size >= MOST_REMEMBERED && oldest !== undefined) this.planned.delete(oldest);
    this.planned.set(clusterId, { number, at });
  }
}
