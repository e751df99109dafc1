import {
  epochChanged,
  judgeWitness,
  memberOf,
  tellingsOf,
  waitAfter,
  type ClusterState,
  type LogHead,
  type Rejection,
} from '@systole/cluster';
import type { ClusterCommands } from '../commands/cluster-commands.js';
import type { Chance, Clock } from '../ports/clock.js';
import type { ClusterLog, StateAtHead } from '../ports/cluster-log.js';
import type { Report } from '../ports/report.js';
import type { CallingNode } from './session.js';

export interface WitnessesParts {
  readonly log: Pick<ClusterLog, 'hashAt'>;
  readonly commands: ClusterCommands;
  readonly clock: Pick<Clock, 'monotonic' | 'timeOfDay'>;
  readonly chance: Chance;
  readonly report: Pick<Report, 'warn'>;
}

/** What agents were told of the log, held against the log that is there: so it is found that a database lacks what had been acknowledged. */
export class Witnesses {
  /** When this process first saw how often a node's word had begun an epoch, monotonic ms. */
  private readonly seen = new Map<string, { readonly times: number; readonly at: number }>();

  constructor(private readonly parts: WitnessesParts) {}

  /**
   * Judges what an agent shows; when the log does not have it, a new epoch begins.
   *
   * @param at the log as it is now, loaded after the agent's message came
   * @param shown undefined: the agent was told nothing yet, or is of a version that keeps none
   * @param incarnation of the agent; undefined when it joins. One that the log knows to be over is no witness: what asks is not the node's agent
   * @returns why the agent has to join anew; undefined when it may go on. A join itself goes on in any case: it is what is asked for
   */
  async hear(
    agent: CallingNode,
    { state, head }: StateAtHead,
    shown: LogHead | undefined,
    correlationId: string,
    incarnation?: number,
  ): Promise<Rejection | undefined> {
    if (shown === undefined) return undefined;
    const { clusterId } = agent;
    if (state.existence !== 'active' || isSame(shown, head)) return undefined;
    switch (judgeWitness(state, clusterId, shown, await this.parts.log.hashAt(clusterId, shown.version))) {
      case 'contained':
        return undefined;
      case 'contradicted':
        if (incarnation !== undefined && incarnation < (memberOf(state, agent.node)?.incarnation ?? 0)) return undefined;
        await this.begin(agent, shown, { state, head }, correlationId);
        return epochChanged(state);
      case 'earlier-epoch':
        return epochChanged(state);
    }
  }

  private async begin(agent: CallingNode, witness: LogHead, { state, head }: StateAtHead, correlationId: string): Promise<void> {
    const { commands, chance, report } = this.parts;
    const { clusterId, node, actor } = agent;
    if (this.isTold(agent, state)) {
      report.warn({ clusterId, node, witness }, 'a node shows once more what the event log does not hold; it has to join anew');
      return;
    }
    const where = `version ${String(witness.version)}, which the event log (at ${String(head.version)}) does not hold`;
    report.warn({ clusterId, node, witness, head }, 'the event log went back in time; all nodes have to join anew');
    const reason = `${node} was told of ${where}`;
    const told = tellingsOf(state, node)?.times ?? 0;
    await commands.execute(
      clusterId,
      { type: 'begin-epoch', clusterId, epoch: chance.uuid(), reason, witness, by: node, told },
      { actor, correlationId, within: ({ leases }) => leases.endAll(clusterId) },
    );
  }

  /**
   * Whether the node's word began an epoch so lately that it begins none now. The log knows when it did; by this process's own clock the time is over, too, whatever the
   * time of day says.
   */
  private isTold({ clusterId, node }: CallingNode, state: ClusterState): boolean {
    const tellings = tellingsOf(state, node);
    if (tellings === undefined) return false;
    const { clock } = this.parts;
    const name = `${clusterId} ${node}`;
    const known = this.seen.get(name);
    const seen = known?.times === tellings.times ? known : { times: tellings.times, at: clock.monotonic() };
    this.seen.set(name, seen);
    return Math.max(clock.monotonic() - seen.at, clock.timeOfDay() - Date.parse(tellings.at)) < waitAfter(tellings);
  }
}

function isSame(one: LogHead, other: LogHead): boolean {
  return one.epoch === other.epoch && one.version === other.version && one.hash === other.hash;
}
