import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import { Kind, type Kinds } from '../model/relation.js';
import type { Resource } from '../model/resource.js';
import { RoleLevel } from '../model/role.js';
import { requestOrdering, taskOf } from '../requests/ordering-requests.js';
import { isKnownTask } from '../ordering/summary-state.js';
import { connectionState } from './connection-state.js';
import { markForFencing } from '../requests/fencing.js';

/** Ties every action on a node of remote type to its connection (specification 06 §14.3). */
export function orderRemoteActions(cluster: Cluster): void {
  if (!cluster.hasRemoteNodes) return;
  // Actions that come into being meanwhile are not visited.
  for (const action of [...cluster.actions].reverse()) {
    const { resource, node } = action;
    if (!resource) continue;
    if (action.task === 'clear_failcount' && resource.remoteConnection) {
      requestOrdering(cluster, action, taskOf(resource, 'start'), Kind.seq);
      continue;
    }
    const connection = node?.connection;
    if (!node?.remoteType || action.pseudo || !connection) continue;
    if (action.task === 'start') {
      for (const stop of resource.actions.withTask('stop')) {
        if (stop.node && stop.node !== node) requestOrdering(cluster, taskOf(connection, 'start'), stop, Kind.seq);
      }
    }
    const orders = new ConnectionOrders(cluster, connection, action);
    if (node.isGuest) orderGuestAction(orders, connection);
    else orderRemoteAction(cluster, orders, connection, action);
  }
}

/** The two orderings that are used. */
class ConnectionOrders {
  constructor(
    readonly cluster: Cluster,
    private readonly connection: Resource,
    readonly action: Action,
  ) {}

  /** Connection start -> action. */
  after(more: Kinds = Kind.none): void {
    this.afterStartOf(this.connection, more);
  }

  afterStartOf(resource: Resource, more: Kinds): void {
    requestOrdering(this.cluster, taskOf(resource, 'start'), this.action, Kind.blockThen | Kind.guestOk | more);
  }

  /** Action -> connection stop. */
  before(more: Kinds = Kind.none): void {
    requestOrdering(this.cluster, this.action, taskOf(this.connection, 'stop'), Kind.guestOk | more);
  }
}

const asStop = new Set(['stop', 'migrate_to', 'migrate_from']);

function isRecurring(action: Action): boolean {
  const interval = action.meta.get('interval');
  return interval !== undefined && interval !== '0';
}

function orderRemoteAction(cluster: Cluster, orders: ConnectionOrders, connection: Resource, action: Action): void {
  const { node, task } = action;
  if (!node) return;
  const state = connectionState(connection);
  if (task === 'start' || task === 'promote') {
    orders.after(state === 'broken' ? Kind.pullThen : Kind.none);
  } else if (asStop.has(task)) {
    if (state === 'broken') markForFencing(cluster, node, 'resources are active but connection is unrecoverable');
    else if (state === 'up' || connection.nextRole === RoleLevel.Stopped) orders.before(Kind.back);
    else orders.after();
  } else if (task === 'demote') {
    if (state === 'idle' || state === 'open') orders.after();
  } else if (isRecurring(action)) {
    orders.after(Kind.pullThen);
  } else if (state === 'down' && connection.activeOn.length > 0) {
    orders.before(Kind.blockThen);
  } else {
    if (state === 'broken' && action.isProbe)
      markForFencing(cluster, node, 'resources are in unknown state and connection is unrecoverable');
    orders.after();
  }
}

function orderGuestAction(orders: ConnectionOrders, connection: Resource): void {
  const { task } = orders.action;
  const { launcher } = connection;
  if (task === 'start' || task === 'promote') {
    if (launcher) orders.afterStartOf(launcher, Kind.pullThen);
    orders.after();
  } else if (asStop.has(task) || task === 'demote') {
    if (!launcher?.failed) orders.before();
  } else if (isRecurring(orders.action)) {
    if (isKnownTask(task)) orders.after(Kind.pullThen);
  } else {
    orders.after();
  }
}
