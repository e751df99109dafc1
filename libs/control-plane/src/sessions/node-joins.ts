import {
  decide,
  epochOf,
  fenceReaction,
  leaseLossPolicy,
  loadThreshold,
  memberOf,
  shutdownEscalation,
  type ClusterEvent,
  type ClusterState,
  type JoinNode,
  type LeaseLossPolicy,
  type NoteRefusedJoin,
  type NoteUnconfigured,
} from '@systole/cluster';
import { PROTOCOL, type JoinAnswer, type JoinRequest } from '@systole/protocol';
import type { ExecuteOptions, ExecuteResult } from '../commands/command-results.js';
import type { Admission } from '../ports/admission.js';
import type { StateAtHead } from '../ports/cluster-log.js';
import type { HeadSeals } from '../ports/head-seals.js';
import type { Presence } from '../ports/node-leases.js';
import { ReportBudgetSpent } from '../ports/report-budgets.js';
import { databaseTime, type AgentPoll, type AgentPollParts } from './agent-poll.js';
import type { AgentReports } from './agent-reports.js';
import type { RareWarnings } from './rare-warnings.js';
import type { Answer, CallingNode } from './session.js';
import type { Silence, Silences } from './silences.js';
import type { UnheardJoins } from './unheard-joins.js';
import { standingToJoin, type Witnesses } from './witnesses.js';

export interface NodeJoinsParts extends AgentPollParts {
  readonly seals: HeadSeals;
  /** Whether a valid token is for a node of that name, which may join at any time then. None: nodes have no tokens. */
  readonly hasToken?: (clusterId: string, node: string) => Promise<boolean>;
  /** None: whoever may join is let in. */
  readonly admission?: Admission;
}

/** What is known of nodes besides the log, by what their agents have said. */
export interface KnownOfNodes {
  readonly polls: AgentPoll;
  readonly witnesses: Witnesses;
  readonly silences: Silences;
  readonly unheardJoins: UnheardJoins;
  readonly warnings: RareWarnings;
  readonly reports: AgentReports;
}

/** Lets agents in: a life of a node begins with its join. */
export class NodeJoins {
  constructor(
    private readonly parts: NodeJoinsParts,
    private readonly known: KnownOfNodes,
  ) {}

