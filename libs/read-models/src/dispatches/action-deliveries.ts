import type { AgentAction } from '@systole/cluster';
import type { ClientBase, Pool } from 'pg';
import { holdStreamAt } from '../postgres/stream-hold.js';
import { inTransaction } from '../postgres/transaction.js';

/** Channel on which the worker says that there is something for a node; the payload is `<cluster id>/<node>`. */
export const DISPATCH_CHANNEL = 'systole_dispatch';

/** $1 cluster, $2 node, $3 known action ids. */
const ANY_OPEN = `
SELECT EXISTS (
  SELECT FROM action_dispatches
  WHERE cluster_id = $1 AND node = $2 AND completed_at IS NULL AND action_id <> ALL ($3)
) AS open`;

/**
 * $1 cluster, $2 node, $3 known action ids, $4 transition, $5 incarnation, $6 whether it is aborting, $7 the poll's number or NULL. A poll that is
 * still held open while a later one was answered leaves the later one's stamp: its own answer goes nowhere.
 */
const STAMP = `
UPDATE action_dispatches SET delivered_at = coalesce(delivered_at, clock_timestamp()), delivered_to = $5, delivered_seq = $7
WHERE cluster_id = $1 AND node = $2 AND completed_at IS NULL AND action_id <> ALL ($3) AND transition = $4
  AND (NOT $6::boolean OR payload->>'operation' = 'notify')
  AND (delivered_to = $5 AND delivered_seq > $7::bigint) IS NOT TRUE
RETURNING graph_action_id, payload`;

/** $1 cluster, $2 node, $3 known action ids, $4 transition, $5 incarnation, $6 the poll's number. */
const TAKE_BACK = `
UPDATE action_dispatches SET delivered_at = NULL, delivered_to = NULL, delivered_seq = NULL
WHERE cluster_id = $1 AND node = $2 AND completed_at IS NULL AND action_id <> ALL ($3) AND transition = $4
  AND (delivered_to <> $5 OR delivered_to = $5 AND delivered_seq < $6::bigint)
  AND payload->>'operation' IS DISTINCT FROM 'notify'`;

/** $1 cluster, $2 node, $3 transition. */
const ANY_UNDELIVERED = `
SELECT EXISTS (
  SELECT FROM action_dispatches
  WHERE cluster_id = $1 AND node = $2 AND transition = $3 AND completed_at IS NULL AND delivered_at IS NULL
    AND payload->>'operation' IS DISTINCT FROM 'notify'
) AS open`;

/** $1 cluster, $2 node, $3 action ids. */
const COMPLETE = `
UPDATE action_dispatches SET completed_at = clock_timestamp()
WHERE cluster_id = $1 AND node = $2 AND action_id = ANY ($3) AND completed_at IS NULL`;

/** The worker's word that the shutdown which the agent asked for is complete. */
interface ShutdownGrant {
  readonly kind: 'shutdown';
}

interface StampedRow {
  readonly graph_action_id: number;
  readonly payload: AgentAction | ShutdownGrant;
}

/** Who polls. */
export interface Recipient {
  readonly node: string;
  readonly incarnation: number;
  /**
   * Number of the poll within the incarnation. An agent has one poll at a time, and drops the answers of those that it gave up: what an earlier
   * one was answered with and this one does not name as known was never begun. Agents that do not count leave it out: then nothing is concluded.
   */
  readonly seq?: number;
}

/** What is delivered to a node. */
export interface Delivery {
  readonly actions: readonly AgentAction[];
  /** Its agent may leave. */
  readonly shutdown: boolean;
  /** The transition is aborting and there are actions of this node that no agent has begun: the worker can take them back. */
  readonly withdrawable: boolean;
}

/** The agents' side of the table `action_dispatches`: what is handed out to a node is delivered until its result has arrived. */
export class ActionDeliveries {
  constructor(private readonly pool: Pool) {}

  /** Whether rows wait for the node that its agent does not know; says nothing about whether they may be delivered. */
  async anyOpen(clusterId: string, node: string, known: readonly string[]): Promise<boolean> {
    const { rows } = await this.pool.query<{ open: boolean }>({
      name: 'systole-any-open-dispatch',
      text: ANY_OPEN,
      values: [clusterId, node, known],
    });
    return rows[0]?.open === true;
  }

  /**
   * Stamps and gives what the node has to do for a transition, as long as the stream is still at the version that was folded: nothing that made
   * the transition obsolete can have been recorded before the stamps are (S3). Of an aborting one only notifications are given: they change
   * nothing; what else was in an answer that got lost counts as undelivered again.
   *
   * @returns undefined when the stream has moved on: fold again
   */
  async deliver(
    clusterId: string,
    { node, incarnation, seq }: Recipient,
    known: readonly string[],
    current: { readonly transition: number; readonly version: number; readonly aborting?: boolean },
  ): Promise<Delivery | undefined> {
    const { transition, aborting = false } = current;
    return inTransaction(this.pool, async (client) => {
      if (!(await holdStreamAt(client, clusterId, current.version))) return undefined;
      const { rows } = await client.query<StampedRow>({
        name: 'systole-stamp-dispatches',
        text: STAMP,
        values: [clusterId, node, known, transition, incarnation, aborting, seq],
      });
      if (aborting && seq !== undefined) {
        await client.query({
          name: 'systole-take-back-dispatches',
          text: TAKE_BACK,
          values: [clusterId, node, known, transition, incarnation, seq],
        });
      }
      const payloads = [...rows].sort((a, b) => a.graph_action_id - b.graph_action_id).map(({ payload }) => payload);
      return {
        actions: payloads.filter((payload) => payload.kind !== 'shutdown'),
        shutdown: payloads.some((payload) => payload.kind === 'shutdown'),
        withdrawable: aborting && (await anyUndelivered(client, clusterId, node, transition)),
      };
    });
  }

  /** Marks actions that went to the node as answered, in the transaction of the result's event; those of other nodes stay open. */
  static async complete(client: ClientBase, clusterId: string, node: string, actionIds: readonly string[]): Promise<void> {
    await client.query({ name: 'systole-complete-dispatches', text: COMPLETE, values: [clusterId, node, actionIds] });
  }
}

async function anyUndelivered(client: ClientBase, clusterId: string, node: string, transition: number): Promise<boolean> {
  const { rows } = await client.query<{ open: boolean }>({
    name: 'systole-any-undelivered-dispatch',
    text: ANY_UNDELIVERED,
    values: [clusterId, node, transition],
  });
  return rows[0]?.open === true;
}
