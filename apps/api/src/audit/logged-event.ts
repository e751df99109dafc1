import type { AuditEvent } from '@systole/access';
import type { ClusterEvent } from '@systole/cluster';

/** What the log holds: what happened to clusters, and to the server. */
export type LoggedEvent = ClusterEvent | AuditEvent;
