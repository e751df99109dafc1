import { ProbeMode } from './candidates.js';
import { type RecordedFailure, recordedFailures } from './recorded-failure.js';
import type { Resource } from './resource.js';

/** A node while one schedule is computed (specification 03 §0.1, §1). `index` is its place in candidate tables. */
export class ClusterNode {
  online = false;
  /** It counts as `online` for what is to come only: its connection is to be made, and is not there (specification 06 §14.1). */
  comesOnline = false;
  unclean = false;
  /** Its status was seen (cluster node), or the failure of its connection makes fencing unconditional (node of remote type). */
  statusCertain = false;
  shouldBeUp = false;
  shutdown = false;
  standby = false;
  standbyOnFail = false;
  maintenance = false;
  pending = false;
  probingOn = true;
  /** A remote or guest node that has to be fenced or recovered. */
  toBeReset = false;
  fencingRecorded = false;
  maintenanceRecorded = false;
  historyDone = false;
  isDc = false;
  probeMode = ProbeMode.Always;
  /** Sum of the priorities of what runs here (specification 03 §11.3). */
  prioritySum = 0;
  /** Primitives placed here so far in this run (specification 04 §8.4). */
  assignedCount = 0;
  readonly attributes = new Map<string, string>();
  /** Capacities as text; what is assigned is subtracted. */
  readonly utilization = new Map<string, string>();
  /** The remote connection resource of a node of remote type. */
  connection: Resource | undefined;
  /** Primitives that history found active here, in the order of discovery. */
  readonly running: Resource[] = [];
  private failuresRead: ReadonlyMap<string, readonly RecordedFailure[]> | undefined;

  constructor(
    readonly index: number,
    readonly id: string,
    readonly name: string,
    /** Any node that isn't a cluster node: remote, guest or bundle node (specification 03 §1.3). */
    readonly remoteType: boolean,
    public baseScore: number,
  ) {}

  /** Failures among the attributes, by resource without instance number; made on demand. */
  get failures(): ReadonlyMap<string, readonly RecordedFailure[]> {
    return (this.failuresRead ??= recordedFailures(this.attributes));
  }

  /** Must be called when attributes change. */
  forgetFailures(): void {
    this.failuresRead = undefined;
  }

  /** Guest or bundle node: its connection has a launcher. */
  get isGuest(): boolean {
    return this.remoteType && this.connection?.launcher !== undefined;
  }

  /** Node of remote type without launcher. */
  get isRemote(): boolean {
    return this.remoteType && this.connection?.launcher === undefined;
  }

  /** Guest node whose connection belongs to a bundle. */
  get isBundleNode(): boolean {
    return this.isGuest && this.connection?.parent?.kind === 'bundle';
  }

  /** Usable (specification 04 §2.4): may run resources, as far as the node is concerned. */
  get usable(): boolean {
    return this.online && !this.shutdown && !this.unclean && !this.standby && !this.maintenance;
  }

  /** Any text but `0` in the attribute `shutdown`, even an empty one (specification 03 §2.2). */
  get shutdownRequested(): boolean {
    const value = this.attributes.get('shutdown');
    return value !== undefined && value !== '0';
  }

  /** Online and clean. */
  get clean(): boolean {
    return this.online && !this.unclean;
  }
}
