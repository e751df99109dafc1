import { SUMMARIZED_NODE, SUMMARIZED_RESOURCE, type ClusterEvent } from '@systole/cluster';
import type { ClientBase, Pool, QueryConfig } from 'pg';

export type TransitionStatus = 'running' | 'aborting' | 'complete' | 'aborted';

/** A transition as the list shows it. */
export interface TransitionEntry {
  readonly number: number;
  readonly status: TransitionStatus;
  /** Stream version whose fold was scheduled. */
  readonly inputVersion: number;
  /** Stream version of TransitionPlanned. */
  readonly plannedVersion: number;
  /** Effective time, epoch seconds. */
  readonly now: number;
  readonly digest: string;
  /** ISO 8601. */
  readonly plannedAt: string;
  readonly endedAt?: string;
  readonly trigger: string;
  readonly counts: { readonly actions: number; readonly pseudo: number; readonly fencing: number };
  readonly summary: readonly string[];
  readonly abortReason?: string;
  readonly outcome?: { readonly completed: number; readonly skipped: number; readonly failed: number };
}

/** The graph as the worker stored it: JSON, compressed. */
export interface StoredGraph {
  readonly gzip: Buffer;
}

interface Row {
  readonly number: number;
  readonly status: TransitionStatus;
  readonly input_version: string;
  readonly planned_version: string;
  readonly now: string;
  readonly digest: string;
  readonly planned_at: Date;
  readonly ended_at: Date | null;
  readonly trigger: string;
  readonly actions: number;
  readonly pseudo: number;
  readonly fencing: number;
  readonly summary: readonly string[];
  readonly abort_reason: string | null;
  readonly completed: number | null;
  readonly skipped: number | null;
  readonly failed: number | null;
}

const COLUMNS = `number, status, input_version, planned_version, now, digest, planned_at, ended_at, trigger, actions, pseudo, fencing, summary,
       abort_reason, completed, skipped, failed`;

/** That a column of numbers can hold. */
const GREATEST_NUMBER = 2_147_483_647;

/** What transitions are asked for by: all conditions hold. */
export interface TransitionFilter {
  readonly statuses?: readonly TransitionStatus[];
  /** Nodes were to be fenced. */
  readonly fencing?: boolean;
  /** Some action did not end as expected. */
  readonly failed?: boolean;
  /** Something was planned for one of these resources, whatever the instance; one that ends in `-` stands for all that a bundle makes (`primitivesOf`). */
  readonly resources?: readonly string[];
  /** Something was planned on, or with, this node. */
  readonly node?: string;
  /** ISO 8601; planned at or after. */
  readonly from?: string;
  /** ISO 8601; planned before. */
  readonly to?: string;
}

/** Where the rows of a cluster are read in their order: each is looked at until there are enough. */
function listStatement(
  clusterId: string,
  { belowNumber, limit, statuses, fencing, failed, resources, node, from, to }: TransitionFilter & TransitionPage,
): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [clusterId, Math.min(belowNumber ?? GREATEST_NUMBER, GREATEST_NUMBER), limit];
  const value = (one: unknown): string => `$${String(values.push(one))}`;
  const inSummary = (pattern: string, is: (found: string) => string): string =>
    `EXISTS (SELECT FROM jsonb_array_elements_text(summary) AS line CROSS JOIN LATERAL substring(line FROM ${value(pattern)}) AS found WHERE ${is('found')})`;
  const conditions = [
    ...(statuses === undefined ? [] : [`status = ANY (${value(statuses)})`]),
    ...(fencing === undefined ? [] : [fencing ? 'fencing > 0' : 'fencing = 0']),
    ...(failed === undefined ? [] : [failed ? 'failed > 0' : 'coalesce(failed, 0) = 0']),
    ...(from === undefined ? [] : [`planned_at >= ${value(from)}`]),
    ...(to === undefined ? [] : [`planned_at < ${value(to)}`]),
    ...(node === undefined ? [] : [inSummary(SUMMARIZED_NODE, (found) => `${found} = ${value(node)}`)]),
    ...(resources === undefined
      ? []
      : [
          inSummary(
            SUMMARIZED_RESOURCE,
            (found) =>
              `EXISTS (SELECT FROM unnest(${value(resources)}::text[]) AS one WHERE split_part(${found}, ':', 1) = one OR right(one, 1) = '-' AND starts_with(${found}, one))`,
          ),
        ]),
  ];
  const text = `
SELECT ${COLUMNS} FROM transitions
WHERE ${['cluster_id = $1', 'number < $2', ...conditions].join(' AND ')}
ORDER BY number DESC
LIMIT $3`;
  return { text, values };
}

interface TransitionPage {
  readonly belowNumber?: number;
  readonly limit: number;
}

const GET = `
SELECT ${COLUMNS} FROM transitions WHERE cluster_id = $1 AND number = $2`;

const GRAPH = `
SELECT packed_graph AS gzip FROM transitions WHERE cluster_id = $1 AND number = $2 AND digest = $3 AND packed_graph IS NOT NULL`;

