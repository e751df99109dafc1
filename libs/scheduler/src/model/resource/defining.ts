import type { Resource } from '../resource.js';
import type { ResourceDefinition } from './definition.js';
import type { ResourceRecord } from './record.js';

/** A resource's definition, to be written: while configuration is read, and constraints. */
export const defining = (resource: Resource): ResourceDefinition => resource as ResourceRecord;
