import {
  fenceReaction,
  loadThreshold,
  shutdownEscalation,
  checkIncarnation,
  decide,
  disturbanceBy,
  doubtfulResults,
  droppedResults,
  epochOf,
  leaseLossPolicy,
  memberOf,
  type ClusterCommand,
  type ClusterEvent,
  type ClusterState,
  type DroppedResult,
  type JoinNode,
  type LeaseLossPolicy,
  type NoteRefusedJoin,
  type NoteUnconfigured,
  type ReportedResult,
} from '@systole/cluster';
import {
  PROTOCOL,
  type AgentToolAnswer,
  type AgentToolRequest,
  type AttributeChange,
  type JoinAnswer,
  type JoinRequest,
  type LeaveRequest,
  type PollAnswer,
  type PollRequest,
  type ResultsAnswer,
} from '@systole/protocol';
import type { CommandsOf } from '../commands/cluster-commands.js';
import { toolCommand } from '../tools/tool-command.js';
import { toolReason } from '../tools/tool-reason.js';
import { SerialByKey } from '../commands/serial-by-key.js';
import type { ExecuteOptions, ExecuteResult } from '../commands/command-results.js';
import { CarriedOutLate } from '../commands/request-age.js';
import type { Chance } from '../ports/clock.js';
import { OutcomeUnknown, type ClusterLog, type StateAtHead } from '../ports/cluster-log.js';
import type { Dispatches } from '../ports/dispatches.js';
import type { HeadSeals } from '../ports/head-seals.js';
import type { Presence } from '../ports/node-leases.js';
import type { Report } from '../ports/report.js';
import type { Admission } from '../ports/admission.js';
import type { AgentWrites } from '../ports/agent-writes.js';
import { ReportBudgetSpent, type ReportBudgets, type ReportKind, type ReportSize } from '../ports/report-budgets.js';
import type { Ending } from '../time/wakeable.js';
import { AgentPoll, databaseTime, type AgentPollParts } from './agent-poll.js';
import { LostDeliveries } from './lost-deliveries.js';
import { recentMs, type Answer, type CallingNode } from './session.js';
import { RareWarnings } from './rare-warnings.js';
import { Silences, type Silence } from './silences.js';
import { UnheardJoins } from './unheard-joins.js';
import { standingToJoin, standingToPoll, Witnesses } from './witnesses.js';
import { WriteOrder, type AskedToWrite, type Received } from './write-order.js';

export interface AgentSessionsParts extends AgentPollParts {
  readonly log: AgentPollParts['log'] & Pick<ClusterLog, 'hashAt'>;
  readonly dispatches: AgentPollParts['dispatches'] & Pick<Dispatches, 'handedOut' | 'handedOutAt' | 'delivered'>;
  readonly chance: Chance;
  readonly seals: HeadSeals;
  readonly writes: AgentWrites;
  readonly report: Pick<Report, 'warn'>;
  /** Whether a valid token is for a node of that name, which may join at any time then. None: nodes have no tokens. */
  readonly hasToken?: (clusterId: string, node: string) => Promise<boolean>;
  /** None: nodes may report as much as they like. */
  readonly budgets?: ReportBudgets;
  /** None: whoever may join is let in. */
  readonly admission?: Admission;
}

/** What agents say and ask. Cluster and node are those of the caller; `correlationId` ties together what follows from one request. */
export class AgentSessions {
  private readonly polls: AgentPoll;
  private readonly witnesses: Witnesses;
  private readonly silences: Silences;
  private readonly lostDeliveries: LostDeliveries;
  private readonly unheardJoins: UnheardJoins;
  private readonly warnings: RareWarnings;
  private readonly order: WriteOrder;
  private readonly turns = new SerialByKey();

