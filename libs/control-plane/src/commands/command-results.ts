import type { ClusterEvent, ClusterState, EpochVersion, Rejection } from '@systole/cluster';
import type { Answers, Append, Appended, AppendMeta } from '../ports/cluster-log.js';
import type { TransactionTables } from '../ports/transaction-tables.js';
import type { ReceivedRequest } from './request-age.js';

/** Other processes changed the cluster again and again. Nothing was appended; try again. */
export class CommandContention extends Error {
  override readonly name = 'CommandContention';

  /** @param tookMs how long it was tried, where that was measured */
  constructor(clusterId: string, command: string, conflicts: number, tookMs?: number) {
    const within = tookMs === undefined ? '' : ` within ${(tookMs / 1_000).toFixed(1)} s`;
    super(`${command} met ${conflicts} conflicting changes of cluster ${clusterId} in a row${within}: try again`);
  }
}

export interface ExecuteOptions extends Pick<AppendMeta, 'actor' | 'correlationId'>, Pick<Append, 'guard'> {
  /** Events that go on with something have the correlation id of that instead (`correlationCarried`): for what the worker decides, and agents answer. */
  readonly carriesCorrelation?: true;
  /** Asked of each state on which the commands are accepted, also where they change nothing; what it throws leaves everything as it was. */
  readonly refusing?: (judged: ClusterState) => void;
  /** Asked of each decision before it is appended; what it throws leaves everything as it was. */
  readonly admit?: (events: readonly ClusterEvent[], judged: ClusterState) => Promise<void>;
  /** Actions of a node that are marked as answered with the events. Told besides what is appended, and the state that was judged. */
  readonly answers?: Omit<Answers, 'told'> & {
    readonly told?: (first: ReadonlySet<string>, events: readonly ClusterEvent[], judged: ClusterState) => void;
  };
  /** Done in the transaction of the append, after it; what it throws undoes that. Told the state that was judged besides. */
  readonly within?: (tables: TransactionTables, appended: Appended, judged: ClusterState) => Promise<unknown>;
  /** A state that is at none of these versions is refused with 412 `version-mismatch`, instead of deciding again. */
  readonly expected?: readonly EpochVersion[];
  /**
   * The request that asks for this, by an id that all its attempts have in common: it takes place once, though several processes try. `repeated`: an earlier
   * attempt ended without saying how, so it is looked for first.
   */
  readonly request?: { readonly id: string; readonly repeated: boolean };
  /** When it was asked for: what is appended too long after that is not (`CarriedOutLate`). None: it is carried out whenever it is. */
  readonly received?: ReceivedRequest;
  /** Who asks may see secrets, and so have one used elsewhere than where it was given for. */
  readonly seesSecrets?: boolean;
  /** The event's `command`; the command's type when left out. */
  readonly commandName?: string;
}

export type ExecuteResult =
  /** The version is that right after; that of the state that was judged, when there are no events. */
  | (EpochVersion & {
      readonly ok: true;
      /** What was appended; empty when the command changes nothing. */
      readonly events: readonly ClusterEvent[];
    })
  | { readonly ok: false; readonly rejection: Rejection };

export type PreviewResult =
  /** The version is that which was judged. */
  | (EpochVersion & {
      readonly ok: true;
      readonly events: readonly ClusterEvent[];
      readonly before: ClusterState;
      /** As if the events had been appended. */
      readonly after: ClusterState;
    })
  | { readonly ok: false; readonly rejection: Rejection };
