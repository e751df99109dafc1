import type { XmlElement } from '@systole/cib';
import type { Action } from './action.js';
import { ActionIndex } from './action-index.js';
import { type Agent, agentOf } from './agent.js';
import type { CandidateTable } from './candidates.js';
import type { Colocation, LocationConstraint, TicketDependency } from './constraints.js';
import type { ClusterNode } from './node.js';
import type { InstancePlaces } from './instance-places.js';
import { NodeSet } from './node-set.js';
import type { OperationMeta, ResourceOperations } from './operation-memory.js';
import type { ResourceTask } from './ordering-request.js';
import type { MissingPartner } from './placement.js';
import { RoleLevel } from './role.js';
import type { ScoreTrail } from './score-trail.js';

export type ResourceKind = 'primitive' | 'group' | 'clone' | 'bundle';

/** `multiple-active` (specification 02 §3.6). */
export type MultipleActive = 'stop_start' | 'stop_only' | 'block' | 'stop_unexpected';

/** What a clone knows beside a resource (specification 02 §7). */
export interface CloneSettings {
  max: number;
  nodeMax: number;
  promotedMax: number;
  promotedNodeMax: number;
  readonly ordered: boolean;
  readonly interleave: boolean;
  /** Element that every instance is made from. */
  readonly childElement: XmlElement;
  /** Instances created so far. */
  created: number;
  /** Of an anonymous clone, while history is read. */
  places: InstancePlaces | undefined;
  /** Promotion scores were added to the instances' tables (specification 05 §10.3). */
  promotionScoresAdded: boolean;
  /** Assignments under way, one inside the other. */
  rounds: number;
  /** Role selection has begun: a latch (specification 05 §4). */
  rolesBegun: boolean;
}

/** One replica of a bundle (specification 05 §13.1). */
export interface Replica {
  readonly offset: number;
  readonly ipAddress: string | undefined;
  readonly container: Resource;
  ip: Resource | undefined;
  connection: Resource | undefined;
  node: ClusterNode | undefined;
  child: Resource | undefined;
}

/** What a bundle knows beside a resource (specification 02 §8). */
export interface BundleSettings {
  readonly technology: 'docker' | 'podman';
  readonly image: string;
  readonly replicaCount: number;
  replicasPerHost: number;
  readonly replicas: Replica[];
  inner: Resource | undefined;
  /** How often its assignment was begun (specification 05 §13.2). */
  rounds: number;
}

/** What most resources have of utilization. */
const NOTHING: ReadonlyMap<string, string> = new Map();

/** A resource while one schedule is computed. One class for all kinds, since every phase walks the tree (specification 02, 03 §0.1). */
export class Resource {
  readonly children: Resource[] = [];
  parent: Resource | undefined;
  /** It is one of the cluster's resources itself; the others are below one of these, or were rejected. */
  topLevel = false;
  /** Meta-attribute table (specification 02 §3). */
  readonly meta = new Map<string, string>();

  // Configuration, see specification 02 §2 and §3.
  managed = true;
  maintenance = false;
  unique = true;
  promotable = false;
  notify = false;
  critical = true;
  priority = 0;
  stickiness = 0;
  migrationThreshold = 0;
  /** Milliseconds; 0 = failures don't expire. */
  failureTimeout = 0;
  /** Milliseconds, of remote connections; undefined when not set. */
  reconnectInterval: number | undefined;
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
  clone: CloneSettings | undefined;
  bundle: BundleSettings | undefined;
  /** Replica that this container, IP, connection or child belongs to. */
  replica: Replica | undefined;
  /** Instance number inside a clone. */
  instance: string | undefined;
  launcher: Resource | undefined;
  readonly launched: Resource[] = [];
  /** The node that this connection makes. */
  connectionNode: ClusterNode | undefined;
  utilization: ReadonlyMap<string, string> = NOTHING;
  operations: readonly XmlElement[] = [];

  // History, see specification 03.
  currentRole = RoleLevel.Stopped;
  nextRole = RoleLevel.Unknown;
  /** Nodes where it is active, in the order of discovery. */
  readonly activeOn: ClusterNode[] = [];
  /** Nodes where history proves its state. */
  readonly knownOn = new NodeSet();
  pendingAction: string | undefined;
  pendingNode: ClusterNode | undefined;
  /** Milliseconds. */
  pendingInterval = 0;
  historyName: string | undefined;
  blocked = false;
  failed = false;
  mustStop = false;
  startInFlight = false;
  failureIgnored = false;
  /** Live migration is possible as far as history is concerned. */
  migratable = false;
  reload = false;
  partialSource: ClusterNode | undefined;
  partialTarget: ClusterNode | undefined;
  /** Latest recorded first. */
  readonly danglingSources: ClusterNode[] = [];
  lockNode: ClusterNode | undefined;
  lockTime = 0;

  // Placement, see specification 04 and 05.
  readonly locations: LocationConstraint[] = [];
  readonly thisWith: Colocation[] = [];
  readonly withThis: Colocation[] = [];
  readonly tickets: TicketDependency[] = [];
  exclusiveDiscovery = false;
  unassigned = true;
  assigning = false;
  merging = false;
  private assigned: ClusterNode | undefined;
  /** Counts assignments of this resource and of those below it. */
  assignments = 0;
  /** The one node of all its primitives; valid while `assignments` is the same. */
  singleNode: { readonly assignments: number; readonly node: ClusterNode | undefined } | undefined;
  /** Score frozen in the assigned node's private copy (specification 05 §1). */
  assignedScore = 0;
  /** Working priority and promotion priority (specification 05 §1). */
  workingPriority = 0;
  promotionPriority = 0;
  /** What the working priority, later the promotion priority, is made of, where that is asked for. */
  priorityTrail: ScoreTrail | undefined;
  /** It was given no node for want of a partner. */
  missingPartner: MissingPartner | undefined;

