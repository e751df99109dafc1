import type { ClusterNode } from '../model/node.js';
import type { Resource } from '../model/resource.js';
import type { Step } from '../model/step.js';

/** How resources are assigned: the function that knows all kinds, handed to those that know one. */
export type Assign = (resource: Resource, preferred: ClusterNode | undefined, tentative: boolean) => Step<ClusterNode | undefined>;
