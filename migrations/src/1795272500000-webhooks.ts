import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whom events are sent to (docs/decisions/0056-webhooks.md).
 *
 * - `webhooks`: where to, what of, signed with which secrets; what administrators write;
 * - `webhook_progress`: how far each has got in the global order of events, when it is tried again, and which worker is at it; what workers write, often;
 * - `webhook_deliveries`: one row for each attempt, and those that wait to be made because somebody asked for them.
 */
export class Webhooks1795272500000 implements MigrationInterface {
  readonly name = 'Webhooks1795272500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['webhook_deliveries', 'webhook_progress', 'webhooks']) await queryRunner.query(`DROP TABLE ${table}`);
  }
}

const UP = [
  `
CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  url text NOT NULL,
  clusters text[],
  audit boolean NOT NULL,
  types text[],
  subjects text[],
  actor text,
  severity text NOT NULL CHECK (severity IN ('any', 'wrong')),
  authorities text,
  secret text NOT NULL,
  previous_secret text,
  previous_until timestamptz,
  enabled boolean NOT NULL,
  disabled_reason text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
)`,
  `
CREATE TABLE webhook_progress (
  webhook_id uuid PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  failing_since timestamptz,
  delivered_at timestamptz,
  last_error text,
  holder text,
  held_until timestamptz
)`,
  `
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('event', 'test', 'redelivery')),
  message_id text,
  position bigint,
  stream_id text,
  version bigint,
  event_type text,
  outcome text NOT NULL CHECK (outcome IN ('waiting', 'delivered', 'failed')),
  attempt integer NOT NULL,
  status integer,
  error text,
  answer text,
  duration_ms integer,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
)`,
  'CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, at DESC, id DESC)',
  'CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (at)',
  `CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, at) WHERE outcome = 'waiting'`,
];