  // Actions, see specification 06.
  readonly actions = new ActionIndex();
  /** Multiply active with `stop_unexpected`: the copy on the assigned node stays. */
  keepExpected = false;
  restarting = false;
  /** Counts changes of the states of all actions of this resource and of those below it. */
  actionChanges = 0;
  /** Counts actions that came into being, or got a node, here and below. */
  actionsAdded = 0;
  /** Instances by the nodes that their actions are on; valid while `actionsAdded` is the same. */
  instancesOn: { readonly added: number; readonly byNode: ReadonlyMap<ClusterNode, readonly Resource[]> } | undefined;
  /** Children by the tasks that they have actions of; valid while `actionsAdded` is the same. */
  private childrenByTask: { readonly added: number; readonly byTask: Map<string, readonly Resource[]> } | undefined;
  /** Parameters, once evaluated, where no rules make them depend on the node. */
  commonParameters: ReadonlyMap<string, string> | undefined;
  /** Parameters by node where they do; also without any. */
  nodeParameters: Map<ClusterNode | undefined, ReadonlyMap<string, string>> | undefined;
  /** What earlier runs found of its operations, and later ones will find. */
  remembered: ResourceOperations | undefined;
  /** Meta tables of actions by the action's name, as far as they are this run's alone. */
  readonly metaCache = new Map<string, OperationMeta[]>();
  /** Its tasks of interval 0, by name: they are asked for all the time, and named by each ordering. */
  private readonly tasksOnce = new Map<string, ResourceTask>();
  /** Keys of what recurs, one text each: they are compared all the time. */
  private readonly recurringKeys: { readonly task: string; readonly interval: number; readonly key: string }[] = [];

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
    private table: CandidateTable,
  ) {
    this.agent = agentOf(element);
    this.number = Number(/:(\d+)$/.exec(id)?.[1] ?? /-(\d+)$/.exec(id)?.[1] ?? 0);
  }

  /** Candidate table (specification 04 §1); a later one takes its place while scores are merged. */
  get candidates(): CandidateTable {
    return this.table;
  }

  set candidates(table: CandidateTable) {
    this.table.forgetFollowings();
    this.table = table;
  }

  get isPrimitive(): boolean {
    return this.kind === 'primitive';
  }

  get isCollective(): boolean {
    return this.kind === 'clone' || this.kind === 'bundle';
  }

  /** Outermost ancestor, never going out into a bundle (specification 02, conventions). */
  get top(): Resource {
    return this.parent && this.parent.kind !== 'bundle' ? this.parent.top : this;
  }

  /** Outermost ancestor of all, the bundle included. */
  get outermost(): Resource {
    return this.parent ? this.parent.outermost : this;
  }

  get isBundled(): boolean {
    return this.parent !== undefined && this.outermost.kind === 'bundle';
  }

  get isGuestConnection(): boolean {
    return this.remoteConnection && this.launcher !== undefined;
  }

  /** The instance is known to history under this name. */
  get knownAs(): string {
    return this.historyName ?? this.id;
  }

  /** Key of its action of that task and interval, ms (specification 06 §1.2). */
  actionKey(task: string, interval: number): string {
    if (interval === 0) return this.taskOnce(task).key;
    let key = this.recurringKeys.find((known) => known.interval === interval && known.task === task);
    if (!key) this.recurringKeys.push((key = { task, interval, key: `${this.id}_${task}_${interval}` }));
    return key.key;
  }

  /** Its task of interval 0; its key is that of specification 06 §1.2. */
  taskOnce(task: string): ResourceTask {
    let found = this.tasksOnce.get(task);
    if (!found) this.tasksOnce.set(task, (found = { resource: this, key: `${this.id}_${task}_0`, task }));
    return found;
  }

  hasAncestor(other: Resource): boolean {
    for (let up = this.parent; up; up = up.parent) if (up === other) return true;
    return false;
  }

  get assignedNode(): ClusterNode | undefined {
    return this.assigned;
  }

  set assignedNode(node: ClusterNode | undefined) {
    this.assigned = node;
    this.noteAssignment();
  }

  private noteAssignment(): void {
    this.assignments++;
    this.parent?.noteAssignment();
  }

  noteActionChange(): void {
    this.actionChanges++;
    this.parent?.noteActionChange();
  }

  noteActionAdded(): void {
    this.actionChanges++;
    this.actionsAdded++;
    this.parent?.noteActionAdded();
  }

  /** First action of that task, the newest; with a node only one on that very node (specification 06 §1.3). */
  newestAction(task: string, node?: ClusterNode): Action | undefined {
    return this.actions.newest(task, node);
  }

  /** Children that have any action of that task, in their order: few or none among thousands that would be asked one by one. */
  childrenWithTask(task: string): readonly Resource[] {
    if (this.childrenByTask?.added !== this.actionsAdded) this.childrenByTask = { added: this.actionsAdded, byTask: new Map() };
    const { byTask } = this.childrenByTask;
    let found = byTask.get(task);
    if (!found) byTask.set(task, (found = this.children.filter((child) => child.actions.withTask(task).length > 0)));
    return found;
  }
}
