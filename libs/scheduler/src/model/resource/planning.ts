import type { Resource } from '../resource.js';
import type { HandedOn } from './handed-on.js';
import type { ResourcePlacement } from './placement.js';
import type { ResourcePlan } from './plan.js';
import type { ResourceRecord } from './record.js';

export type Planning = Omit<ResourcePlan, keyof ResourcePlacement> & HandedOn;

/** A resource's part in the plan, to be written: while operations, actions and orderings are asked for and settled. */
export const planning = (resource: Resource): Planning => resource as ResourceRecord;
