import { randomUUID } from 'node:crypto';
import { executeOperation, fence, OCF, processStat, type AgentHost, type AgentOperation, type OperationOutcome } from '@systole/ocf';
import type { Logger } from 'pino';
import type { Journal } from '../journal/journal.js';
import type { AgentAction, AgentResult } from '@systole/protocol';
import { Lanes } from './lanes.js';
import { RecurringSchedule, type Recurrence, type RecurringKey } from './recurring.js';
import { resultOf } from './result.js';

export interface ExecutorOptions {
  readonly host: AgentHost;
  readonly journal: Journal;
  readonly logger: Logger;
  /** Operations at once. */
  readonly actionLimit: number;
  /** Something was written to the journal that the server should hear of. */
  readonly onResult: () => void;
  /** The journal can't be written: the agent can't go on safely. */
  readonly onFatal: (error: unknown) => void;
}

/** A change of a resource's state ends its recurring operations; the server orders new ones for the new state. */
const ENDS_RECURRING = new Set(['start', 'stop', 'promote', 'demote', 'migrate_to', 'migrate_from', 'delete']);
/** A fencing and the cancellation of a monitor must not wait for slow resources. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
const DEFAULT_TIMEOUT_MS = 20_000;

/** Environment variable in which every process that is started for an action carries the action's id. */
export const ACTION_MARK = 'SYSTOLE_ACTION_ID';

/**
 * Executes the server's actions: each at most once, those of one resource one after the other, those of different resources side by side. Every
 * execution is journaled before its process starts and after it ends.
 */
export class Executor {
  private readonly lanes: Lanes;
  private readonly fencing = new Lanes(UNLIMITED);
  private readonly recurring = new RecurringSchedule();
  /** Accepted, and its first result not yet in the journal. */
  private readonly accepted = new Set<string>();
  /** Delayed first runs. */
  private readonly delayed = new Set<NodeJS.Timeout>();
  /** Fence devices that were started since the agent joined. */
  private readonly startedDevices = new Set<string>();
  private readonly running = new Map<AbortController, AgentAction>();
  private callId = 0;
  private incarnation = 0;

  constructor(private readonly options: ExecutorOptions) {
    this.lanes = new Lanes(options.actionLimit);
  }

  /** This node's present life; results are reported in its name. */
  begin(incarnation: number): void {
    this.incarnation = incarnation;
  }

  /** Takes an action on, unless it has been taken on before. */
  accept(action: AgentAction): void {
    const { journal } = this.options;
    const { actionId } = action;
    if (this.accepted.has(actionId) || journal.state.inFlight.has(actionId) || journal.state.executed.has(actionId)) return;
    this.accepted.add(actionId);
    switch (action.kind) {
      case 'operation':
        this.acceptOperation(action);
        return;
      case 'fence':
        this.enqueue(this.fencing, `fence ${actionId}`, action, () => this.fenceNode(action));
        return;
      case 'cancel':
        this.cancelRecurring(action);
        return;
    }
  }

  /** Ids of the actions whose results the server does not have yet. */
  known(): string[] {
    const { unacknowledged } = this.options.journal.state;
    return [...new Set([...this.accepted, ...[...unacknowledged.values()].map(({ result }) => result.actionId)])];
  }

  /** Drops what has not begun and ends all recurring operations: the agent joins anew, or leaves. */
  forgetPlans(): void {
    this.recurring.cancelAll();
    this.lanes.clear();
    this.fencing.clear();
    for (const timer of this.delayed) clearTimeout(timer);
    this.delayed.clear();
    const begun = new Set([...this.running.values()].map((action) => action.actionId));
    for (const id of [...this.accepted]) if (!begun.has(id)) this.accepted.delete(id);
    this.startedDevices.clear();
  }

  /** Kills what is running, except stops: they do what has to be done anyway. */
  abortAllButStops(): void {
    for (const [controller, action] of this.running) if (action.operation !== 'stop' || action.kind !== 'operation') controller.abort();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    await Promise.all([this.lanes.idle(), this.fencing.idle()]);
  }

