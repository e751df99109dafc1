import {
  evolve,
  fold,
  initialState,
  type AgentAction,
  type ClusterEvent,
  type ClusterState,
  type RecordedClusterEvent,
} from '@systole/cluster';
import type { TransitionGraph } from '@systole/scheduler';
import type { Timeline } from './timeline.js';

export interface DispatchRow {
  readonly actionId: string;
  readonly transition: number;
  readonly graphActionId: number;
  readonly node: string;
  readonly action: AgentAction;
  readonly createdAt: number;
  /** Incarnation to which it was delivered first. */
  deliveredTo?: number;
}

/** What PostgreSQL holds, with its guarantees: appends with an expected version, and rows that change in one transaction with a check. */
export class Database {
  readonly stream: RecordedClusterEvent[] = [];
  readonly leases = new Map<string, { readonly incarnation: number; readonly expiresAt: number }>();
  dispatches: DispatchRow[] = [];
  /** Derived data; the simulation throws it away now and then. */
  readonly graphs = new Map<number, TransitionGraph>();
  /** The fold to the head. */
  state: ClusterState = initialState();
  /** Called after each append. */
  onAppend: (state: ClusterState, events: readonly RecordedClusterEvent[]) => void = () => undefined;

  constructor(private readonly timeline: Timeline) {}

  /** Appends unless the stream has moved on; says whether it did. */
  append(expectedVersion: number, events: readonly ClusterEvent[], actor: string): boolean {
    if (this.state.version !== expectedVersion) return false;
    const occurredAt = new Date(this.timeline.now).toISOString();
    const recorded = events.map((event, index) => ({ version: expectedVersion + index + 1, occurredAt, actor, event }));
    for (const event of recorded) {
      this.stream.push(event);
      this.state = evolve(this.state, event);
    }
    if (recorded.length > 0) this.onAppend(this.state, recorded);
    return true;
  }

  /** Inserts what is not there yet, if the stream is still at that version; says whether it is. */
  insertDispatches(version: number, rows: readonly Omit<DispatchRow, 'createdAt'>[]): boolean {
    if (this.state.version !== version) return false;
    for (const row of rows) {
      if (this.dispatches.some(({ actionId }) => actionId === row.actionId)) continue;
      this.dispatches.push({ ...row, createdAt: this.timeline.now });
    }
    return true;
  }

  /** The fold of the stream up to a version. */
  stateAt(version: number): ClusterState {
    return fold(initialState(), this.stream.slice(0, version));
  }

  withdrawUndelivered(transition: number): void {
    this.dispatches = this.dispatches.filter(
      (row) => row.transition !== transition || row.deliveredTo !== undefined || row.action.operation === 'notify',
    );
  }

  dispatchesOf(transition: number): readonly DispatchRow[] {
    return this.dispatches.filter((row) => row.transition === transition);
  }
}
