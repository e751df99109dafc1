import type { Resource } from '../resource.js';
import type { HandedOn } from './handed-on.js';
import type { ResourceObserved } from './observed.js';
import type { ResourcePlacement } from './placement.js';
import type { ResourceRecord } from './record.js';

export type Placing = Omit<ResourcePlacement, keyof ResourceObserved> & HandedOn;

/** A resource's placement, to be written: while nodes and roles are chosen. */
export const placing = (resource: Resource): Placing => resource as ResourceRecord;
