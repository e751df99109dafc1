export * from './graph/transition-graph.js';
export * from './run.js';
export * from './schedule.js';
// What the simulator describes and draws; to be read only.
export type { ResourceChange } from './graph/changes.js';
export type { Action } from './model/action.js';
export { type Cluster, leaves, subtree } from './model/cluster.js';
export { compareBytes, compareNatural } from './model/names.js';
export type { ClusterNode } from './model/node.js';
export { Kind, type Relation } from './model/relation.js';
export type { Replica, Resource } from './model/resource.js';
export { parseRole, RoleLevel, roleName } from './model/role.js';
export { projectRun, scoreEntries } from './project-run.js';
export { currentNode, currentRole, isActive, isEntirelyActive } from './model/activity.js';
export { rawFailCount } from './input/status/fail-counts.js';
