import { parameterDigest } from '@systole/cib';
import type { ClusterCommand, ReportedResult } from '@systole/cluster';
import { WorkerByHand } from './worker-by-hand.js';
import type { ApiUnderTest } from './api-under-test.js';

/** Nodes and what runs on them, as their agents would have reported it. */
export class RunningCluster {
  readonly #worker: WorkerByHand;
  #results = 0;

  constructor(
    under: ApiUnderTest,
    private readonly clusterId: string,
  ) {
    this.#worker = new WorkerByHand(under);
  }

  /** Lets nodes join, with quorum. */
  async join(...nodes: readonly string[]): Promise<void> {
    for (const node of nodes) await this.#execute({ type: 'join-node', node, agentVersion: '1', leaseMs: 600_000 });
    await this.#execute({ type: 'change-quorum', quorate: true, votes: nodes.length, expectedVotes: nodes.length });
  }

  /** @param rc of the operation, 0 when left out @param expectedRc what it was ordered for, 0 when left out */
  async operation(node: string, resource: string, operation: string, { rc = 0, intervalMs = 0, expectedRc = 0 } = {}): Promise<void> {
    this.#results += 1;
    const result: ReportedResult = {
      resultId: `r${String(this.#results)}`,
      actionId: `a${String(this.#results)}`,
      transitionKey: `${String(this.#results)}:1:${String(expectedRc)}:${this.clusterId}`,
      resource: { id: resource, historyId: resource, class: 'ocf', provider: 'systole', type: 'Dummy' },
      operation,
      intervalMs,
      status: 'done',
      rc,
      callId: this.#results,
      startedAt: Math.floor(Date.now() / 1_000),
      execMs: 1,
      queueMs: 0,
      recurring: intervalMs > 0,
      digests: { opDigest: parameterDigest(new Map()) },
    };
    await this.#execute({ type: 'record-results', node, incarnation: 1, results: [result], handedOut: new Set([result.resultId]) });
  }

  /** Says that nothing of these runs on a node. */
  async probed(node: string, ...resources: readonly string[]): Promise<void> {
    for (const resource of resources) await this.operation(node, resource, 'monitor', { rc: 7 });
  }

  async close(): Promise<void> {
    await this.#worker.close();
  }

  async #execute(command: ClusterCommand): Promise<void> {
    const result = await this.#worker.commands.execute(this.clusterId, command, { actor: 'test', correlationId: 'test' });
    if (!result.ok) throw new Error(result.rejection.message);
  }
}
