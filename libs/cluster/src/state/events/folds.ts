import type { ClusterEvent, RecordedClusterEvent } from '../../events/cluster-event.js';
import type { ClusterState } from '../cluster-state.js';

type DataOf<Type extends ClusterEvent['type']> = Extract<ClusterEvent, { readonly type: Type }>['data'];

/** The state with an event of this type folded in. Pure and total: what can't be applied is noted in `problems`. */
export type Fold<Type extends ClusterEvent['type']> = (
  state: ClusterState,
  data: DataOf<Type>,
  recorded: RecordedClusterEvent,
) => ClusterState;

/** How events are folded in, by their type. */
export type Folds<Types extends ClusterEvent['type']> = { readonly [Type in Types]: Fold<Type> };
