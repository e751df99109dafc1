import type { XmlElement } from '@systole/cib';
import { type Agent, agentOf } from '../agent.js';
import type { LocationConstraint, TicketDependency } from '../constraints.js';
import type { ClusterNode } from '../node.js';
import type { ResourceOperations } from '../operation-memory.js';
import type { Resource } from '../resource.js';
import type { BundleSettings, CloneSettings, Replica } from './collectives.js';
import { HandedOn } from './handed-on.js';

export type ResourceKind = 'primitive' | 'group' | 'clone' | 'bundle';

/** `multiple-active` (specification 02 §3.6). */
export type MultipleActive = 'stop_start' | 'stop_only' | 'block' | 'stop_unexpected';

/** What most resources have of utilization. */
const NOTHING: ReadonlyMap<string, string> = new Map();

/** What a resource is by its configuration, and what constraints and tickets say of it (specification 02, 04 §4); also of one that only history knows. */
export class ResourceDefinition extends HandedOn {
  parent: Resource | undefined = undefined;
  /** It is one of the cluster's resources itself; the others are below one of these, or were rejected. */
  topLevel = false;
  /** Meta-attribute table (specification 02 §3). */
  readonly meta = new Map<string, string>();
  managedAsDefined = true;
  maintenanceAsDefined = false;
  unique = true;
  promotable = false;
  notify = false;
  critical = true;
  priority = 0;
  stickiness = 0;
  migrationThreshold = 0;
  /** Milliseconds; 0 = failures don't expire. */
  failureTimeoutAsDefined = 0;
  /** Milliseconds, of remote connections; undefined when not set. */
  reconnectInterval: number | undefined = undefined;
  multipleActive: MultipleActive = 'stop_start';
  needsQuorum = false;
  needsFencing = false;
  needsUnfencing = false;
  fenceDevice = false;
  remoteConnection = false;
  allowMigrate = false;
  /** Known only from history, or a surplus instance ("orphan"). */
  removed = false;
  lostLaunched = false;
  /** Bundled instance: probed on its own bundle node only. */
  exclusiveProbing = false;
  /** Group: members start one after another, on one node. */
  ordered = true;
  colocated = true;
  clone: CloneSettings | undefined = undefined;
  /** Instances of the clone created so far. */
  instancesCreated = 0;
  bundle: BundleSettings | undefined = undefined;
  /** Replica that this container, IP, connection or child belongs to. */
  replica: Replica | undefined = undefined;
  /** Instance number inside a clone. */
  instance: string | undefined = undefined;
  launcher: Resource | undefined = undefined;
  readonly launched: Resource[] = [];
  /** The node that this connection makes. */
  connectionNode: ClusterNode | undefined = undefined;
  utilization: ReadonlyMap<string, string> = NOTHING;
  operations: readonly XmlElement[] = [];
  /** What earlier runs found of its operations, and later ones will find. */
  remembered: ResourceOperations | undefined = undefined;
  readonly locations: LocationConstraint[] = [];
  readonly tickets: TicketDependency[] = [];
  /** A constraint on this very resource allows its discovery on certain nodes only. */
  exclusiveAsDefined = false;
  /** A ticket that it depends on was lost, and nothing may happen to it. */
  blockedByTicket = false;
  /** Of a primitive. */
  readonly agent: Agent;
  /** Instance number: digits after the last `:` of the id, or after the last `-` where there is none; otherwise 0. */
  readonly number: number;

  constructor(
    readonly id: string,
    /** Id in the configuration. */
    readonly xmlId: string,
    readonly kind: ResourceKind,
    /** After template expansion. */
    readonly element: XmlElement,
  ) {
    super();
    this.agent = agentOf(element);
    this.number = Number(/:(\d+)$/.exec(id)?.[1] ?? /-(\d+)$/.exec(id)?.[1] ?? 0);
  }
}
