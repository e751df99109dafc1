import { outlasting, type AgentAction } from '@systole/cluster';
import type { Delivery, DueDeliveries, NewDispatch } from '@systole/control-plane';
import type { QueryConfig, QueryResult } from 'pg';

/** Whether an action goes on in an aborting transition. $n: {@link whatGoesOn}. @param n the parameter's number */
export function outlastsAbort(n: number): string {
  return `payload @> ANY ($${String(n)}::jsonb[])`;
}

/** What payloads contain that go on in an aborting transition, JSON. @param probing whether it goes on with its probes */
export function whatGoesOn(probing: boolean): readonly string[] {
  return outlasting(probing).map((contained) => JSON.stringify(contained));
}

/**
 * $1 cluster, $2 transition, $3 nodes, $4 incarnations, $5 the numbers of their polls or NULL: those at one place belong together; $6 nodes and $7 the ids of what their
 * agents know, $8 whether it is aborting, $9 what goes on then. A poll that is still held open while a later one was answered leaves the later one's stamp: its own answer goes nowhere.
 * What went to another life of the node is that one's: a machine that was copied would do it again.
 */
const STAMP = `
UPDATE action_dispatches AS due SET delivered_at = coalesce(due.delivered_at, clock_timestamp()), delivered_to = poll.incarnation, delivered_seq = poll.seq
FROM unnest($3::text[], $4::integer[], $5::bigint[]) AS poll (node, incarnation, seq)
WHERE due.cluster_id = $1 AND due.transition = $2 AND due.node = poll.node AND due.completed_at IS NULL
  AND (due.node, due.action_id) NOT IN (SELECT known.node, known.action_id FROM unnest($6::text[], $7::text[]) AS known (node, action_id))
  AND (NOT $8::boolean OR ${outlastsAbort(9)})
  AND (due.delivered_to IS NULL OR due.delivered_to = poll.incarnation)
  AND (due.delivered_seq > poll.seq) IS NOT TRUE
RETURNING due.node, due.graph_action_id, due.payload`;

/** $1 to $7 and $9 as in STAMP, $8 the versions that the polls show, or NULL. Whoever does not number its polls takes nothing back. */
const TAKE_BACK = `
UPDATE action_dispatches AS due SET delivered_at = NULL, delivered_to = NULL, delivered_seq = NULL, restored_at = NULL
FROM unnest($3::text[], $4::integer[], $5::bigint[], $8::bigint[]) AS poll (node, incarnation, seq, shown)
WHERE due.cluster_id = $1 AND due.transition = $2 AND due.node = poll.node AND due.completed_at IS NULL AND poll.seq IS NOT NULL
  AND (due.node, due.action_id) NOT IN (SELECT known.node, known.action_id FROM unnest($6::text[], $7::text[]) AS known (node, action_id))
  AND (delivered_to <> poll.incarnation OR delivered_to = poll.incarnation AND delivered_seq < poll.seq OR restored_at <= poll.shown)
  AND NOT ${outlastsAbort(9)}`;

/** $1 cluster, $2 transition, $3 nodes, $4 what goes on in the transition. Of those for which something is left that no agent has seen. */
const UNDELIVERED = `
SELECT DISTINCT node
FROM action_dispatches
WHERE cluster_id = $1 AND transition = $2 AND node = ANY ($3) AND completed_at IS NULL AND delivered_at IS NULL
  AND NOT ${outlastsAbort(4)}`;

interface Stamped {
  readonly node: string;
  readonly graph_action_id: number;
  readonly payload: NewDispatch['action'];
}

/** What has to be asked, in one transaction that holds the stream, to deliver what is due. */
export function deliveryQueries(
  clusterId: string,
  { transition, aborting, probing = false, waiting }: DueDeliveries,
): readonly QueryConfig[] {
  const goesOn = whatGoesOn(probing);
  // In one order everywhere: two processes that lock the same rows must not wait for each other.
  const polls = waiting.map(({ to }) => to).sort((a, b) => (a.node < b.node ? -1 : 1));
  const nodes = polls.map(({ node }) => node);
  const known = waiting.flatMap(({ to, known: ids }) => ids.map((id) => ({ node: to.node, id })));
  const of = [
    clusterId,
    transition,
    nodes,
    polls.map(({ incarnation }) => incarnation),
    polls.map(({ seq }) => seq ?? null),
    known.map(({ node }) => node),
    known.map(({ id }) => id),
  ];
  const stamp: QueryConfig = { name: 'systole-stamp-dispatches', text: STAMP, values: [...of, aborting, goesOn] };
  if (!aborting) return [stamp];
  const shown = polls.map((poll) => poll.shown ?? null);
  return [
    stamp,
    { name: 'systole-take-back-dispatches', text: TAKE_BACK, values: [...of, shown, goesOn] },
    { name: 'systole-undelivered-of', text: UNDELIVERED, values: [clusterId, transition, nodes, goesOn] },
  ];
}

/** What came of it. @param results of {@link deliveryQueries}, in their order */
export function deliveriesOf({ waiting }: DueDeliveries, results: readonly QueryResult[]): readonly Delivery[] {
  const [stamped, , undelivered] = results;
  const given = new Map<string, Stamped[]>();
  for (const row of (stamped?.rows ?? []) as readonly Stamped[]) {
    const ofNode = given.get(row.node) ?? [];
    given.set(row.node, ofNode);
    ofNode.push(row);
  }
  const withdrawable = new Set(((undelivered?.rows ?? []) as readonly Pick<Stamped, 'node'>[]).map(({ node }) => node));
  return waiting.map(({ to: { node } }) => {
    const payloads = (given.get(node) ?? []).sort((a, b) => a.graph_action_id - b.graph_action_id).map(({ payload }) => payload);
    return {
      actions: payloads.filter((payload): payload is AgentAction => payload.kind !== 'shutdown'),
      shutdown: payloads.some(({ kind }) => kind === 'shutdown'),
      withdrawable: withdrawable.has(node),
    };
  });
}