  constructor(private readonly parts: AgentSessionsParts) {
    this.polls = new AgentPoll(parts);
    this.witnesses = new Witnesses(parts);
    this.silences = new Silences(parts.clock);
    this.lostDeliveries = new LostDeliveries(parts);
    this.unheardJoins = new UnheardJoins(parts.clock);
    this.warnings = new RareWarnings(parts);
    this.order = new WriteOrder(parts);
  }

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
    const asked = commandOn(shownTo.state, this.silences.of(agent, shownTo.state));
    // Before anything of it is recorded, a false witness included.
    if (beginsLife(shownTo.state, asked)) {
      this.admitUnheard(agent, () => {
        this.unheardJoins.check(agent);
      });
    }
    const standing = standingToJoin(shownTo.state, asked);
    const heard = await this.witnesses.hear(agent, shownTo, request.witness, correlationId, standing);
    const before = await this.parts.log.load(clusterId);
    const silence = this.silences.of(agent, before);
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
    if (heard.type === 'false') await this.witnesses.noteFalse(agent, heard.shown, correlationId);
    const at = await this.parts.log.loadHead(clusterId);
    const joined = result.events.find((event) => event.type === 'NodeJoined');
    if (joined !== undefined) {
      const { incarnation, nodeId, onLeaseLoss } = joined.data;
      if (onLeaseLoss !== undefined) this.polls.joined(agent, incarnation, onLeaseLoss, at.head);
      return { ok: true, answer: this.joinAnswer(agent, at, { incarnation, nodeId, leaseMs, rollCall, onLeaseLoss }) };
    }
    const member = memberOf(at.state, node);
    if (member === undefined) throw new Error('a join made no NodeJoined');
    const { incarnation, id: nodeId } = member;
    const again = await this.polls.joinedBefore(agent, at, incarnation, watchdog, correlationId);
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
      if (events.some(isJoin)) takeBack ??= this.admitUnheard(agent, () => this.unheardJoins.count(agent));
    };
    try {
      const result = await this.recorded(agent, 'joins', command, correlationId, within, admit);
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
      this.warnings.warn(agent, 'a node joins again and again, and never polls: it is let in once a minute only', {});
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

  /** See {@link AgentPoll.poll}. */
  async poll(agent: CallingNode, request: PollRequest, ending: readonly Ending[], correlationId: string): Promise<Answer<PollAnswer>> {
    const receivedAt = databaseTime(this.parts);
    this.parts.admission?.polled();
    const at = await this.readForPoll(agent, request);
    const standing = standingToPoll(at.state, agent.node, request.incarnation);
    const heard = await this.witnesses.hear(agent, at, request.witness, correlationId, standing);
    if (heard.type === 'changed') return { ok: false, rejection: heard.rejection };
    if (heard.type === 'false') await this.witnesses.noteFalse(agent, heard.shown, correlationId);
    const recorded = await this.witnesses.hear(agent, at, request.recorded, correlationId, standing);
    if (recorded.type === 'changed') return { ok: false, rejection: recorded.rejection };
    const shown = standing === 'believed' ? await this.lostDeliveries.shownBy(agent, at.state, request) : undefined;
    if (shown?.type === 'lost') return { ok: false, rejection: shown.rejection };
    this.silences.heard(agent, at.state, request.incarnation);
    if (standing === 'believed') this.unheardJoins.heard(agent);
    const presence = shown?.type === 'given' ? presenceShown(request) : UNPROVEN;
    return this.polls.poll(
      agent,
      { ...at, presence, receivedAt },
      heard.type === 'false' ? withoutWitness(request) : request,
      ending,
      correlationId,
    );
  }

  /**
   * What was read lately will do where the agent was told of nothing newer: its answer could as well have waited on its way. What is refused is refused by what the log holds
   * now; and who was told nothing yet, or of what was not read here yet, is answered by no less than that: it would be told again what is over.
   */
  private async readForPoll({ clusterId, node }: CallingNode, { incarnation, witness }: PollRequest): Promise<StateAtHead> {
    const recent = await this.parts.log.loadRecent(clusterId, recentMs(this.parts.settings));
    const { state, head } = recent;
    const isKnown = witness !== undefined && witness.epoch === head.epoch && witness.version <= head.version;
    return isKnown && checkIncarnation(state, node, incarnation) === undefined ? recent : this.parts.log.loadHead(clusterId);
  }

  /**
   * Facts: recorded whatever their age, but not by a server that stood still with the request: what it brings may have been told by others since, and be forgotten again. The agent sends what was not acknowledged.
   *
   * @returns the ids of all of them; those that are not stored are named, too
   * @throws {ReportBudgetSpent} the agent keeps them, and reports them later
   * @throws {CarriedOutLate} likewise
   */
  async results(
    agent: CallingNode,
    { incarnation, results }: { readonly incarnation: number; readonly results: readonly ReportedResult[] },
    correlationId: string,
  ): Promise<Answer<ResultsAnswer>> {
    const { clusterId, node } = agent;
    const at = databaseTime(this.parts);
    const received = { at: this.parts.clock.monotonic(), databaseAt: at };
    let dropped: readonly DroppedResult[] = [];
    const ageless = results.filter(({ endedAgoMs }) => endedAgoMs === undefined).map(({ actionId }) => actionId);
    const answered = results.filter(({ recurring }) => !recurring).map(({ actionId }) => actionId);
    const madeOf = async (judged: ClusterState): Promise<readonly ClusterCommand[]> => {
      const doubtful = doubtfulResults(judged, node, results).map(({ actionId }) => actionId);
      const handedOut = doubtful.length === 0 ? {} : { handedOut: await this.parts.dispatches.handedOut(clusterId, node, doubtful) };
      // Asked again of the state that another attempt is judged on.
      dropped = droppedResults({ node, results, ...handedOut }, judged);
      // A bound of a date: what the database does not say of it keeps nothing from being recorded, which is tried next, and told where it fails.
      const handedOutAt =
        ageless.length === 0 ? UNKNOWN : await this.parts.dispatches.handedOutAt(clusterId, node, ageless).catch(() => UNKNOWN);
      return [{ type: 'record-results', node, incarnation, results, ...handedOut, received: { at, handedOutAt } }];
    };
    const asked: AskedOf = {
      received,
      actionIds: answered,
      handedOut: () => this.parts.dispatches.handedOut(clusterId, node, answered),
    };
    const result = await this.withinBudget(agent, 'results', results, () =>
      this.say(agent, 'results', correlationId, { type: 'record-results', madeOf }, asked),
    );
    if (!result.ok) return result;
    const acknowledged = results.map(({ resultId }) => resultId);
    this.parts.figures?.resultsTaken({ acknowledged: acknowledged.length, dropped: dropped.map(({ reason }) => reason) });
    const named = dropped.map(({ resultId, reason }) => ({ resultId, reason }));
    // Without it the agent, until its next poll is answered, could not tell that a restored log lacks them: it does not send them again.
    const { head } = await this.parts.log.loadHead(clusterId);
    const stored = { head: this.parts.seals.sealed(clusterId, head) };
    return { ok: true, answer: { acknowledged, ...(named.length === 0 ? {} : { dropped: named }), ...stored } };
  }

  /**
   * Sets and clears node attributes, all or none; of several changes of one attribute only the last leaves a trace.
   *
   * @param received when the request came in, before its sender was known
   * @throws {ReportBudgetSpent}
   */
  async attributes(
    agent: CallingNode,
    asked: AskedToWrite & { readonly changes: readonly AttributeChange[] },
    correlationId: string,
    received = this.order.received(),
  ): Promise<Answer<undefined>> {
    const { incarnation, changes } = asked;
    const refused = checkIncarnation(await this.parts.log.load(agent.clusterId), agent.node, incarnation);
    if (refused !== undefined) return { ok: false, rejection: refused.rejection };
    const commands = lastOfEach(changes).map(({ name, value, add, delay, lifetime, node = agent.node }): ClusterCommand => {
      const dampened = delay === undefined ? {} : { delay };
      const of = { node, name, lifetime, agent: agent.node, ...dampened, ...(node === agent.node ? { incarnation } : {}) };
      if (add !== undefined) return { type: 'set-node-attribute', ...of, value: value ?? '', add };
      return value === null ? { type: 'clear-node-attribute', ...of } : { type: 'set-node-attribute', ...of, value };
    });
    if (commands.length === 0) return this.raised(agent, asked);
    const settle = this.parts.budgets?.open(agent, 'unchanged-attributes', sizeOf(commands));
    let unchanged = NOTHING;
    try {
      const result = await this.written(agent, asked, received, commands, correlationId);
      // What was refused was looked at like what changes nothing.
      if (!result.ok || result.events.length === 0) unchanged = sizeOf(commands);
      else unchanged = { events: Math.max(0, commands.length - result.events.length), bytes: 0 };
      return doneIf(result);
    } finally {
      settle?.(unchanged);
    }
  }

  /** That something was given up. It writes a row with each number, so that it counts like what changes nothing. @throws {ReportBudgetSpent} */
  private async raised(agent: CallingNode, asked: AskedToWrite): Promise<Answer<undefined>> {
    this.parts.budgets?.open(agent, 'unchanged-attributes', ONE_ROW);
    return (await this.order.raise(agent, asked)) ?? DONE;
  }

  /**
   * What a tool on the node has written, as far as the cluster lets that node (`systole-agent-writes`).
   *
   * @param received when the request came in, before its sender was known
   * @throws {ReportBudgetSpent}
   */
  async tool(
    agent: CallingNode,
    asked: AgentToolRequest,
    correlationId: string,
    received = this.order.received(),
  ): Promise<Answer<AgentToolAnswer>> {
    const { incarnation, request } = asked;
    const now = Math.floor(databaseTime(this.parts) / 1_000);
    const command = toolCommand(request, { now, uuid: () => this.parts.chance.uuid(), reason: toolReason(asked, agent.node) });
    const commands: ClusterCommand[] = [{ type: 'ask-for-agent', node: agent.node, incarnation, command }];
    const settle = this.parts.budgets?.open(agent, 'unchanged-attributes', sizeOf(commands));
    let unchanged = NOTHING;
    try {
      const result = await this.written(agent, asked, received, commands, correlationId);
      // What was refused was looked at like what changes nothing.
      if (!result.ok || result.events.length === 0) unchanged = sizeOf(commands);
      return result.ok ? { ok: true, answer: { changed: result.events.length > 0 } } : result;
    } finally {
      settle?.(unchanged);
    }
  }

  /** @throws {ReportBudgetSpent} */
  private written(
    agent: CallingNode,
    asked: AskedToWrite,
    received: Received,
    commands: readonly ClusterCommand[],
    correlationId: string,
  ): Promise<ExecuteResult> {
    return this.withinBudget(agent, 'attributes', commands, () =>
      this.order.keep(agent, asked, received, (within) => this.say(agent, 'attributes', correlationId, commands, NOTHING_ASKED, within)),
    );
  }

  /** Asks that the node's resources be stopped or moved. */
  async shutdown(agent: CallingNode, incarnation: number, correlationId: string): Promise<Answer<undefined>> {
    return doneIf(await this.execute(agent, correlationId, [{ type: 'request-shutdown', node: agent.node, incarnation }]));
  }

  /** Gives the lease back, after the resources were stopped. */
  async leave(agent: CallingNode, { incarnation, active }: LeaveRequest, correlationId: string): Promise<Answer<undefined>> {
    const { clusterId, node } = agent;
    return doneIf(
      await this.execute(agent, correlationId, [{ type: 'leave-node', node, incarnation, ...(active === undefined ? {} : { active }) }], {
        within: ({ leases }) => leases.end(clusterId, node, incarnation),
      }),
    );
  }

  /** What a report comes to is what it leaves in the log: nothing, when it was told before. An outcome that nobody knows counts in full. */
  private async withinBudget(
    agent: CallingNode,
    kind: ReportKind,
    reported: readonly object[],
    execute: () => Promise<ExecuteResult>,
  ): Promise<ExecuteResult> {
    const { budgets } = this.parts;
    if (budgets === undefined) return execute();
    const settle = budgets.open(agent, kind, sizeOf(reported));
    const result = await execute().catch((error: unknown) => {
      if (error instanceof ReportBudgetSpent || error instanceof CarriedOutLate) settle(NOTHING);
      throw error;
    });
    const events = result.ok ? result.events : [];
    settle({ events: events.length, bytes: events.length === 0 ? 0 : bytesOf(events) });
    return result;
  }

  /** Recorded as long as the budget lets it; the refusal is answered all the same. */
  private async noteRefused(agent: CallingNode, command: NoteRefusedJoin | NoteUnconfigured, correlationId: string): Promise<void> {
    try {
      await this.recorded(agent, 'refused-joins', command, correlationId);
    } catch (error) {
      if (!(error instanceof ReportBudgetSpent)) throw error;
    }
  }

  /**
   * For what is either refused or known by what it comes to: counted as it is appended, so that nothing is held back by what comes to nothing, however much of it
   * is under way.
   *
   * @throws {ReportBudgetSpent} nothing was recorded
   */
  private async recorded(
    agent: CallingNode,
    kind: ReportKind,
    command: ClusterCommand,
    correlationId: string,
    within?: ExecuteOptions['within'],
    admit?: (events: readonly ClusterEvent[]) => void,
  ): Promise<ExecuteResult> {
    let settle: ReturnType<ReportBudgets['open']> | undefined;
    const opening: ExecuteOptions['within'] = async (tables, appended, judged) => {
      const { events } = appended;
      // Another attempt, after a conflict, is the same report.
      settle ??= this.parts.budgets?.open(agent, kind, { events: events.length, bytes: bytesOf(events) });
      await within?.(tables, appended, judged);
    };
    const result = await this.say(agent, kind, correlationId, [command], NOTHING_ASKED, opening, admit);
    if (!result.ok || result.events.length === 0) settle?.(NOTHING);
    return result;
  }

  /**
   * What an agent says of its own accord, or in answer: counted as a disturbance, once, as it is appended, if it is one. One that is known to be too much is refused
   * before it costs a transaction.
   *
   * @throws {ReportBudgetSpent} nothing was recorded
   */
  private async say(
    agent: CallingNode,
    kind: ReportKind,
    correlationId: string,
    commands: CommandsOf,
    asked: AskedOf = NOTHING_ASKED,
    within?: ExecuteOptions['within'],
    admit?: (events: readonly ClusterEvent[]) => void,
  ): Promise<ExecuteResult> {
    const { budgets } = this.parts;
    let takeBack: (() => void) | undefined;
    let notConfigured: (() => void) | undefined;
    const notCounted = (): void => {
      takeBack?.();
      notConfigured?.();
    };
    const result = await this.execute(agent, correlationId, commands, {
      admit: async (events, judged) => {
        admit?.(events);
        if (kind === 'attributes' && events.some(configures)) notConfigured ??= budgets?.configure(agent);
        if (budgets === undefined || takeBack !== undefined || budgets.calmIn(agent, kind) === 0 || !disturbs(judged, events, NOBODY))
          return;
        if (disturbs(judged, events, await asked.handedOut())) takeBack = budgets.disturb(agent, kind);
      },
      answers: {
        node: agent.node,
        actionIds: asked.actionIds,
        told: (first, events, judged) => {
          if (budgets !== undefined && disturbs(judged, events, first)) takeBack ??= budgets.disturb(agent, kind);
        },
      },
      ...(within === undefined ? {} : { within }),
      ...(asked.received === undefined ? {} : { received: asked.received }),
    }).catch((error: unknown) => {
      // An outcome that nobody knows counts.
      if (!(error instanceof OutcomeUnknown)) notCounted();
      throw error;
    });
    if (!result.ok || result.events.length === 0) notCounted();
    return result;
  }

  /** One thing of a node after the other: however much it says, each other node's turn comes after one of its own. */
  private execute(
    { clusterId, node, actor }: CallingNode,
    correlationId: string,
    commands: CommandsOf,
    options: Pick<ExecuteOptions, 'admit' | 'answers' | 'within' | 'received'> = {},
  ): Promise<ExecuteResult> {
    return this.turns.run(`${clusterId} ${node}`, () =>
      this.parts.commands.executeAll(clusterId, commands, { actor, correlationId, carriesCorrelation: true, ...options }),
    );
  }
}

