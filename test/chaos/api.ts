import {
  checkIncarnation,
  decide,
  renewedUntil,
  resultFrom,
  type AgentAction,
  type ClusterCommand,
  type ReportedResult,
} from '@systole/cluster';
import type { Database } from './database.js';
import type { Timeline } from './timeline.js';

export interface JoinAnswer {
  readonly type: 'joined';
  readonly incarnation: number;
  readonly leaseMs: number;
}
export type PollAnswer =
  { readonly type: 'actions'; readonly actions: readonly AgentAction[]; readonly leaseMs: number } | { readonly type: 'superseded' };
export type ResultsAnswer = { readonly type: 'acknowledged'; readonly ids: readonly string[] } | { readonly type: 'refused' };

/** The agents' side of the api, as apps/api does it: stateless, on the database. Every call is one transaction. */
export class Api {
  constructor(
    private readonly database: Database,
    private readonly timeline: Timeline,
    private readonly leaseMs: number,
  ) {}

  /** Executes a command as an api process would: on a conflict it decides again, which in one process can't be needed. */
  execute(command: ClusterCommand, actor: string): boolean {
    const decision = decide(command, this.database.state);
    return decision.ok && this.database.append(this.database.state.version, decision.events, actor);
  }

  join(node: string): JoinAnswer {
    this.execute({ type: 'join-node', node, agentVersion: 'chaos', leaseMs: this.leaseMs }, node);
    const incarnation = this.database.state.nodes[node]?.incarnation ?? 0;
    this.database.leases.set(node, { incarnation, expiresAt: renewedUntil(this.timeline.now, this.leaseMs) });
    return { type: 'joined', incarnation, leaseMs: this.leaseMs };
  }

  poll(node: string, incarnation: number, known: readonly string[]): PollAnswer {
    const { state, leases } = this.database;
    if (checkIncarnation(state, node, incarnation) !== undefined) return { type: 'superseded' };
    const lease = leases.get(node);
    leases.set(node, { incarnation, expiresAt: renewedUntil(this.timeline.now, this.leaseMs, lease?.expiresAt) });
    const { transition } = state;
    if (transition === undefined) return { type: 'actions', actions: [], leaseMs: this.leaseMs };
    const rows = this.database.dispatchesOf(transition.number).filter((row) => {
      if (row.node !== node || known.includes(row.actionId)) return false;
      if (transition.status === 'aborting' && row.action.operation !== 'notify') return false;
      if (resultFrom(transition, row.graphActionId, row.node) !== undefined && row.action.kind !== 'fence') return false;
      return row.deliveredTo === undefined || row.deliveredTo === incarnation;
    });
    for (const row of rows) row.deliveredTo ??= incarnation;
    return { type: 'actions', actions: rows.map((row) => row.action), leaseMs: this.leaseMs };
  }

  results(node: string, incarnation: number, results: readonly ReportedResult[]): ResultsAnswer {
    const stored = this.execute({ type: 'record-results', node, incarnation, results }, node);
    return stored ? { type: 'acknowledged', ids: results.map(({ resultId }) => resultId) } : { type: 'refused' };
  }
}
