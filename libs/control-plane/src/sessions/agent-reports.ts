import { disturbanceBy, type ClusterCommand, type ClusterEvent, type ClusterState } from '@systole/cluster';
import type { CommandsOf } from '../commands/cluster-commands.js';
import type { ExecuteOptions, ExecuteResult } from '../commands/command-results.js';
import { CarriedOutLate } from '../commands/request-age.js';
import { SerialByKey } from '../commands/serial-by-key.js';
import { OutcomeUnknown } from '../ports/cluster-log.js';
import { ReportBudgetSpent, type ReportBudgets, type ReportKind, type ReportSize } from '../ports/report-budgets.js';
import type { AgentPollParts } from './agent-poll.js';
import type { CallingNode } from './session.js';

export interface AgentReportsParts extends Pick<AgentPollParts, 'commands'> {
  /** None: nodes may report as much as they like. */
  readonly budgets?: ReportBudgets;
}

/** What agents say is recorded: one thing of a node after the other, as far as its budgets go. */
export class AgentReports {
  private readonly turns = new SerialByKey();

  constructor(private readonly parts: AgentReportsParts) {}

  /** What a report comes to is what it leaves in the log: nothing, when it was told before. An outcome that nobody knows counts in full. */
  async withinBudget(
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

  /**
   * For what is either refused or known by what it comes to: counted as it is appended, so that nothing is held back by what comes to nothing, however much of it
   * is under way.
   *
   * @throws {ReportBudgetSpent} nothing was recorded
   */
  async recorded(
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
  async say(
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
  execute(
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

/** How much is reported: what is looked at, whatever it comes to. */
export function sizeOf(reported: readonly object[]): ReportSize {
  return { events: reported.length, bytes: bytesOf(reported) };
}

function bytesOf(things: readonly object[]): number {
  return JSON.stringify(things).length;
}

/** What a node answers. */
export interface AskedOf extends Pick<ExecuteOptions, 'received'> {
  readonly actionIds: readonly string[];
  /** Which of them were asked of it. Perhaps some more, that were answered before. */
  readonly handedOut: () => Promise<ReadonlySet<string>>;
}

const NOBODY: ReadonlySet<string> = new Set();
export const NOTHING_ASKED: AskedOf = { actionIds: [], handedOut: () => Promise.resolve(NOBODY) };

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

export const NOTHING: ReportSize = { events: 0, bytes: 0 };
