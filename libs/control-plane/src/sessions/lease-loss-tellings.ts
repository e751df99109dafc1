import { leaseLossTelling, memberOf, type ClusterState, type LeaseLossPolicy, type LeaseLossTelling, type LogHead } from '@systole/cluster';
import type { Clock } from '../ports/clock.js';
import { LingeringMap } from '../time/lingering-map.js';
import type { CallingNode } from './session.js';

/** What this process answers an agent with, since when. */
interface Told {
  readonly incarnation: number;
  readonly policy: LeaseLossPolicy;
  readonly epoch: string;
  /** Whoever was told of this version, or a later one, was told the policy. */
  readonly since: number;
  /** Version of the newest answer. */
  readonly last: number;
}

/**
 * Remembers what each agent was told of what to do when it loses its lease, to know from the witness that it shows next what it has received. Only this process's
 * own answers count: after a restart, or a long silence of the agent, they are simply given again.
 */
export class LeaseLossTellings {
  private readonly told: LingeringMap<Told>;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.told = new LingeringMap(clock);
  }

  /**
   * @param shown what the agent shows of the log with the poll that is to be answered
   * @param now epoch ms, for rules
   * @returns undefined for an agent that follows no server
   */
  next(
    { clusterId, node }: CallingNode,
    state: ClusterState,
    agent: {
      readonly incarnation: number;
      readonly watchdog: boolean;
      readonly shown: LogHead | undefined;
      readonly follows?: LeaseLossPolicy;
    },
    now: number,
  ): LeaseLossTelling | undefined {
    if (memberOf(state, node)?.onLeaseLoss === undefined) return undefined;
    const told = this.told.get(nameOf(clusterId, node));
    const { shown, watchdog, follows } = agent;
    const received =
      told?.incarnation === agent.incarnation && shown !== undefined && shown.epoch === told.epoch && shown.version >= told.since;
    return leaseLossTelling(
      state,
      node,
      { watchdog, ...(follows === undefined ? {} : { follows }), ...(received ? { acknowledged: told.policy } : {}) },
      now,
    );
  }

  /** An answer with this policy and head is about to be given. */
  answered({ clusterId, node }: CallingNode, incarnation: number, policy: LeaseLossPolicy, head: LogHead): void {
    const name = nameOf(clusterId, node);
    const before = this.told.get(name);
    const goesOn = before?.incarnation === incarnation && before.epoch === head.epoch && before.policy === policy;
    // An earlier answer of the same version, or a later one, may have said something else: then only a version after it proves this one.
    const last = before?.epoch === head.epoch ? Math.max(before.last, head.version) : head.version;
    const since = goesOn ? before.since : before?.epoch === head.epoch && before.last >= head.version ? before.last + 1 : head.version;
    this.told.set(name, { incarnation, policy, epoch: head.epoch, since, last });
  }
}

function nameOf(clusterId: string, node: string): string {
  return `${clusterId} ${node}`;
}