const COUNTS = `
SELECT actions, pseudo, fencing FROM transitions WHERE cluster_id = $1 AND number = $2`;

/** A row may be there already. What only the event knows is written over. */
const PLANNED = `
INSERT INTO transitions (cluster_id, number, planned_version, input_version, now, digest, planned_at, trigger, actions, pseudo, fencing,
                         summary, status, ended_at, completed, skipped, failed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
ON CONFLICT (cluster_id, number) DO UPDATE
SET planned_at = excluded.planned_at, trigger = excluded.trigger, actions = excluded.actions, pseudo = excluded.pseudo,
    fencing = excluded.fencing, summary = excluded.summary, status = excluded.status, ended_at = excluded.ended_at,
    completed = excluded.completed, skipped = excluded.skipped, failed = excluded.failed`;

const ABORTED = `
UPDATE transitions SET status = 'aborting', abort_reason = $3 WHERE cluster_id = $1 AND number = $2 AND status = 'running'`;

const COMPLETED = `
UPDATE transitions SET status = $3, ended_at = $4, completed = $5, skipped = $6, failed = $7 WHERE cluster_id = $1 AND number = $2`;

/** The transitions of clusters: a projection of their streams, with the graphs that the worker stored beside it. */
export class TransitionList {
  constructor(private readonly pool: Pool) {}

  /** Newest first, from below a number. */
  async list(clusterId: string, page: TransitionPage & TransitionFilter): Promise<readonly TransitionEntry[]> {
    const { text, values } = listStatement(clusterId, page);
    const { rows } = await this.pool.query<Row>(text, [...values]);
    return rows.map(entryOf);
  }

  async get(clusterId: string, number: number): Promise<TransitionEntry | undefined> {
    const { rows } = await this.pool.query<Row>({ name: 'systole-get-transition', text: GET, values: [clusterId, number] });
    return rows[0] && entryOf(rows[0]);
  }

  /** How much was planned, without all else that is known of the transition; undefined for one that is not in the list. */
  async counts(clusterId: string, number: number): Promise<TransitionEntry['counts'] | undefined> {
    const { rows } = await this.pool.query<Pick<Row, 'actions' | 'pseudo' | 'fencing'>>({
      name: 'systole-transition-counts',
      text: COUNTS,
      values: [clusterId, number],
    });
    return rows[0];
  }

  /** What was stored for the planned graph of that digest; undefined when it is not there and must be computed again. */
  async stored(clusterId: string, entry: TransitionEntry): Promise<StoredGraph | undefined> {
    const { rows } = await this.pool.query<StoredGraph>(GRAPH, [clusterId, entry.number, entry.digest]);
    return rows[0];
  }

  /** What an event means for the list, to be written in the event's transaction; undefined: nothing. */
  static projection(clusterId: string, event: ClusterEvent, version: number, occurredAt: string): QueryConfig | undefined {
    switch (event.type) {
      case 'TransitionPlanned': {
        const { number, inputVersion, now, digest, trigger, counts, summary } = event.data;
        const empty = counts.actions + counts.pseudo + counts.fencing === 0;
        return {
          name: 'systole-transition-planned',
          text: PLANNED,
          values: [
            clusterId,
            number,
            version,
            inputVersion,
            now,
            digest,
            occurredAt,
            trigger,
            counts.actions,
            counts.pseudo,
            counts.fencing,
            JSON.stringify(summary),
            // A plan without actions is complete as it is; no TransitionCompleted follows.
            ...(empty ? ['complete', occurredAt, 0, 0, 0] : ['running', null, null, null, null]),
          ],
        };
      }
      case 'TransitionAborted':
        return { name: 'systole-transition-aborted', text: ABORTED, values: [clusterId, event.data.number, event.data.reason] };
      case 'TransitionCompleted': {
        const { number, outcome, completed, skipped, failed } = event.data;
        const values = [clusterId, number, outcome, occurredAt, completed, skipped, failed];
        return { name: 'systole-transition-completed', text: COMPLETED, values };
      }
      default:
        return undefined;
    }
  }

  static async clear(client: ClientBase, clusterId: string): Promise<void> {
    await client.query('DELETE FROM transitions WHERE cluster_id = $1', [clusterId]);
  }
}

function entryOf(row: Row): TransitionEntry {
  return {
    number: row.number,
    status: row.status,
    inputVersion: Number(row.input_version),
    plannedVersion: Number(row.planned_version),
    now: Number(row.now),
    digest: row.digest,
    plannedAt: row.planned_at.toISOString(),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
    trigger: row.trigger,
    counts: { actions: row.actions, pseudo: row.pseudo, fencing: row.fencing },
    summary: row.summary,
    ...(row.abort_reason === null ? {} : { abortReason: row.abort_reason }),
    ...(row.completed === null || row.skipped === null || row.failed === null
      ? {}
      : { outcome: { completed: row.completed, skipped: row.skipped, failed: row.failed } }),
  };
}
