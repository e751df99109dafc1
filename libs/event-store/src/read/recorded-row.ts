import type { DomainEvent, RecordedEvent } from '../event.js';
import type { Upcasters } from '../upcasters.js';

/** The columns of an event in the order of the table's definition, less `transaction_id`, which only the store itself needs. */
export const EVENT_COLUMNS = `global_position, stream_id, version, type, schema_version, data, subjects, actor, command, correlation_id,
       causation_id, occurred_at, prev_hash, hash`;

/** One row with {@link EVENT_COLUMNS}; `pg` gives 64-bit integers as text. */
export interface EventRow {
  readonly global_position: string;
  readonly stream_id: string;
  readonly version: string;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly subjects: readonly string[];
  readonly actor: string;
  readonly command: string;
  readonly correlation_id: string;
  readonly causation_id: string | null;
  readonly occurred_at: Date;
  readonly prev_hash: Buffer;
  readonly hash: Buffer;
}

/**
 * The event of a row, upcast. That stored data have the shape which their type and schema version say is what the writers' types and the
 * upcasters warrant; it isn't checked again for each read.
 *
 * @throws {UnknownSchemaVersion}
 */
export function recordedEvent<E extends DomainEvent>(row: EventRow, upcasters: Upcasters): RecordedEvent<E> {
  const event: unknown = {
    globalPosition: Number(row.global_position),
    streamId: row.stream_id,
    version: Number(row.version),
    type: row.type,
    schemaVersion: upcasters.currentVersion(row.type),
    data: upcasters.upcast(row.type, row.schema_version, row.data),
    subjects: row.subjects,
    actor: row.actor,
    command: row.command,
    correlationId: row.correlation_id,
    ...(row.causation_id === null ? {} : { causationId: row.causation_id }),
    occurredAt: row.occurred_at.toISOString(),
    prevHash: row.prev_hash.toString('hex'),
    hash: row.hash.toString('hex'),
  };
  return event as RecordedEvent<E>;
}
