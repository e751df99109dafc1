import type { Action as ActionInRun } from './model/action.js';
import type { Cluster as ClusterInRun } from './model/cluster.js';
import type { LocationConstraint as LocationInRun } from './model/constraints.js';
import type { DeepReadonly } from './model/deep-readonly.js';
import type { ClusterNode as NodeInRun } from './model/node.js';
import type { Relation as RelationInRun } from './model/relation.js';
import type { Replica as ReplicaInRun, Resource as ResourceInRun } from './model/resource.js';

// What leaves a run has the names of what the phases write: it is the same objects, and nobody outside sees more of them.
export type Action = DeepReadonly<ActionInRun>;
export type Cluster = DeepReadonly<ClusterInRun>;
export type ClusterNode = DeepReadonly<NodeInRun>;
export type LocationConstraint = DeepReadonly<LocationInRun>;
export type Relation = DeepReadonly<RelationInRun>;
export type Replica = DeepReadonly<ReplicaInRun>;
export type Resource = DeepReadonly<ResourceInRun>;
