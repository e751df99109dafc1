import type { PlannedSchedule } from '@systole/control-plane';
import type { PackedGraph } from '@systole/scheduler';

/** What a scheduling thread does. */
export type ScheduleTask =
  /** Plan for a cluster whose CIB was told before; `now` is the effective time, epoch seconds. */
  | { readonly kind: 'plan'; readonly cluster: string; readonly now: number }
  /** Read a graph that was stored. */
  | { readonly kind: 'read'; readonly stored: Uint8Array };

/** A plan as it leaves its thread: its graph packed, for which see there, and without what is stored, which follows. */
export interface PackedSchedule extends Omit<PlannedSchedule, 'graph' | 'stored'> {
  readonly graph: PackedGraph;
}

export type ScheduleOutcome =
  { readonly kind: 'planned'; readonly planned: PackedSchedule } | { readonly kind: 'read'; readonly graph: PackedGraph };

/** The form in which the graph of a plan is stored; it follows the plan. */
export type StoredForm = Uint8Array<ArrayBuffer>;
