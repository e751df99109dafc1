import { EventStore, type AppendMeta, type AppendResult } from '@systole/event-store';
import type { Pool, PoolClient } from 'pg';
import { AUDIT_STREAM, auditSubjects, type AuditEvent } from './audit-event.js';

/**
 * Appends an entry in the caller's transaction, so that it is there exactly where what it tells of is. Until that ends nobody else can append to the audit: it should be the
 * last that is done in it.
 *
 * @param pool that the connection is of
 * @throws as `EventStore.appendIn`
 */
export async function appendAudit(pool: Pool, client: PoolClient, event: AuditEvent, meta: AppendMeta): Promise<AppendResult> {
  return new EventStore<AuditEvent>(pool).appendIn(client, AUDIT_STREAM, 'any', [{ ...event, subjects: auditSubjects(event) }], meta);
}
