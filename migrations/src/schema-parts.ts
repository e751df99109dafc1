import type { ClientBase, Pool } from 'pg';

/** What one migration makes, as far as readers and writers need it: columns by table (those of new tables, and new ones of tables that were there), and functions by signature. */
interface Made {
  readonly columns?: Readonly<Record<string, string>>;
  readonly functions?: readonly string[];
}

/** By the name of the migration that made it; without what a later one took away. A test holds it to what the migrations do. */
const MADE: Readonly<Record<string, Made>> = {
  EventStore1795269600000: {
    columns: {
      events:
        'stream_id version global_position transaction_id type schema_version data subjects actor command correlation_id causation_id occurred_at prev_hash hash',
      snapshots: 'stream_id schema version data created_at',
    },
    functions: [
      'append_events(text, bigint[], integer[], text)',
      'event_horizon()',
      'event_transaction_epoch()',
      'event_version_at(text, timestamp with time zone)',
      'events_are_append_only()',
    ],
  },
  ServerTables1795270000000: {
    columns: {
      action_dispatches: 'cluster_id action_id transition graph_action_id node payload created_at delivered_at completed_at',
      clusters: 'id name version created_at deleted_at',
      idempotency_keys: 'token_id key request_sha256 locked_at status headers body',
      node_leases: 'cluster_id node incarnation token_id lease_ms expires_at renewed_at',
      tokens: 'id role cluster_id node name sha256 created_by created_at revoked_at',
      transitions:
        'cluster_id number planned_version input_version now digest planned_at trigger actions pseudo fencing summary status abort_reason ended_at completed skipped failed',
    },
  },
  DispatchIncarnation1795270100000: { columns: { action_dispatches: 'delivered_to' } },
  ApiHeartbeats1795270200000: { columns: { api_heartbeats: 'api_id up_since beat_at' } },
  DispatchPoll1795270300000: { columns: { action_dispatches: 'delivered_seq' } },
  RenewalCounters1795270400000: { columns: { api_heartbeats: 'beats', node_leases: 'renewals' } },
  ClusterClaims1795270500000: { columns: { cluster_claims: 'cluster_id holder renewals' } },
  AdvanceFailures1795270600000: { columns: { advance_failures: 'cluster_id since tries reason' } },
  WorkerHeartbeats1795271100000: { columns: { worker_heartbeats: 'worker_id up_since beat_at beats' } },
  Installation1795271200000: { columns: { installation: 'only_row id seal_key' } },
  HeartbeatTroubles1795271310000: { columns: { api_heartbeats: 'trouble', worker_heartbeats: 'trouble' } },
  RestoredDispatches1795271400000: { columns: { action_dispatches: 'restored_at' } },
  PackedGraphs1795271500000: { columns: { transitions: 'packed_graph' } },
  SnapshotPieces1795271600000: { columns: { snapshot_pieces: 'stream_id schema version piece text', snapshots: 'pieces' } },
  RollCall1795271700000: { columns: { roll_call: 'single number id', node_leases: 'answered' } },
  EventTerms1795271800000: {
    columns: { event_term_heads: 'stream_id version hash', event_terms: 'stream_id term version' },
    functions: ['index_event_terms(text, integer)'],
  },
  TokenRights1795272100000: { columns: { tokens: 'expires_at clusters sees_secrets' } },
  ResourceAgents1795272200000: {
    columns: {
      agent_catalogs: 'cluster_id version',
      agent_descriptions: 'cluster_id class provider type digest node metadata problem told_at',
      agent_tellings: 'cluster_id node classes told_at',
      installed_agents: 'cluster_id node class provider type digest',
    },
  },
  ClusterSecrets1795272300000: {
    columns: {
      cluster_secrets: 'cluster_id id owner parameter agents created_at created_by erased_at erased_by key_id wrapped_key value',
    },
  },
  Webhooks1795272500000: {
    columns: {
      webhook_deliveries:
        'id webhook_id kind message_id position stream_id version event_type outcome attempt status error answer duration_ms at',
      webhook_progress: 'webhook_id position attempts next_attempt_at failing_since delivered_at last_error holder held_until',
      webhooks:
        'id name url clusters audit types subjects actor severity authorities secret previous_secret previous_until enabled disabled_reason created_by created_at',
    },
  },
  AlertRuns1795273000000: {
    columns: {
      alert_places: 'cluster_id version dropped dropped_at',
      alert_runs: 'id cluster_id node alert recipient kind version test call outcome at given_at tries ended_at rc detail exec_ms',
    },
  },
  ContainerTokens1795275000000: { columns: { tokens: 'container_host container' } },
  NotedAlertRuns1795276000000: { columns: { alert_runs: 'noted' } },
  PrivateAttributes1795277000000: { columns: { private_attributes: 'cluster_id node incarnation attributes' } },
  DescriptionBytes1795278000000: { columns: { agent_descriptions: 'bytes' } },
  AgentWrites1795279000000: { columns: { agent_writes: 'cluster_id node incarnation number' } },
  PrivateAttributesRevision1795279200000: { columns: { private_attributes: 'revision' } },
  KeysOfClusters1795279500000: { columns: { idempotency_keys: 'cluster_id' } },
};

