import type { InstancePlaces } from '../instance-places.js';
import type { ClusterNode } from '../node.js';
import { NodeSet } from '../node-set.js';
import { RoleLevel } from '../role.js';
import { ResourceDefinition } from './definition.js';

/** A shutdown lock (specification 03 §9). */
export interface ShutdownLock {
  readonly node: ClusterNode;
  /** Epoch seconds. */
  readonly time: number;
}

/** What history tells of a resource (specification 03). */
export class ResourceObserved extends ResourceDefinition {
  observedRole = RoleLevel.Stopped;
  /** Nodes where it is active, in the order of discovery. */
  readonly activeOn: ClusterNode[] = [];
  /** Nodes where history proves its state. */
  readonly knownOn = new NodeSet();
  pendingAction: string | undefined = undefined;
  pendingNode: ClusterNode | undefined = undefined;
  /** Milliseconds. */
  pendingInterval = 0;
  historyName: string | undefined = undefined;
  /** Active on a node in maintenance, so that it is left alone. */
  nodeInMaintenance = false;
  blockedByHistory = false;
  failedInHistory = false;
  /** Its failure is to be answered with a stop. */
  failureStops = false;
  failureIgnored = false;
  /** A start of it was begun, and has no result yet. */
  startPending = false;
  /** A live migration left it where another is out of the question. */
  migrationBroken = false;
  /** The ends of a live migration that was begun. */
  observedSource: ClusterNode | undefined = undefined;
  observedTarget: ClusterNode | undefined = undefined;
  /** Latest recorded first. */
  readonly danglingSources: ClusterNode[] = [];
  recordedLock: ShutdownLock | undefined = undefined;
  /** Of an anonymous clone, while history is read. */
  instancePlaces: InstancePlaces | undefined = undefined;
}
