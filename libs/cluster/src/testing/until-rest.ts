import { readCib } from '@systole/cib';
import { schedule, type GraphAction } from '@systole/scheduler';
import type { ClusterCommand } from '../commands/cluster-command.js';
import { toAgentAction, type ActionContext, type AgentAction } from '../engine/agent-action.js';
import { createEngine, describe, type Engine } from '../engine/engine.js';
import type { EngineEffect, EngineInput } from '../engine/engine-types.js';
import { plannedMigrations } from '../lease/unanswered-migrations.js';
import { connectionAnswer, connectionTimedOut } from '../remote/connection.js';
import type { KnownTraits } from '../engine/known-traits.js';
import { engineLimits } from '../engine/limits.js';
import { memberOf, type ClusterState } from '../state/cluster-state.js';
import { EPOCH, execute } from './stream.js';

/** How an agent answers: a return code, of what was carried out. */
export type Answering = (asked: AgentAction, node: string) => number;

export interface Rest {
  readonly state: ClusterState;
  /** What was handed to agents, done by the server, and refused, in order: `start of db on n1`. */
  readonly happened: readonly string[];
  /** What was handed to agents, as they get it. */
  readonly asked: readonly AgentAction[];
}

export interface RestOptions {
  /** Default: resources are installed, and do what is asked; a probe finds nothing. */
  readonly answering?: Answering;
  /** What is known of agents; default: nothing. */
  readonly traits?: KnownTraits;
  /** Epoch seconds, of all plans. */
  readonly now?: number;
}

const obediently: Answering = ({ expectedRc }) => expectedRc;

const MOST_PLANS = 20;

/**
 * Plans and carries out until a plan does nothing, or nothing asks for another one, as a worker and its agents do, each action at once.
 *
 * @throws {Error} when it does not come to rest
 */
export function untilRest(before: ClusterState, options: RestOptions = {}): Rest {
  const run = new Run(before, options);
  for (let plans = 0; plans < MOST_PLANS; plans++)
    if (!run.plan() || run.state.recompute === undefined) return { state: run.state, happened: run.happened, asked: run.asked };
  throw new Error(`no rest after ${String(MOST_PLANS)} plans:\n${run.happened.join('\n')}`);
}

class Run {
  readonly happened: string[] = [];
  readonly asked: AgentAction[] = [];
  private readonly now: number;
  private calls: number;

  constructor(
    public state: ClusterState,
    private readonly options: RestOptions,
  ) {
    this.now = options.now ?? EPOCH / 1000;
    // Later ones go on counting.
    this.calls = state.version;
  }

  /** @returns whether anything was done */
  plan(): boolean {
    const before = this.happened.length;
    const { graph, actions } = schedule(readCib(this.state.cib), { now: this.now, scores: false });
    const counts = { actions: actions.length, pseudo: 0, fencing: 0 };
    const told = { inputVersion: this.state.version, now: this.now, schedulerVersion: 't', digest: 'd', counts, trigger: 't', summary: [] };
    const { recheckBy } = graph;
    const migrations = plannedMigrations(graph);
    const plan = { ...told, ...(recheckBy === undefined ? {} : { recheckBy }), ...(migrations.length === 0 ? {} : { migrations }) };
    this.state = execute(this.state, { type: 'plan-transition', plan });
    if (this.state.transition === undefined) return false;
    const { number } = this.state.transition;
    const engine = createEngine(graph, engineLimits(graph, this.state));
    const effects = [...engine.step({ type: 'start', now: 0 })];
    for (let effect = effects.shift(); effect !== undefined; effect = effects.shift()) {
      const answer = this.obey(effect, number);
      if (answer !== undefined) effects.push(...engine.step(answer), ...this.newsOf(engine));
    }
    return this.happened.length > before;
  }

  private newsOf(engine: Engine): readonly EngineEffect[] {
    const { transition } = this.state;
    return transition?.status === 'aborting' && engine.status === 'running'
      ? engine.step({ type: 'abort', reason: transition.abortReason ?? '', now: 0 })
      : [];
  }

  private obey(effect: EngineEffect, number: number): EngineInput | undefined {
    switch (effect.type) {
      case 'dispatch':
        return this.answer(effect.action, effect.node, number);
      case 'perform':
        this.happened.push(describe(effect.action));
        return this.perform(effect, number);
      case 'aborted':
        if (this.state.transition?.status === 'running') this.do({ type: 'abort-transition', number, reason: effect.reason });
        return undefined;
      case 'finished': {
        const { outcome, completed, skipped, failed } = effect;
        this.do({ type: 'complete-transition', result: { number, outcome, completed, skipped, failed } });
        return undefined;
      }
      case 'record-timeout':
        throw new Error(`${describe(effect.action)} was not answered`);
    }
  }

  private answer(action: GraphAction, node: string, number: number): EngineInput {
    this.happened.push(describe(action));
    const asked = toAgentAction(action, this.context(number));
    this.asked.push(asked);
    const { answering = obediently } = this.options;
    const rc = answering(asked, node);
    this.calls += 1;
    const { actionId, transitionKey, resource, operation, intervalMs, digests } = asked;
    this.do({
      type: 'record-results',
      node,
      incarnation: memberOf(this.state, node)?.incarnation ?? 0,
      results: [
        {
          ...{ resultId: `r${String(number)}-${String(this.calls)}`, actionId, transitionKey, resource, operation, intervalMs },
          ...{ status: 'done', rc, callId: this.calls, startedAt: this.now, execMs: 1, queueMs: 0, recurring: false },
          ...(digests === undefined ? {} : { digests }),
        },
      ],
    });
    return { type: 'result', graphActionId: action.id, status: 'done', rc, now: 0 };
  }

  private perform({ action, event }: Extract<EngineEffect, { readonly type: 'perform' }>, transition: number): EngineInput {
    const graphAction = { transition, id: action.id };
    switch (event.type) {
      case 'clear-failcount':
        this.do({ ...event, type: 'clear-failures', graphAction });
        break;
      case 'lrm-delete':
        this.do({ ...event, type: 'delete-history', graphAction });
        break;
      case 'shutdown':
        this.do({ type: 'leave-node', node: event.node, incarnation: memberOf(this.state, event.node)?.incarnation ?? 0 });
        break;
      case 'connection': {
        const answer = connectionAnswer(this.state, action, () => false) ?? connectionTimedOut(action);
        this.do({
          type: 'record-connections',
          actions: [{ ...this.unanswered(action, action.node?.name ?? '', transition), ...answer, at: this.now }],
        });
        return { type: 'result', graphActionId: action.id, status: answer.status, rc: answer.rc, now: 0 };
      }
      case 'fence':
        throw new Error(`${event.target} is to be fenced:\n${this.happened.join('\n')}`);
    }
    return { type: 'performed', graphActionId: action.id, ok: true, now: 0 };
  }

  private unanswered(action: GraphAction, node: string, number: number) {
    const { actionId, transitionKey, resource, operation, intervalMs, digests } = toAgentAction(action, this.context(number));
    const asked = { actionId, node, transitionKey, resource, operation, intervalMs, execMs: 0 };
    return digests === undefined ? asked : { ...asked, digests };
  }

  private context(transition: number): ActionContext {
    const { traits } = this.options;
    return { epoch: 'c', transition, cib: this.state.cib, now: this.now, ...(traits === undefined ? {} : { traits }) };
  }

  private do(command: ClusterCommand): void {
    this.state = execute(this.state, command);
  }
}