  /**
   * A new incarnation with a lease of its own, which ends the earlier one; the same one for a join that comes once more because its answer was lost.
   *
   * @throws {ReportBudgetSpent} the agent waits, and asks again
   * @throws {ServerOverloaded} likewise, or it asks another server
   */
  async join(agent: CallingNode, request: JoinRequest, correlationId: string): Promise<Answer<JoinAnswer>> {
    const { clusterId, node, tokenId } = agent;
    const { admission, settings } = this.parts;
    // Whoever was joined before may hold a lease that is to be saved, as after a restore: the log says so.
    if (request.lastIncarnation === undefined) admission?.admit();
    const { leaseMs } = settings;
    const { bootId, machineId, uptimeMs, watchdog = false } = request;
    // Read before anything else: a join that is carried out late does not answer what was called meanwhile.
    const rollCall = (await this.parts.leases.rollCall()).id;
    const presence: Presence = answersRollCalls(request.protocol) ? { type: 'answers', rollCall } : { type: 'renews' };
    const taken = await this.isNameOfAnother(agent, request.nodeId);
    const commandOn = (state: ClusterState, silence: Silence): JoinNode => {
      const told = followsServer(request.protocol) ? leaseLossPolicy(state, node, watchdog, databaseTime(this.parts)) : undefined;
      const isGuest = agent.inContainer === true ? { remote: true as const } : {};
      return { ...joinCommand(node, leaseMs, request, told, silence), ...(taken ? { nodeIdHasToken: true } : {}), ...isGuest };
    };
    const shownTo = await this.parts.log.loadHead(clusterId);
    const known = memberOf(shownTo.state, node);
    if (known === undefined) admission?.admitNew();
    else if (known.membership !== 'joined' || known.incarnation !== request.lastIncarnation) admission?.admit();
    const asked = commandOn(shownTo.state, this.known.silences.of(agent, shownTo.state));
    // Before anything of it is recorded, a false witness included.
    if (beginsLife(shownTo.state, asked)) {
      this.admitUnheard(agent, () => {
        this.known.unheardJoins.check(agent);
      });
    }
    const standing = standingToJoin(shownTo.state, asked);
    const heard = await this.known.witnesses.hear(agent, shownTo, request.witness, correlationId, standing);
    const before = await this.parts.log.load(clusterId);
    const silence = this.known.silences.of(agent, before);
    const command = commandOn(before, silence);
    const result = await this.joined(agent, command, correlationId, async ({ leases }, { events }) => {
      for (const { type, data } of events) {
        if (type === 'NodeJoined') await leases.grant({ clusterId, node, tokenId, incarnation: data.incarnation, leaseMs, presence });
      }
    });
    if (!result.ok) {
      if (result.rejection.code === 'node-joined-elsewhere') {
        const { silentMs } = silence;
        const machine = {
          bootId,
          ...(machineId === undefined ? {} : { machineId }),
          ...(uptimeMs === undefined ? {} : { uptimeMs }),
          ...(silentMs === undefined ? {} : { silentMs }),
        };
        await this.noteRefused(agent, { type: 'note-refused-join', node, ...machine }, correlationId);
      }
      if (result.rejection.code === 'node-not-found' && (await this.isOfEarlierEpoch(agent, request))) {
        const { active } = request;
        const told = { ...(machineId === undefined ? {} : { machineId }), ...(active === undefined ? {} : { active }) };
        await this.noteRefused(agent, { type: 'note-unconfigured', node, bootId, ...told }, correlationId);
      }
      return result;
    }
    if (heard.type === 'false') await this.known.witnesses.noteFalse(agent, heard.shown, correlationId);
    const at = await this.parts.log.loadHead(clusterId);
    const joined = result.events.find((event) => event.type === 'NodeJoined');
    if (joined !== undefined) {
      const { incarnation, nodeId, onLeaseLoss } = joined.data;
      if (onLeaseLoss !== undefined) this.known.polls.joined(agent, incarnation, onLeaseLoss, at.head);
      return { ok: true, answer: this.joinAnswer(agent, at, { incarnation, nodeId, leaseMs, rollCall, onLeaseLoss }) };
    }
    const member = memberOf(at.state, node);
    if (member === undefined) throw new Error('a join made no NodeJoined');
    const { incarnation, id: nodeId } = member;
    const again = await this.known.polls.joinedBefore(agent, at, incarnation, watchdog, correlationId);
    return again.ok ? { ok: true, answer: this.joinAnswer(agent, at, { incarnation, nodeId, ...again.answer }) } : again;
  }

  /** Whether who asks was let in before the log went back: a token alone, of a node that never was, holds nobody up. */
  private async isOfEarlierEpoch({ clusterId }: CallingNode, { witness }: JoinRequest): Promise<boolean> {
    if (witness === undefined || this.parts.seals.judge(clusterId, witness) !== 'right') return false;
    const { epoch } = (await this.parts.log.loadHead(clusterId)).state;
    return epoch?.earlier.includes(witness.epoch) === true;
  }

  /** @throws {ReportBudgetSpent} nothing was recorded */
  private async joined(
    agent: CallingNode,
    command: JoinNode,
    correlationId: string,
    within: NonNullable<ExecuteOptions['within']>,
  ): Promise<ExecuteResult> {
    let takeBack: (() => void) | undefined;
    const admit = (events: readonly ClusterEvent[]): void => {
      // Another attempt, after a conflict, is the same join.
      if (events.some(isJoin)) takeBack ??= this.admitUnheard(agent, () => this.known.unheardJoins.count(agent));
    };
    try {
      const result = await this.known.reports.recorded(agent, 'joins', command, correlationId, within, admit);
      if (!result.ok || !result.events.some(isJoin)) takeBack?.();
      return result;
    } catch (error) {
      // What became of it where the database failed nobody knows: a database that comes back must not find its nodes refused.
      takeBack?.();
      throw error;
    }
  }

