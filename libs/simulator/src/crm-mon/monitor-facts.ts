/** What a status tells that no CIB holds. All of it was looked up by whoever asks. */
export interface MonitorFacts {
  /** The command line that the answer repeats. */
  readonly request: string;
  /** What looks after the cluster, as long as it does; undefined when nobody does. */
  readonly coordinator: { readonly name: string; readonly version: string } | undefined;
  /** The newest change of the configuration; undefined when there was none. */
  readonly lastChange: LastChange | undefined;
  /** Newest first. */
  readonly fencing: readonly FencingRecord[];
  readonly tickets: readonly TicketRecord[];
  /** What agents were given and have not answered; absent where nobody knows. */
  readonly pending?: readonly PendingOperation[];
}

/** An operation that is under way. */
export interface PendingOperation {
  /** Under which the history knows it. */
  readonly resource: string;
  readonly operation: string;
  readonly intervalMs: number;
  readonly node: string;
}

export interface LastChange {
  /** Epoch seconds. */
  readonly at: number;
  readonly user: string;
  readonly client: string;
  readonly origin: string;
}

/** Fencing that was asked for. */
export interface FencingRecord {
  readonly action: string;
  readonly target: string;
  /** Who asked for it. */
  readonly client: string;
  /** Which node executes it, or did. */
  readonly delegate: string;
  readonly status: 'pending' | 'success' | 'failed';
  /** Why it failed, as far as that is known. */
  readonly reason?: string;
  /** Epoch seconds; absent while it is pending. */
  readonly completedAt?: number;
}

export interface TicketRecord {
  readonly id: string;
  readonly granted: boolean;
  readonly standby: boolean;
  /** Epoch seconds. */
  readonly lastGrantedAt?: number;
}

/** What of a cluster is shown; each undefined for everything. */
export interface MonitorSelection {
  /** Names. */
  readonly nodes?: ReadonlySet<string>;
  /** Ids of resources, instances and what they are in. */
  readonly resources?: ReadonlySet<string>;
  /** Ids as `crm_mon --resource` takes them, in place of `resources`: it goes by them section by section. */
  readonly asked?: ReadonlySet<string>;
}
