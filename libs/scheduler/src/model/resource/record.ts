import type { Action } from '../action.js';
import { leaves } from '../cluster.js';
import type { ClusterNode } from '../node.js';
import type { ResourceTask } from '../ordering-request.js';
import type { Resource } from '../resource.js';
import type { RoleLevel } from '../role.js';
import type { ResourceDefinition } from './definition.js';
import type { ShutdownLock } from './observed.js';
import { ResourcePlan } from './plan.js';

/**
 * A resource while one schedule is computed. One class for all kinds, since every phase walks the tree (specification 02, 03 §0.1), and one
 * object for all phases, since they read one another's fields all the time. What several phases have a say in is put together here.
 */
export class ResourceRecord extends ResourcePlan {
  /** The one node of all its primitives; valid while `assignments` is the same. */
  private singleNode: { readonly assignments: number; readonly node: ClusterNode | undefined } | undefined = undefined;
  /** Children by the tasks that they have actions of; valid while `actionsAdded` is the same. */
  private childrenByTask: { readonly added: number; readonly byTask: Map<string, readonly Resource[]> } | undefined = undefined;
  /** Its tasks of interval 0, by name: they are asked for all the time, and named by each ordering. */
  private readonly tasksOnce = new Map<string, ResourceTask>();
  /** Keys of what recurs, one text each: they are compared all the time. */
  private readonly recurringKeys: { readonly task: string; readonly interval: number; readonly key: string }[] = [];

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

  get blocked(): boolean {
    return this.blockedByHistory || this.blockedByTicket;
  }

  get maintenance(): boolean {
    return this.maintenanceAsDefined || this.nodeInMaintenance;
  }

  get managed(): boolean {
    return this.managedAsDefined && !this.nodeInMaintenance && !this.blockedByHistory && !this.blockedByTicket && !this.unfenceable;
  }

  get failed(): boolean {
    return this.failedInHistory || this.toBeRecovered;
  }

  get mustStop(): boolean {
    return this.failureStops || this.toBeRecovered;
  }

  /** Milliseconds; 0 = failures don't expire. */
  get failureTimeout(): number {
    return this.failuresStay ? 0 : this.failureTimeoutAsDefined;
  }

  get currentRole(): RoleLevel {
    return this.toldRole ?? this.countedRole ?? this.observedRole;
  }

  get startInFlight(): boolean {
    return this.startPending || this.agentReplaced;
  }

  /** Live migration is possible as far as the definition and history are concerned. */
  get migratable(): boolean {
    return this.allowMigrate && !this.migrationBroken;
  }

  get partialSource(): ClusterNode | undefined {
    return this.migrationAbandoned ? undefined : this.observedSource;
  }

  get partialTarget(): ClusterNode | undefined {
    return this.migrationAbandoned ? undefined : this.observedTarget;
  }

  /** The one node to which all primitives of a resource together are assigned, if there is just one (specification 05 §1). */
  get singleAssigned(): ClusterNode | undefined {
    if (this.isPrimitive) return this.assignedNode;
    if (this.singleNode?.assignments !== this.assignments) {
      this.singleNode = { assignments: this.assignments, node: singleAssigned(this) };
    }
    return this.singleNode.node;
  }

  get shutdownLock(): ShutdownLock | undefined {
    return this.lockReleased ? undefined : (this.lockMade ?? this.recordedLock);
  }

  get exclusiveDiscovery(): boolean {
    return this.exclusiveAsDefined || this.exclusiveAsPlaced;
  }

  get workingPriority(): number {
    return this.plannedPriority ?? this.placementPriority ?? this.priority;
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

  hasAncestor(other: Pick<ResourceDefinition, 'id'>): boolean {
    for (let up = this.parent; up; up = up.parent) if (up === other) return true;
    return false;
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

function singleAssigned(resource: Resource): ClusterNode | undefined {
  let single: ClusterNode | undefined;
  for (const { assignedNode } of leaves(resource)) {
    if (!assignedNode || assignedNode === single) continue;
    if (single) return undefined;
    single = assignedNode;
  }
  return single;
}