  /** Resolves when no operation of the resource runs. */
  idleOf(historyId: string): Promise<void> {
    return this.lanes.idleOf(historyId);
  }

  private acceptOperation(action: AgentAction): void {
    const { historyId } = action.resource;
    if (ENDS_RECURRING.has(action.operation)) this.recurring.cancelResource(historyId);
    const recurrence = action.intervalMs > 0 ? this.recurring.take(keyOf(action)) : undefined;
    const enqueue = (): void => {
      this.enqueue(
        this.lanes,
        historyId,
        action,
        () =>
          recurrence?.isCurrent() === false
            ? Promise.resolve(immediate('cancelled', OCF.ERR_GENERIC, 'cancelled before its first run'))
            : this.runOperation(action),
        (first) => {
          if (recurrence !== undefined) this.repeat(action, first, recurrence);
        },
      );
    };
    const delayMs = action.startDelayMs ?? 0;
    if (delayMs === 0) {
      enqueue();
      return;
    }
    const timer = setTimeout(() => {
      this.delayed.delete(timer);
      enqueue();
    }, delayMs);
    this.delayed.add(timer);
  }

  /** Puts the (first) execution of an action into its lane. */
  private enqueue(
    lanes: Lanes,
    lane: string,
    action: AgentAction,
    run: () => Promise<OperationOutcome>,
    then: (result: AgentResult) => void = () => undefined,
  ): void {
    const acceptedAt = performance.now();
    const { incarnation } = this;
    lanes.add(lane, async () => {
      try {
        const queueMs = Math.round(performance.now() - acceptedAt);
        await this.options.journal.append({ kind: 'intent', action, incarnation });
        const outcome = await run();
        const result = this.report(action, outcome, { queueMs, recurring: false });
        await this.options.journal.append({ kind: 'result', result, incarnation });
        this.accepted.delete(action.actionId);
        this.options.onResult();
        then(result);
      } catch (error) {
        this.options.onFatal(error);
      }
    });
  }

  /** The later runs of a recurring operation. They are reported when the result differs from the last reported one. */
  private repeat(action: AgentAction, first: AgentResult, recurrence: Recurrence): void {
    let last = first;
    const { incarnation } = this;
    recurrence.repeat(
      () =>
        new Promise<void>((over) => {
          const enqueuedAt = performance.now();
          this.lanes.add(action.resource.historyId, async () => {
            try {
              if (!recurrence.isCurrent()) return;
              const queueMs = Math.round(performance.now() - enqueuedAt);
              const outcome = await this.runOperation(action);
              if (!recurrence.isCurrent() || outcome.status === 'cancelled') return;
              if (outcome.status === last.status && outcome.rc === last.rc) return;
              last = this.report(action, outcome, { queueMs, recurring: true });
              await this.options.journal.append({ kind: 'result', result: last, incarnation });
              this.options.onResult();
            } catch (error) {
              this.options.onFatal(error);
            } finally {
              over();
            }
          });
        }),
    );
  }

  /** A run that is under way ends by itself, but is not reported any more; the cancellation is done when it has ended. */
  private cancelRecurring(action: AgentAction): void {
    const { historyId } = action.resource;
    this.recurring.cancel(keyOf(action));
    this.enqueue(this.lanes, historyId, action, () => Promise.resolve(immediate('done', OCF.SUCCESS)));
  }

  private async runOperation(action: AgentAction): Promise<OperationOutcome> {
    if (action.operation === 'delete') return this.forget(action);
    if (action.resource.class === 'stonith' && action.operation === 'monitor' && action.intervalMs === 0) {
      const rc = this.startedDevices.has(action.resource.historyId) ? OCF.SUCCESS : OCF.NOT_RUNNING;
      return immediate('done', rc);
    }
    const outcome = await this.controlled(action, (host, control) => executeOperation(operationOf(action), host, control));
    if (action.resource.class === 'stonith') this.noteDevice(action, outcome);
    return outcome;
  }