function withoutWitness({ witness: _, ...request }: PollRequest): PollRequest {
  return request;
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

const UNPROVEN: Presence = { type: 'unproven' };

/** Agents show a roll call from the first answer on; who shows none is of a version that knows of none. */
function presenceShown({ rollCall }: PollRequest): Presence {
  return rollCall === undefined ? { type: 'renews' } : { type: 'answers', rollCall };
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

/** What a later change makes as if it had never been said is left out; what says more than a value, or goes by the one before, is not. */
function lastOfEach(changes: readonly AttributeChange[]): readonly AttributeChange[] {
  const keyOf = ({ node, name, lifetime }: AttributeChange): string => JSON.stringify([node, name, lifetime]);
  const overwritten = new Set<string>();
  const kept = changes.toReversed().filter((change) => {
    const key = keyOf(change);
    const isPlain = change.add === undefined && change.delay === undefined;
    if (isPlain && overwritten.has(key)) return false;
    if (isPlain) overwritten.add(key);
    else overwritten.delete(key);
    return true;
  });
  return kept.toReversed();
}

function sizeOf(reported: readonly object[]): ReportSize {
  return { events: reported.length, bytes: bytesOf(reported) };
}

function bytesOf(things: readonly object[]): number {
  return JSON.stringify(things).length;
}

/** What a node answers. */
interface AskedOf extends Pick<ExecuteOptions, 'received'> {
  readonly actionIds: readonly string[];
  /** Which of them were asked of it. Perhaps some more, that were answered before. */
  readonly handedOut: () => Promise<ReadonlySet<string>>;
}

const NOBODY: ReadonlySet<string> = new Set();
const UNKNOWN: ReadonlyMap<string, number> = new Map();
const NOTHING_ASKED: AskedOf = { actionIds: [], handedOut: () => Promise.resolve(NOBODY) };

/** @param asked ids of actions whose first answer is none of the node's own accord */
function disturbs(state: ClusterState, events: readonly ClusterEvent[], asked: ReadonlySet<string>): boolean {
  const unanswered = new Set(asked);
  return events.some((event) => disturbanceBy(state, event, (actionId) => unanswered.delete(actionId)) !== undefined);
}

/** Whether an event changes the configuration, so that what an operator has read of it is old. */
function configures(event: ClusterEvent): boolean {
  if (event.type === 'NodeAttributeSet' || event.type === 'NodeAttributeCleared') return event.data.lifetime === 'forever';
  return event.type === 'ConfigurationChanged';
}

const NOTHING: ReportSize = { events: 0, bytes: 0 };
const ONE_ROW: ReportSize = { events: 1, bytes: 0 };
const DONE: Answer<undefined> = { ok: true, answer: undefined };

function doneIf(result: ExecuteResult): Answer<undefined> {
  return result.ok ? DONE : result;
}
