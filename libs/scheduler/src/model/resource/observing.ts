import type { Resource } from '../resource.js';
import type { ResourceDefinition } from './definition.js';
import type { HandedOn } from './handed-on.js';
import type { ResourceObserved } from './observed.js';
import type { ResourceRecord } from './record.js';

export type Observing = Omit<ResourceObserved, keyof ResourceDefinition> & HandedOn;

/** What is observed of a resource, to be written: while history is read. */
export const observing = (resource: Resource): Observing => resource as ResourceRecord;