  /** The cluster forgets a resource; there is no process to run for that. */
  private async forget({ resource }: AgentAction): Promise<OperationOutcome> {
    await this.options.journal.append({ kind: 'stopped', historyId: resource.historyId });
    return immediate('done', OCF.SUCCESS);
  }

  private noteDevice({ operation, resource }: AgentAction, outcome: OperationOutcome): void {
    if (operation === 'stop') this.startedDevices.delete(resource.historyId);
    if (operation === 'start' && outcome.status === 'done' && outcome.rc === OCF.SUCCESS) this.startedDevices.add(resource.historyId);
  }

  private async fenceNode(action: AgentAction): Promise<OperationOutcome> {
    const order = action.fence;
    if (order === undefined) return immediate('error', OCF.ERR_ARGS, 'a fence action without target');
    this.options.logger.warn({ target: order.target, action: order.action, device: order.deviceId }, 'fencing a node');
    return this.controlled(action, (host, control) =>
      fence(
        { agent: order.agent, action: order.action, target: order.target, parameters: order.parameters, timeoutMs: timeoutOf(action) },
        host,
        control,
      ),
    );
  }

  private async controlled(
    action: AgentAction,
    run: (host: AgentHost, control: { abort: AbortSignal; onStarted: (pid: number) => void }) => Promise<OperationOutcome>,
  ): Promise<OperationOutcome> {
    const { host } = this.options;
    const extra = { ...host.environment.extra, [ACTION_MARK]: action.actionId };
    const controller = new AbortController();
    this.running.set(controller, action);
    try {
      return await run(
        { ...host, environment: { ...host.environment, extra } },
        {
          abort: controller.signal,
          onStarted: (pid) => {
            this.notePid(action, pid);
          },
        },
      );
    } finally {
      this.running.delete(controller);
    }
  }

  /** After a crash the next agent process ends what this one started; for that it must recognise it. */
  private notePid(action: AgentAction, pid: number): void {
    const stat = processStat(pid);
    if (stat === undefined || !this.options.journal.state.inFlight.has(action.actionId)) return;
    this.options.journal
      .append({ kind: 'process', actionId: action.actionId, process: { pid, startTicks: stat.startTicks } })
      .catch(this.options.onFatal);
  }

  private report(action: AgentAction, outcome: OperationOutcome, run: { queueMs: number; recurring: boolean }): AgentResult {
    this.callId += 1;
    const result = resultOf(action, outcome, { resultId: randomUUID(), callId: this.callId, ...run });
    const { operation, intervalMs, status, rc, exitReason, execMs } = result;
    const target = action.kind === 'fence' ? action.fence?.target : action.resource.id;
    this.options.logger.info({ on: target, kind: action.kind, operation, intervalMs, status, rc, exitReason, execMs }, 'executed');
    return result;
  }
}

/** The outcome of what needs no process. */
function immediate(status: OperationOutcome['status'], rc: number, exitReason?: string): OperationOutcome {
  return { status, rc, ...(exitReason === undefined ? {} : { exitReason }), output: '', startedAtMs: Date.now(), execMs: 0 };
}

function keyOf(action: AgentAction): RecurringKey {
  const cancelled = action.operation === 'cancel' ? action.meta['CRM_meta_operation'] : undefined;
  return { historyId: action.resource.historyId, operation: cancelled ?? action.operation, intervalMs: action.intervalMs };
}

function operationOf(action: AgentAction): AgentOperation {
  const { resource, operation, intervalMs, parameters, meta } = action;
  return { resource, operation, intervalMs, timeoutMs: timeoutOf(action), parameters, meta };
}

function timeoutOf(action: AgentAction): number {
  return action.timeoutMs > 0 ? action.timeoutMs : DEFAULT_TIMEOUT_MS;
}
