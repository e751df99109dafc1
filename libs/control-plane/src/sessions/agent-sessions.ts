import {
  checkIncarnation,
  doubtfulResults,
  droppedResults,
  type ClusterCommand,
  type ClusterState,
  type DroppedResult,
  type ReportedResult,
} from '@systole/cluster';
import type {
  AgentToolAnswer,
  AgentToolRequest,
  AttributeChange,
  JoinAnswer,
  JoinRequest,
  LeaveRequest,
  PollAnswer,
  PollRequest,
  ResultsAnswer,
} from '@systole/protocol';
import { toolCommand } from '../tools/tool-command.js';
import { toolReason } from '../tools/tool-reason.js';
import type { ExecuteResult } from '../commands/command-results.js';
import type { Chance } from '../ports/clock.js';
import type { ClusterLog, StateAtHead } from '../ports/cluster-log.js';
import type { Dispatches } from '../ports/dispatches.js';
import type { Presence } from '../ports/node-leases.js';
import type { Report } from '../ports/report.js';
import type { AgentWrites } from '../ports/agent-writes.js';
import type { ReportSize } from '../ports/report-budgets.js';
import type { Ending } from '../time/wakeable.js';
import { AgentPoll, databaseTime } from './agent-poll.js';
import { AgentReports, NOTHING, NOTHING_ASKED, sizeOf, type AgentReportsParts, type AskedOf } from './agent-reports.js';
import { LostDeliveries } from './lost-deliveries.js';
import { NodeJoins, type NodeJoinsParts } from './node-joins.js';
import { recentMs, type Answer, type CallingNode } from './session.js';
import { RareWarnings } from './rare-warnings.js';
import { Silences } from './silences.js';
import { UnheardJoins } from './unheard-joins.js';
import { standingToPoll, Witnesses } from './witnesses.js';
import { WriteOrder, type AskedToWrite, type Received } from './write-order.js';

export interface AgentSessionsParts extends NodeJoinsParts, AgentReportsParts {
  readonly log: NodeJoinsParts['log'] & Pick<ClusterLog, 'hashAt'>;
  readonly dispatches: NodeJoinsParts['dispatches'] & Pick<Dispatches, 'handedOut' | 'handedOutAt' | 'delivered'>;
  readonly chance: Chance;
  readonly writes: AgentWrites;
  readonly report: Pick<Report, 'warn'>;
}

/** What agents say and ask. Cluster and node are those of the caller; `correlationId` ties together what follows from one request. */
export class AgentSessions {
  private readonly polls: AgentPoll;
  private readonly witnesses: Witnesses;
  private readonly silences: Silences;
  private readonly lostDeliveries: LostDeliveries;
  private readonly unheardJoins: UnheardJoins;
  private readonly order: WriteOrder;
  private readonly reports: AgentReports;
  private readonly joins: NodeJoins;

  constructor(private readonly parts: AgentSessionsParts) {
    this.polls = new AgentPoll(parts);
    this.witnesses = new Witnesses(parts);
    this.silences = new Silences(parts.clock);
    this.lostDeliveries = new LostDeliveries(parts);
    this.unheardJoins = new UnheardJoins(parts.clock);
    this.order = new WriteOrder(parts);
    this.reports = new AgentReports(parts);
    const { polls, witnesses, silences, unheardJoins, reports } = this;
    this.joins = new NodeJoins(parts, { polls, witnesses, silences, unheardJoins, reports, warnings: new RareWarnings(parts) });
  }

  /** See {@link NodeJoins.join}. */
  join(agent: CallingNode, request: JoinRequest, correlationId: string): Promise<Answer<JoinAnswer>> {
    return this.joins.join(agent, request, correlationId);
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
    const result = await this.reports.withinBudget(agent, 'results', results, () =>
      this.reports.say(agent, 'results', correlationId, { type: 'record-results', madeOf }, asked),
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
    return this.reports.withinBudget(agent, 'attributes', commands, () =>
      this.order.keep(agent, asked, received, (within) =>
        this.reports.say(agent, 'attributes', correlationId, commands, NOTHING_ASKED, within),
      ),
    );
  }

  /** Asks that the node's resources be stopped or moved. */
  async shutdown(agent: CallingNode, incarnation: number, correlationId: string): Promise<Answer<undefined>> {
    return doneIf(await this.reports.execute(agent, correlationId, [{ type: 'request-shutdown', node: agent.node, incarnation }]));
  }

  /** Gives the lease back, after the resources were stopped. */
  async leave(agent: CallingNode, { incarnation, active }: LeaveRequest, correlationId: string): Promise<Answer<undefined>> {
    const { clusterId, node } = agent;
    return doneIf(
      await this.reports.execute(
        agent,
        correlationId,
        [{ type: 'leave-node', node, incarnation, ...(active === undefined ? {} : { active }) }],
        {
          within: ({ leases }) => leases.end(clusterId, node, incarnation),
        },
      ),
    );
  }
}

function withoutWitness({ witness: _, ...request }: PollRequest): PollRequest {
  return request;
}

const UNPROVEN: Presence = { type: 'unproven' };

/** Agents show a roll call from the first answer on; who shows none is of a version that knows of none. */
function presenceShown({ rollCall }: PollRequest): Presence {
  return rollCall === undefined ? { type: 'renews' } : { type: 'answers', rollCall };
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

const UNKNOWN: ReadonlyMap<string, number> = new Map();
const ONE_ROW: ReportSize = { events: 1, bytes: 0 };
const DONE: Answer<undefined> = { ok: true, answer: undefined };

function doneIf(result: ExecuteResult): Answer<undefined> {
  return result.ok ? DONE : result;
}
