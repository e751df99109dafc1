import type { Action } from '../model/action.js';
import type { Cluster } from '../model/cluster.js';
import type { ClusterNode } from '../model/node.js';
import { remembered } from '../model/remembered.js';
import type { Resource } from '../model/resource.js';
import { GraphAttributes } from './attributes.js';
import { maintenanceChanges } from './maintenance.js';
import { routerName } from './router.js';
import type { GraphAction, GraphActionKind } from './transition-graph.js';

const crmEvents = new Set(['stonith', 'do_shutdown', 'clear_failcount', 'lrm_delete']);

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type GraphNode = NonNullable<GraphAction['node']>;
type GraphPrimitive = NonNullable<GraphAction['primitive']>;

/** The actions of one graph. What many of them have in common, they share. */
export class GraphActions {
  private readonly attributes: GraphAttributes;
  private readonly nodes = new Map<ClusterNode, GraphNode>();
  private readonly primitives = new Map<Resource, GraphPrimitive>();

  constructor(private readonly cluster: Cluster) {
    this.attributes = new GraphAttributes(cluster);
  }

  /** An action as it stands in the graph (specification 08 §3.6). */
  of(action: Action): GraphAction {
    const { resource, node, task } = action;
    const guestFencing = task === 'stonith' && action.pseudo;
    const kind: GraphActionKind =
      guestFencing || (action.pseudo && task !== 'stonith') ? 'pseudo_event' : crmEvents.has(task) ? 'crm_event' : 'rsc_op';
    const showsNode = node !== undefined && (!action.pseudo || guestFencing);
    const { attributes, params } = this.attributes.of(action, showsNode);
    const downed = showsNode ? downedNodes(action) : undefined;
    const history = resource?.historyName;
    // One after the other: spread objects would cost more than all the rest, and a graph has hundreds of thousands of actions.
    const made: Mutable<GraphAction> = {
      kind,
      id: action.id,
      operation: task,
      operationKey: history === undefined ? action.key : historyKey(action, history),
      attributes,
    };
    if (history !== undefined) made.internalOperationKey = action.key;
    if (task === 'lrm_delete') made.mode = 'cib';
    if (showsNode) made.node = this.nodeOf(node, routerName(action));
    if (isLocked(action)) made.shutdownLock = resource?.shutdownLock?.time ?? 0;
    if (resource && !action.pseudo) made.primitive = this.primitiveOf(resource);
    if (params.length > 0) made.params = params;
    if (downed) made.downed = downed;
    if (task === 'maintenance_nodes') {
      made.maintenance = maintenanceChanges(this.cluster).map((one) => ({ nodeId: one.id, inMaintenance: one.maintenance }));
    }
    return made;
  }

  private nodeOf(node: ClusterNode, router: string | undefined): GraphNode {
    const { id, name } = node;
    if (router !== undefined) return { id, name, router };
    return remembered(this.nodes, node, () => ({ id, name }));
  }

  private primitiveOf(resource: Resource): GraphPrimitive {
    return remembered(this.primitives, resource, () => primitiveOf(resource));
  }
}

function historyKey(action: Action, history: string): string {
  const { task, meta } = action;
  if (task === 'notify') return `${history}_${meta.get('notify_type') ?? ''}_notify_${meta.get('notify_operation') ?? ''}_0`;
  return `${history}_${action.cancelledTask ?? task}_${meta.get('interval') ?? '0'}`;
}

/** Whether the action carries the token of a shutdown lock. */
function isLocked({ resource, node, pseudo, task }: Action): boolean {
  if (pseudo || !node || resource?.shutdownLock?.node !== node) return false;
  return !node.shutdown || task === 'stop';
}

/** Specification 08 §3.8. */
function primitiveOf(resource: Resource): GraphPrimitive {
  const { class: standard, provider, type } = resource.element.attributes;
  let { id } = resource;
  let longId: string | undefined;
  if (resource.removed && resource.historyName !== undefined) {
    id = resource.historyName;
    longId = resource.id;
  } else if (!resource.unique) {
    id = resource.xmlId;
    longId = resource.historyName !== undefined && resource.historyName !== id ? resource.historyName : resource.id;
  }
  return {
    id,
    ...(longId === undefined ? {} : { longId }),
    class: standard ?? '',
    ...(provider === undefined ? {} : { provider }),
    type: type ?? '',
  };
}

/** Nodes that the action takes down. */
function downedNodes(action: Action): string[] | undefined {
  const { task, node, resource } = action;
  if (!node) return undefined;
  if (task === 'do_shutdown') return [node.id];
  if (task === 'stonith') {
    const kind = action.meta.get('stonith_action');
    if (kind !== 'off' && kind !== 'reboot') return undefined;
    const guests: string[] = [];
    for (const running of node.running) {
      if (running.remoteConnection && running.launcher && running.connectionNode) guests.push(running.connectionNode.id);
    }
    return [node.id, ...guests];
  }
  if (task === 'stop' && resource?.remoteConnection) {
    const migrates = action.inputs.some(({ first, kinds }) => kinds !== 0 && first.task === 'migrate_from' && first.resource === resource);
    return migrates ? undefined : [resource.id];
  }
  return undefined;
}
