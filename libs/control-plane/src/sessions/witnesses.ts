import { epochChanged, judgeWitness, type LogHead, type Rejection } from '@systole/cluster';
import type { ClusterCommands } from '../commands/cluster-commands.js';
import type { Chance, Clock } from '../ports/clock.js';
import type { ClusterLog, StateAtHead } from '../ports/cluster-log.js';
import type { Report } from '../ports/report.js';
import type { CallingNode } from './session.js';

/** One node is believed so often, ms: whoever holds its token must not keep a cluster from starting anything by telling tales again and again. */
const BELIEVED_EVERY_MS = 60_000;

export interface WitnessesParts {
  readonly log: Pick<ClusterLog, 'hashAt'>;
  readonly commands: ClusterCommands;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly chance: Chance;
  readonly report: Pick<Report, 'warn'>;
}

/** What agents were told of the log, held against the log that is there: so it is found that a database lacks what had been acknowledged. */
export class Witnesses {
  /** When a node's witness last began an epoch, monotonic ms. */
  private readonly believed = new Map<string, number>();

  constructor(private readonly parts: WitnessesParts) {}

  /**
   * Judges what an agent shows; when the log does not have it, a new epoch begins.
   *
   * @param at the log as it is now, loaded after the agent's message came
   * @param shown undefined: the agent was told nothing yet, or is of a version that keeps none
   * @returns why the agent has to join anew; undefined when it may go on. A join itself goes on in any case: it is what is asked for
   */
  async hear(
    agent: CallingNode,
    { state, head }: StateAtHead,
    shown: LogHead | undefined,
    correlationId: string,
  ): Promise<Rejection | undefined> {
    if (shown === undefined) return undefined;
    const { clusterId } = agent;
    if (state.existence !== 'active' || isSame(shown, head)) return undefined;
    switch (judgeWitness(state, clusterId, shown, await this.parts.log.hashAt(clusterId, shown.version))) {
      case 'contained':
        return undefined;
      case 'contradicted':
        await this.begin(agent, shown, head, correlationId);
        return epochChanged(state);
      case 'earlier-epoch':
        return epochChanged(state);
    }
  }

  private async begin({ clusterId, node, actor }: CallingNode, witness: LogHead, head: LogHead, correlationId: string): Promise<void> {
    const { commands, clock, chance, report } = this.parts;
    const name = `${clusterId} ${node}`;
    const last = this.believed.get(name);
    if (last !== undefined && clock.monotonic() - last < BELIEVED_EVERY_MS) {
      report.warn({ clusterId, node, witness }, 'a node shows once more what the event log does not hold; it has to join anew');
      return;
    }
    const where = `version ${String(witness.version)}, which the event log (at ${String(head.version)}) does not hold`;
    report.warn({ clusterId, node, witness, head }, 'the event log went back in time; all nodes have to join anew');
    const result = await commands.execute(
      clusterId,
      { type: 'begin-epoch', clusterId, epoch: chance.uuid(), reason: `${node} was told of ${where}`, witness, by: node },
      { actor, correlationId, within: ({ leases }) => leases.endAll(clusterId) },
    );
    if (result.ok && result.events.length > 0) this.believed.set(name, clock.monotonic());
  }
}

function isSame(one: LogHead, other: LogHead): boolean {
  return one.epoch === other.epoch && one.version === other.version && one.hash === other.hash;
}
