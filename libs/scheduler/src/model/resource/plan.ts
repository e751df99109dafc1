import { ActionIndex } from '../action-index.js';
import type { Colocation } from '../constraints.js';
import type { ClusterNode } from '../node.js';
import type { OperationMeta } from '../operation-memory.js';
import type { Resource } from '../resource.js';
import type { RoleLevel } from '../role.js';
import { ResourcePlacement } from './placement.js';

/** What is asked of a resource, from the first request that history gives rise to, and what comes of it (specification 06, 07). */
export class ResourcePlan extends ResourcePlacement {
  /** Colocations asked for by constraints, by the tree's own structure and by placement. */
  readonly thisWith: Colocation[] = [];
  readonly withThis: Colocation[] = [];
  readonly actions = new ActionIndex();
  /** A node that it makes is to be fenced, which its own recovery does. */
  toBeRecovered = false;
  /** One of its failures blocks, so that none expires (specification 03 §6.3). */
  failuresStay = false;
  /** It is to be started again under another agent (specification 03 §12.5). */
  agentReplaced = false;
  reload = false;
  /** The live migration that was begun is not gone on with. */
  migrationAbandoned = false;
  /** Multiply active with `stop_unexpected`: the copy on the assigned node stays. */
  keepExpected = false;
  restarting = false;
  /** The working priority from now on: of an instance that may be promoted, its clone's. */
  plannedPriority: number | undefined = undefined;
  /** The role that counts as the current one when changes are told: what is active was started. */
  toldRole: RoleLevel | undefined = undefined;
  /** Counts changes of the states of all actions of this resource and of those below it. */
  actionChanges = 0;
  /** Counts actions that came into being, or got a node, here and below. */
  actionsAdded = 0;
  /** Instances by the nodes that their actions are on; valid while `actionsAdded` is the same. */
  instancesOn: { readonly added: number; readonly byNode: ReadonlyMap<ClusterNode, readonly Resource[]> } | undefined = undefined;
  /** Parameters, once evaluated, where no rules make them depend on the node. */
  commonParameters: ReadonlyMap<string, string> | undefined = undefined;
  /** Parameters by node where they do; also without any. */
  nodeParameters: Map<ClusterNode | undefined, ReadonlyMap<string, string>> | undefined = undefined;
  /** Meta tables of actions by the action's name, as far as they are this run's alone. */
  readonly metaCache = new Map<string, OperationMeta[]>();
}
