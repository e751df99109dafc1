/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
import { ALERTS_SCHEMAS } from './alerts.js';
import { ATTRIBUTES_SCHEMAS } from './attributes.js';
import { CLUSTER_LIFECYCLE_SCHEMAS } from './cluster-lifecycle.js';
import { CONFIGURATION_SCHEMAS } from './configuration.js';
import { DEBUG_OPERATIONS_SCHEMAS } from './debug-operations.js';
import { FENCING_SCHEMAS } from './fencing.js';
import { MEMBERSHIP_SCHEMAS } from './membership.js';
import { OF_OTHER_LIBRARIES_SCHEMAS } from './of-other-libraries.js';
import { OPERATIONS_SCHEMAS } from './operations.js';
import { QUORUM_SCHEMAS } from './quorum.js';
import { TICKETS_SCHEMAS } from './tickets.js';
import { TRANSITIONS_SCHEMAS } from './transitions.js';

export const EVENT_TYPES_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...ALERTS_SCHEMAS,
  ...ATTRIBUTES_SCHEMAS,
  ...CLUSTER_LIFECYCLE_SCHEMAS,
  ...CONFIGURATION_SCHEMAS,
  ...DEBUG_OPERATIONS_SCHEMAS,
  ...FENCING_SCHEMAS,
  ...MEMBERSHIP_SCHEMAS,
  ...OF_OTHER_LIBRARIES_SCHEMAS,
  ...OPERATIONS_SCHEMAS,
  ...QUORUM_SCHEMAS,
  ...TICKETS_SCHEMAS,
  ...TRANSITIONS_SCHEMAS,
};
