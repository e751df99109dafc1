import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The event store (docs/decisions/0002-event-store.md): append-only table, append function, snapshots.
 *
 * - `version` counts up without gaps in each stream; `append_events` gives it out under a lock on the stream.
 * - `transaction_id` orders events of different streams for readers: the appending transaction's id, never less than that of the
 *   stream's previous event. Every event below the oldest running transaction's id is final, so readers who stop there skip nothing.
 * - `hash` = sha256(prev_hash || RFC 8785 JSON of the row); the first event's prev_hash is 32 zero bytes.
 *
 * Nothing but `stream_id, version` needs to be unique, so the table can be partitioned or distributed by stream id.
 */
export class EventStore1795269600000 implements MigrationInterface {
  readonly name = 'EventStore1795269600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** Without CHECK constraints: PostgreSQL prepares them anew for each INSERT, which costs more than an index. What rows hold is `append_events`' affair. */
const EVENTS = `
CREATE TABLE events (
  stream_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  global_position bigint NOT NULL,
  transaction_id bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  data jsonb NOT NULL,
  subjects text[] NOT NULL,
  actor text COLLATE "C" NOT NULL,
  command text COLLATE "C" NOT NULL,
  correlation_id text COLLATE "C" NOT NULL,
  causation_id text COLLATE "C",
  occurred_at timestamptz NOT NULL,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (stream_id, version)
)`;

/** One for each way in which readers ask: by global order, by cursor, and the audit's filters. */
const EVENT_INDEXES = [
  'CREATE INDEX events_global_order ON events (transaction_id, global_position)',
  'CREATE INDEX events_global_position ON events (global_position)',
  'CREATE INDEX events_stream_type ON events (stream_id, type, version)',
  'CREATE INDEX events_stream_actor ON events (stream_id, actor, version)',
  'CREATE INDEX events_subjects ON events USING gin (subjects)',
];

/**
 * Refuses changes whoever asks, the table's owner included, and under session_replication_role = replica too. The statement-level
 * triggers also refuse statements that touch no row, so that a wrong program fails in its first test.
 */
const APPEND_ONLY = [
  `
CREATE FUNCTION events_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  RAISE EXCEPTION 'events are append-only: % on % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege', HINT = 'Append a new event that corrects the earlier one.';
END
$body$`,
  `CREATE TRIGGER events_refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION events_are_append_only()`,
  `CREATE TRIGGER events_refuse_row_change BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION events_are_append_only()`,
  'ALTER TABLE events ENABLE ALWAYS TRIGGER events_refuse_change',
  'ALTER TABLE events ENABLE ALWAYS TRIGGER events_refuse_row_change',
  'REVOKE UPDATE, DELETE, TRUNCATE ON events FROM PUBLIC, CURRENT_USER',
];

/**
 * What is added to this server's transaction ids. Zero, until the events were restored from a dump into a server whose transaction
 * ids are behind theirs: then `migrate` replaces the function so that the order goes on (see resume-transaction-order.ts).
 */
const TRANSACTION_EPOCH = `
CREATE FUNCTION event_transaction_epoch() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT 0::bigint'`;

/** Events with a lower transaction id are final: no transaction that is still running can add one. */
const HORIZON = `
CREATE FUNCTION event_horizon() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS
'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + event_transaction_epoch()'`;

/**
 * The newest version of a stream that occurred at or before a moment; 0 when there is none. `occurred_at` never decreases within a stream,
 * so the primary key is in the order of time too: halves the range (low, high] until it is empty.
 */
const EVENT_VERSION_AT = `
CREATE FUNCTION event_version_at(stream text, moment timestamptz) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $body$
  WITH RECURSIVE halving AS (
    SELECT 0::bigint AS low, coalesce(max(version), 0) AS high FROM events WHERE stream_id = stream
    UNION ALL
    SELECT CASE WHEN middle.occurred_at <= moment THEN middle.version ELSE low END,
           CASE WHEN middle.occurred_at <= moment THEN high ELSE middle.version - 1 END
    FROM halving
    CROSS JOIN LATERAL (
      SELECT version, occurred_at FROM events WHERE stream_id = stream AND version = (low + high + 1) / 2
    ) AS middle
    WHERE low < high
  )
  SELECT low FROM halving WHERE low = high
$body$`;

/**
 * Appends batches to one stream, one after the other, and answers one row for each: where its expected version (null: any) is not
 * the stream's version it answers without a first_version and appends nothing of that batch.
 *
 * `documents` holds two texts for each event, separated by the control character RS (which JSON text can't hold): the event's RFC 8785
 * JSON up to the value of "occurredAt", and from there up to the value of "version". Time and version are known only under the lock;
 * what is hashed is what is stored, because the columns are read from the completed document.
 *
 * The lock is an advisory one in the two-key space (the class is 'SYST'), so that it can't meet the locks that callers take on a single
 * 64-bit key. It is held until the transaction ends, hence versions, hashes, global positions and times all grow in the same order.
 */
const APPEND_EVENTS = `
CREATE FUNCTION append_events(stream text, expected_versions bigint[], batch_sizes integer[], documents text)
RETURNS TABLE (actual_version bigint, first_version bigint, last_version bigint, global_positions bigint[], recorded_at text)
LANGUAGE plpgsql AS $body$
#variable_conflict use_column
DECLARE
  head bigint;
  chain bytea;
  ordering bigint;
  moment timestamptz;
  parts text[];
  part integer := 1;
  document text;
  body jsonb;
  link bytea;
  pos bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(1398362964, hashtext(stream));
  SELECT coalesce(last.version, 0),
         coalesce(last.hash, '\\x0000000000000000000000000000000000000000000000000000000000000000'),
         greatest(pg_current_xact_id()::text::bigint + event_transaction_epoch(), last.transaction_id),
         now.moment,
         to_char(now.moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         string_to_array(documents, chr(30))
    INTO head, chain, ordering, moment, recorded_at, parts
    FROM clock_timestamp() AS clock
    LEFT JOIN LATERAL (SELECT * FROM events WHERE stream_id = stream ORDER BY version DESC LIMIT 1) AS last ON true
    CROSS JOIN LATERAL (SELECT greatest(date_trunc('milliseconds', clock), last.occurred_at) AS moment) AS now;
  FOR batch IN 1 .. cardinality(expected_versions) LOOP
    actual_version := head;
    IF expected_versions[batch] <> head THEN
      first_version := NULL;
      last_version := NULL;
      global_positions := NULL;
      part := part + 2 * batch_sizes[batch];
    ELSE
      first_version := head + 1;
      global_positions := '{}';
      FOR step IN 1 .. batch_sizes[batch] LOOP
        head := head + 1;
        document := concat(parts[part], recorded_at, parts[part + 1], head, '}');
        part := part + 2;
        link := sha256(chain || convert_to(document, 'UTF8'));
        body := document;
        pos := nextval('events_global_position_seq');
        INSERT INTO events (stream_id, version, global_position, transaction_id, type, schema_version, data, subjects, actor, command,
                            correlation_id, causation_id, occurred_at, prev_hash, hash)
        VALUES (stream, head, pos, ordering, body->>'type', (body->'schemaVersion')::integer, body->'data',
                ARRAY(SELECT jsonb_array_elements_text(body->'subjects')), body->>'actor', body->>'command',
                body->>'correlationId', body->>'causationId', moment, chain, link);
        chain := link;
        global_positions := global_positions || pos;
      END LOOP;
      last_version := head;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$body$`;

/** Folds that save replaying; can be deleted at any moment. `json`, not `jsonb`: nobody queries inside, and key order survives. */
const SNAPSHOTS = `
CREATE TABLE snapshots (
  stream_id text COLLATE "C" NOT NULL,
  schema text COLLATE "C" NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  data json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (stream_id, schema, version)
)`;

const UP = [
  EVENTS,
  ...EVENT_INDEXES,
  'CREATE SEQUENCE events_global_position_seq OWNED BY events.global_position',
  ...APPEND_ONLY,
  TRANSACTION_EPOCH,
  HORIZON,
  EVENT_VERSION_AT,
  APPEND_EVENTS,
  SNAPSHOTS,
];

const DOWN = [
  'DROP TABLE snapshots',
  'DROP FUNCTION append_events(text, bigint[], integer[], text)',
  'DROP FUNCTION event_version_at(text, timestamptz)',
  'DROP FUNCTION event_horizon()',
  'DROP FUNCTION event_transaction_epoch()',
  'DROP TABLE events',
  'DROP FUNCTION events_are_append_only()',
];