/** A table, column (`table.column`) or function (its name, and the types of its arguments as PostgreSQL spells them) of the schema. */
export interface SchemaPart {
  readonly kind: 'table' | 'column' | 'function';
  readonly name: string;
  /** The migration that makes it. */
  readonly migration: string;
}

/** Everything that the migrations make, tables before their columns; without their own record, and without indexes and triggers. */
export const SCHEMA_PARTS: readonly SchemaPart[] = partsOf(MADE);

/** Every table that the migrations make, by name. */
export const TABLES: readonly string[] = SCHEMA_PARTS.filter(({ kind }) => kind === 'table')
  .map(({ name }) => name)
  .sort();

function partsOf(made: Readonly<Record<string, Made>>): readonly SchemaPart[] {
  const tables = new Set<string>();
  return Object.entries(made).flatMap(([migration, { columns = {}, functions = [] }]) => [
    ...Object.entries(columns).flatMap(([table, names]): SchemaPart[] => {
      const parts = names.split(' ').map((column): SchemaPart => ({ kind: 'column', name: `${table}.${column}`, migration }));
      if (tables.has(table)) return parts;
      tables.add(table);
      return [{ kind: 'table', name: table, migration }, ...parts];
    }),
    ...functions.map((name): SchemaPart => ({ kind: 'function', name, migration })),
  ]);
}

/** $1 kinds, $2 names, in the same order. Answers in the order of that, from 1 on. */
const PRESENT = `
SELECT part.number::integer AS number
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS part (kind, name, number)
WHERE CASE part.kind
  WHEN 'table' THEN to_regclass(part.name) IS NOT NULL
  WHEN 'function' THEN to_regprocedure(part.name) IS NOT NULL
  ELSE EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = to_regclass(split_part(part.name, '.', 1)) AND attname = split_part(part.name, '.', 2) AND NOT attisdropped
  )
END`;

type Queryable = Pick<Pool, 'query'> | Pick<ClientBase, 'query'>;

/**
 * @param without tables that whoever asks can do without
 * @returns what of the schema is not there, in words, such as `the tables clusters, tokens, the column node_leases.answered`; undefined: nothing. Needs no privileges on any of it
 */
export async function missingSchema(database: Queryable, without: ReadonlySet<string> = new Set()): Promise<string | undefined> {
  const needed = SCHEMA_PARTS.filter((part) => !without.has(tableOf(part)));
  const present = await presentOf(database, needed);
  return inWords(needed.filter((part) => !present.has(part)));
}

/** @returns what the database holds already of what these migrations are yet to make, in words; undefined: nothing */
export async function presentSchema(database: Queryable, migrations: ReadonlySet<string>): Promise<string | undefined> {
  return inWords([
    ...(await presentOf(
      database,
      SCHEMA_PARTS.filter(({ migration }) => migrations.has(migration)),
    )),
  ]);
}

async function presentOf(database: Queryable, parts: readonly SchemaPart[]): Promise<ReadonlySet<SchemaPart>> {
  const { rows } = await database.query<{ number: number }>(PRESENT, [parts.map(({ kind }) => kind), parts.map(({ name }) => name)]);
  const numbers = new Set(rows.map(({ number }) => number));
  return new Set(parts.filter((_, index) => numbers.has(index + 1)));
}

/** Of a function: its signature, which is no table's name. */
function tableOf({ name }: SchemaPart): string {
  return name.split('.')[0] ?? name;
}

/** Columns of tables that are named themselves go without saying. */
function inWords(parts: readonly SchemaPart[]): string | undefined {
  const tables = new Set(parts.filter(({ kind }) => kind === 'table').map(({ name }) => name));
  const texts = (['table', 'column', 'function'] as const).flatMap((kind) => {
    const names = parts.filter((part) => part.kind === kind && (kind !== 'column' || !tables.has(tableOf(part)))).map(({ name }) => name);
    return names.length === 0 ? [] : [`the ${kind}${names.length === 1 ? '' : 's'} ${names.join(', ')}`];
  });
  return texts.length === 0 ? undefined : texts.join(', ');
}
