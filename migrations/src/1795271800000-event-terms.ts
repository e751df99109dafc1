import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the events of a stream can be found by, besides type and actor, in the order of versions: `s` and a subject, `c` and a correlation id. A page of what concerns
 * one thing, or several at once, is read off the primary key wherever it lies in the stream; an index over lists finds all events first, and sorts them then.
 *
 * It is derived, some hundred events at a time, after they were appended: appending waits for it nowhere. Readers look at what is behind it one by one. What it says
 * of an event that the log does not hold, or holds with other subjects, counts for nothing.
 */
const EVENT_TERMS = `
CREATE TABLE event_terms (
  stream_id text COLLATE "C" NOT NULL,
  term text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (stream_id, term, version)
)`;

/** Up to which event, and of which hash, the terms of a stream are there: a log that lost its end and grew again has another one there. */
const EVENT_TERM_HEADS = `
CREATE TABLE event_term_heads (
  stream_id text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,
  hash bytea NOT NULL
)`;

/** What of an event it can be found by. */
export const EVENT_TERMS_OF_ONE = `
    SELECT 's' || left(subject, 255) FROM unnest(event.subjects) AS subject
    UNION ALL SELECT 'c' || left(event.correlation_id, 255)`;

/**
 * Goes on with the terms of a stream, by at most so many events, and says up to which version they are there now. Whoever finds somebody else at it leaves it to that
 * one. Of a subject the first 255 characters count: an index holds no more than some kilobytes of anything.
 *
 * @param terms a query of the terms of `event`
 */
export const indexEventTerms = (terms: string): string => `
CREATE OR REPLACE FUNCTION index_event_terms(stream text, most integer) RETURNS bigint LANGUAGE plpgsql AS $body$
DECLARE
  done bigint := 0;
  known bytea;
  newest bigint;
  newest_hash bytea;
BEGIN
  IF NOT pg_try_advisory_xact_lock(1398362965, hashtext(stream)) THEN
    RETURN coalesce((SELECT version FROM event_term_heads WHERE stream_id = stream), 0);
  END IF;
  SELECT version, hash INTO done, known FROM event_term_heads WHERE stream_id = stream;
  done := coalesce(done, 0);
  IF done > 0 AND NOT EXISTS (SELECT FROM events WHERE stream_id = stream AND version = done AND hash = known) THEN
    DELETE FROM event_terms WHERE stream_id = stream;
    done := 0;
  END IF;
  SELECT version, hash INTO newest, newest_hash FROM events
  WHERE stream_id = stream AND version > done AND version <= done + most ORDER BY version DESC LIMIT 1;
  IF newest IS NULL THEN
    IF done = 0 THEN DELETE FROM event_term_heads WHERE stream_id = stream; END IF;
    RETURN done;
  END IF;
  INSERT INTO event_terms (stream_id, term, version)
  SELECT DISTINCT stream, found.term, event.version
  FROM events AS event
  CROSS JOIN LATERAL (${terms}
  ) AS found (term)
  WHERE event.stream_id = stream AND event.version > done AND event.version <= newest
  ORDER BY 2, 3
  ON CONFLICT DO NOTHING;
  INSERT INTO event_term_heads (stream_id, version, hash) VALUES (stream, newest, newest_hash)
  ON CONFLICT (stream_id) DO UPDATE SET version = excluded.version, hash = excluded.hash;
  RETURN newest;
END
$body$`;

/** What is there already, one stream after the other. */
const INDEX_ALL = `
SELECT index_event_terms(stream_id, 2147483647) FROM (SELECT DISTINCT stream_id FROM events) AS streams`;

export class EventTerms1795271800000 implements MigrationInterface {
  readonly name = 'EventTerms1795271800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(EVENT_TERMS);
    await queryRunner.query(EVENT_TERM_HEADS);
    await queryRunner.query(indexEventTerms(EVENT_TERMS_OF_ONE));
    await queryRunner.query(INDEX_ALL);
    await queryRunner.query('DROP INDEX events_subjects');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX events_subjects ON events USING gin (subjects)');
    await queryRunner.query('DROP FUNCTION index_event_terms(text, integer)');
    await queryRunner.query('DROP TABLE event_term_heads');
    await queryRunner.query('DROP TABLE event_terms');
  }
}
