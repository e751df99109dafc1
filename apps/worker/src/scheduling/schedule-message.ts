import type { TreeMessage } from '@systole/cib';
import type { PlannedSchedule } from '@systole/control-plane';
import type { PackedGraph } from '@systole/scheduler';

/** What a scheduling thread is told, in order. */
export type ScheduleRequest =
  /** A part of what a cluster's CIB is now. */
  | { readonly kind: 'tree'; readonly message: TreeMessage }
  /** Forget what is known of these clusters' CIBs. */
  | { readonly kind: 'forget'; readonly clusters: readonly string[] }
  /** Plan for the cluster whose CIB was told last; `now` is the effective time, epoch seconds. */
  | { readonly kind: 'plan'; readonly id: number; readonly cluster: string; readonly now: number }
  /** Plan for nobody while there is nothing else to do, so that plans are quick from the first one on. */
  | { readonly kind: 'warm-up' }
  /** Read a graph that was stored. */
  | { readonly kind: 'read'; readonly id: number; readonly stored: Uint8Array };

/** A plan as it leaves its thread: its graph packed, for which see there, and without what is stored, which follows. */
export interface PackedSchedule extends Omit<PlannedSchedule, 'graph' | 'stored'> {
  readonly graph: PackedGraph;
}

export type ScheduleReply =
  | { readonly kind: 'planned'; readonly id: number; readonly planned: PackedSchedule }
  /** The form in which the graph of a plan is stored; it follows the plan. */
  | { readonly kind: 'stored'; readonly id: number; readonly stored: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'read'; readonly id: number; readonly graph: PackedGraph }
  /** The CIB has to be told whole: what is known of it is not what its changes are for. */
  | { readonly kind: 'diverged'; readonly id: number; readonly error: string }
  | { readonly kind: 'failed'; readonly id: number; readonly error: string };
