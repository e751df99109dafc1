import { EventStore } from '@systole/event-store';
import type { AgentAction, ClusterEvent } from '@systole/cluster';
import type { ClusterCommands } from '@systole/control-plane';
import { postgresPorts } from '@systole/control-plane-postgres';
import { ClusterStates } from '@systole/read-models';
import type { ApiUnderTest } from './api-under-test.js';

/** What the worker does to clusters, done by hand: plan a transition, hand out an action, abort. On its own connections, as another process would. */
export class WorkerByHand {
  readonly states: ClusterStates;
  readonly commands: ClusterCommands;
  readonly store: EventStore<ClusterEvent>;

  constructor(private readonly under: ApiUnderTest) {
    const { pool } = under.database;
    this.store = new EventStore<ClusterEvent>(pool);
    this.states = new ClusterStates(this.store);
    this.commands = postgresPorts(pool, this.store, this.states, { by: 'test', report: { warn: () => undefined } }).commands();
  }

  /** Plans a transition of one action. @returns its number */
  async plan(clusterId: string): Promise<number> {
    const { version } = await this.states.load(clusterId);
    const result = await this.commands.execute(
      clusterId,
      {
        type: 'plan-transition',
        plan: {
          inputVersion: version,
          now: 1_800_000_000,
          schedulerVersion: 'test',
          digest: '0'.repeat(64),
          counts: { actions: 1, pseudo: 0, fencing: 0 },
          trigger: 'test',
          summary: ['monitor web on n1'],
        },
      },
      { actor: 'worker', correlationId: 'test' },
    );
    if (!result.ok) throw new Error(result.rejection.message);
    return (await this.states.load(clusterId)).lastTransitionNumber;
  }

  async abort(clusterId: string, number: number): Promise<void> {
    const result = await this.commands.execute(
      clusterId,
      { type: 'abort-transition', number, reason: 'test' },
      { actor: 'worker', correlationId: 'test' },
    );
    if (!result.ok) throw new Error(result.rejection.message);
  }

  /** Hands out a probe of `web`. */
  async handOut(clusterId: string, node: string, transition: number, graphActionId: number): Promise<AgentAction> {
    const action: AgentAction = {
      actionId: `${clusterId}:${transition}:${graphActionId}`,
      kind: 'operation',
      transitionKey: `${graphActionId}:${transition}:7:${clusterId}`,
      operation: 'monitor',
      intervalMs: 0,
      timeoutMs: 20_000,
      expectedRc: 7,
      resource: { id: 'web', historyId: 'web', class: 'ocf', provider: 'systole', type: 'Dummy' },
      parameters: {},
      meta: {},
    };
    await this.insert(clusterId, node, transition, graphActionId, action);
    return action;
  }

  /** Lets the node's agent leave. */
  async grantShutdown(clusterId: string, node: string, transition: number, graphActionId: number): Promise<void> {
    await this.insert(clusterId, node, transition, graphActionId, {
      actionId: `${clusterId}:${transition}:${graphActionId}`,
      kind: 'shutdown',
    });
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  private async insert(
    clusterId: string,
    node: string,
    transition: number,
    id: number,
    payload: { readonly actionId: string; readonly kind: string },
  ): Promise<void> {
    const { pool } = this.under.database;
    await pool.query(
      'INSERT INTO action_dispatches (cluster_id, action_id, transition, graph_action_id, node, payload) VALUES ($1, $2, $3, $4, $5, $6)',
      [clusterId, payload.actionId, transition, id, node, JSON.stringify(payload)],
    );
    await pool.query(`SELECT pg_notify('systole_dispatch', $1)`, [`${clusterId}/${node}`]);
  }
}
