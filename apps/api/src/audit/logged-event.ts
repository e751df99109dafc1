import { AUDIT_TYPES, type AuditEvent } from '@systole/access';
import type { ClusterEvent } from '@systole/cluster';
import type { HeadsSigned } from '@systole/event-store';
import { EVENT_TYPES } from '../events/event-types.js';

/** What the log holds: what happened to clusters, and to the server, and what was signed of both. */
export type LoggedEvent = ClusterEvent | AuditEvent | HeadsSigned;

/** Every type of entry that there is, but for those of clusters. */
export const SERVER_TYPES: readonly string[] = [...AUDIT_TYPES, 'HeadsSigned' satisfies HeadsSigned['type']];

/** Every type of entry that there is. */
export const LOGGED_TYPES: readonly string[] = [...SERVER_TYPES, ...EVENT_TYPES];
