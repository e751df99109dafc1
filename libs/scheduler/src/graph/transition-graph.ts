/** The transition graph (specification 08 §3): what the engine executes and what the simulator prints. Plain data, JSON-safe. */
export interface TransitionGraph {
  /** Cluster option `cluster-delay` as written, e.g. `60s`. */
  readonly clusterDelay: string;
  /** Cluster option `fencing-timeout` as written, e.g. `60s`. */
  readonly fencingTimeout: string;
  readonly failedStopOffset: 'INFINITY';
  readonly failedStartOffset: 'INFINITY' | '1';
  /** Cluster option `batch-limit` as written; `0` means no limit of the operator's. */
  readonly batchLimit: string;
  /** Present only when the option parses to more than 0. */
  readonly migrationLimit?: string;
  /** Epoch seconds at which the result may change without any event; the earliest one. */
  readonly recheckBy?: number;
  readonly synapses: readonly Synapse[];
}

/** One action and what must have completed before it (specification 08 §3.4). */
export interface Synapse {
  /** Counts from 0 in the order of addition, which is the main key of the order of execution (08 §8). */
  readonly id: number;
  /** 0 when none is written. */
  readonly priority: number;
  readonly action: GraphAction;
  /** Ids of the actions that must have completed, ascending; each is the action of another synapse of this graph. */
  readonly inputs: readonly number[];
}

export type GraphActionKind = 'rsc_op' | 'pseudo_event' | 'crm_event';

/** An action element (specification 08 §3.6 to §3.9). */
export interface GraphAction {
  readonly kind: GraphActionKind;
  /** Action id, from 1, with gaps; unique in the graph. */
  readonly id: number;
  /** Task: start, stop, monitor, promote, demote, notify, cancel, stonith, do_shutdown, clear_failcount, lrm_delete, delete … */
  readonly operation: string;
  readonly operationKey: string;
  readonly internalOperationKey?: string;
  /** `cib` for `lrm_delete`. */
  readonly mode?: 'cib';
  readonly node?: { readonly id: string; readonly name: string; readonly router?: string };
  /** Epoch seconds of the shutdown lock (08 §3.6). */
  readonly shutdownLock?: number;
  /** The resource that a real action concerns (08 §3.8). */
  readonly primitive?: {
    readonly id: string;
    readonly longId?: string;
    readonly class: string;
    readonly provider?: string;
    readonly type: string;
  };
  /**
   * Content of the `attributes` element, names in byte order: parameters as they are, action meta as `CRM_meta_*`
   * (`CRM_meta_timeout` and `CRM_meta_interval` in ms, `CRM_meta_op_target_rc` the expected return code, default 0).
   */
  readonly attributes: Readonly<Record<string, string>>;
  /** Parameters whose names begin with a digit: children `param` (08 §3.9, 3a). */
  readonly params?: readonly { readonly name: string; readonly value: string }[];
  /** Ids of the nodes that this action takes down. */
  readonly downed?: readonly string[];
  readonly maintenance?: readonly { readonly nodeId: string; readonly inMaintenance: boolean }[];
}