  /** @throws {ReportBudgetSpent} */
  private admitUnheard<T>(agent: CallingNode, admit: () => T): T {
    try {
      return admit();
    } catch (error) {
      this.known.warnings.warn(agent, 'a node joins again and again, and never polls: it is let in once a minute only', {});
      throw error;
    }
  }

  /** An id that an agent wants, and that another agent may come to join under as its name. */
  private async isNameOfAnother({ clusterId, node }: CallingNode, nodeId: string | undefined): Promise<boolean> {
    if (nodeId === undefined || nodeId === node) return false;
    return (await this.parts.hasToken?.(clusterId, nodeId)) ?? false;
  }

  private joinAnswer(
    { clusterId, node }: CallingNode,
    { state, head }: StateAtHead,
    session: Pick<JoinAnswer, 'incarnation' | 'nodeId' | 'leaseMs' | 'rollCall'> & { readonly onLeaseLoss: LeaseLossPolicy | undefined },
  ): JoinAnswer {
    const { onLeaseLoss, ...rest } = session;
    return {
      protocol: PROTOCOL,
      clusterId,
      clusterName: state.name,
      node,
      ...rest,
      pollMs: this.parts.settings.pollMs,
      epoch: epochOf(state, clusterId),
      head: this.parts.seals.sealed(clusterId, head),
      ...(onLeaseLoss === undefined ? {} : { onLeaseLoss }),
      ...(fenceReaction(state) === 'panic' ? { fenceReaction: 'panic' } : {}),
      ...shutdownEscalation(state),
      ...loadThreshold(state),
    };
  }

  /** Recorded as long as the budget lets it; the refusal is answered all the same. */
  private async noteRefused(agent: CallingNode, command: NoteRefusedJoin | NoteUnconfigured, correlationId: string): Promise<void> {
    try {
      await this.known.reports.recorded(agent, 'refused-joins', command, correlationId);
    } catch (error) {
      if (!(error instanceof ReportBudgetSpent)) throw error;
    }
  }
}

function joinCommand(node: string, leaseMs: number, request: JoinRequest, told: LeaseLossPolicy | undefined, silence: Silence): JoinNode {
  const { agentVersion, nodeId, bootId, machineId, attempt, active, lastIncarnation, stopFailed, localOnLeaseLoss } = request;
  const { actionLimit, uptimeMs, bootIncarnation, unmanaged, watchdogMs, remote } = request;
  return {
    type: 'join-node',
    node,
    agentVersion,
    leaseMs,
    bootId,
    ...silence,
    ...(uptimeMs === undefined ? {} : { uptimeMs }),
    ...(bootIncarnation === undefined ? {} : { bootIncarnation }),
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(machineId === undefined ? {} : { machineId }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(active === undefined ? {} : { active }),
    ...(unmanaged === undefined ? {} : { unmanaged }),
    ...(lastIncarnation === undefined ? {} : { lastIncarnation }),
    ...(stopFailed === undefined ? {} : { stopFailed }),
    ...(actionLimit === undefined ? {} : { actionLimit }),
    ...(localOnLeaseLoss === undefined ? {} : { localOnLeaseLoss }),
    ...(watchdogMs === undefined ? {} : { watchdogMs }),
    ...(speaks(request.protocol, 7) ? { debugOperations: true as const } : {}),
    ...(told === undefined ? {} : { onLeaseLoss: told }),
    ...(remote === true ? { remote } : {}),
  };
}

function isJoin({ type }: ClusterEvent): boolean {
  return type === 'NodeJoined';
}

/** Whether a join begins another life, as far as it can be told now. */
function beginsLife(state: ClusterState, command: JoinNode): boolean {
  const decision = decide(command, state);
  return decision.ok && decision.events.some(isJoin);
}

function answersRollCalls(protocol: JoinRequest['protocol']): boolean {
  return speaks(protocol, 5);
}

/** Agents of protocol 1.0 do what they are set to when they lose their lease: they stop their resources. */
function followsServer(protocol: JoinRequest['protocol']): boolean {
  return speaks(protocol, 1);
}

/** Whether an agent speaks 1.`minor` or a later version. */
function speaks(protocol: JoinRequest['protocol'], minor: number): boolean {
  return protocol !== undefined && (protocol.major > 1 || protocol.minor >= minor);
}
