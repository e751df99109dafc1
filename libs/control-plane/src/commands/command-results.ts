import type { ClusterEvent, ClusterState, Rejection } from '@systole/cluster';
import type { AppendMeta, TransactionWork } from '../ports/cluster-log.js';

/** Other processes changed the cluster again and again. Nothing was appended; try again. */
export class CommandContention extends Error {
  override readonly name = 'CommandContention';

  constructor(clusterId: string, command: string, attempts: number) {
    super(`${command} met ${attempts} conflicting changes of cluster ${clusterId} in a row: try again`);
  }
}

export interface ExecuteOptions extends Pick<AppendMeta, 'actor' | 'correlationId'>, TransactionWork {
  /** Another version of the state is refused with 412 `version-mismatch`, instead of deciding again. */
  readonly expectedVersion?: number;
  /**
   * The request that asks for this, by an id that all its attempts have in common: it takes place once, though several processes try. `repeated`: an earlier
   * attempt ended without saying how, so it is looked for first.
   */
  readonly request?: { readonly id: string; readonly repeated: boolean };
  /** The event's `command`; the command's type when left out. */
  readonly commandName?: string;
}

export type ExecuteResult =
  | {
      readonly ok: true;
      /** Stream version right after; of the state that was judged, when there are no events. */
      readonly version: number;
      /** What was appended; empty when the command changes nothing. */
      readonly events: readonly ClusterEvent[];
    }
  | { readonly ok: false; readonly rejection: Rejection };

export type PreviewResult =
  | {
      readonly ok: true;
      /** The version that was judged. */
      readonly version: number;
      readonly events: readonly ClusterEvent[];
      readonly before: ClusterState;
      /** As if the events had been appended. */
      readonly after: ClusterState;
    }
  | { readonly ok: false; readonly rejection: Rejection };
