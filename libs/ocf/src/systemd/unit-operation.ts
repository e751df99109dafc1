import { setTimeout as pause } from 'node:timers/promises';
import { outcomeOf } from '../outcome/from-process.js';
import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { OCF } from '../outcome/return-codes.js';
import { runProcess, type ProcessResult } from '../process/run-process.js';
import { baseEnvironment } from '../resource-agent/environment.js';
import { processLimits, type AgentHost, type ExecutionControl } from '../resource-agent/host.js';
import type { AgentOperation } from '../resource-agent/resource.js';
import type { SystemdAccess } from './access.js';
import { hasReadDropIn, placeDropIn, removeDropIn } from './drop-in.js';
import { journalOf } from './journal.js';
import {
  describeState,
  isChanging,
  loadProblem,
  mayHaveProcesses,
  otherStarters,
  parseUnitState,
  processesIn,
  showArguments,
  unitStateToOcf,
  type UnitState,
} from './unit-state.js';

/** A unit, and how it is reached. */
export interface UnitUnderControl {
  readonly access: SystemdAccess;
  readonly unit: string;
  readonly isService: boolean;
}

/** Between two looks at a unit that is on its way, ms. */
const LOOK_EVERY_MS = 500;
/** In which the last processes of a unit that is down are gone, ms. */
const LAST_MOMENT_MS = 2_000;
/** What is asked after the time is up may take so long, ms. */
const AFTERWARDS_MS = 5_000;

/**
 * One operation of a unit of systemd, to its end: `systemctl` waits for the job, and what came of it is what the unit says afterwards. Never rejects.
 */
export function runUnitOperation(
  operation: AgentOperation,
  unit: UnitUnderControl,
  host: AgentHost,
  control: ExecutionControl,
): Promise<OperationOutcome> {
  return new UnitOperation(operation, unit, host, control).run();
}

class UnitOperation {
  private readonly startedAtMs = Date.now();
  private readonly started = performance.now();

  constructor(
    private readonly operation: AgentOperation,
    private readonly of: UnitUnderControl,
    private readonly host: AgentHost,
    private readonly control: ExecutionControl,
  ) {}

  async run(): Promise<OperationOutcome> {
    switch (this.operation.operation) {
      case 'monitor':
        return this.monitor();
      case 'start':
        return this.start();
      case 'stop':
        return this.stop();
      case 'reload':
      case 'reload-agent':
        return this.reload();
      default:
        return this.ended(OCF.ERR_UNIMPLEMENTED, `systemd units have no ${this.operation.operation}`);
    }
  }

  private async monitor(): Promise<OperationOutcome> {
    const settled = await this.settled();
    if ('outcome' in settled) return settled.outcome;
    const { state } = settled;
    const rc = unitStateToOcf(state);
    if (rc === OCF.SUCCESS) return this.ended(rc);
    const left = await this.processesLeft(state);
    if (left !== undefined) return this.ended(OCF.ERR_GENERIC, left);
    if (rc === OCF.NOT_RUNNING) return this.ended(rc, state.active === 'failed' ? describeState(this.of.unit, state) : undefined);
    return this.ended(rc, loadProblem(this.of.unit, state) ?? describeState(this.of.unit, state));
  }

  private async start(): Promise<OperationOutcome> {
    const before = await this.look();
    if ('outcome' in before) return before.outcome;
    const problem = loadProblem(this.of.unit, before.state);
    if (problem !== undefined && before.state.active !== 'active') return this.ended(OCF.ERR_INSTALLED, problem);
    // How often it may be tried is the cluster's business.
    if (before.state.active === 'failed') await this.systemctl(['reset-failed', '--', this.of.unit], this.leftMs(), this.control);
    try {
      const isNew = await placeDropIn(this.of.unit, this.of.isService, this.of.access);
      // One that is there may be of a start that ended before systemd had read it.
      if (isNew || !hasReadDropIn(before.state.dropIns)) await this.reread();
    } catch (error) {
      return this.ended(OCF.ERR_GENERIC, `systemd could not be told to leave ${this.of.unit} to the cluster: ${messageOf(error)}`);
    }
    const job = await this.job(['start']);
    if (job.end.kind !== 'exited') return this.interrupted(job);
    const settled = await this.settled();
    if ('outcome' in settled) return settled.outcome;
    const { state } = settled;
    if (job.end.code === 0 && unitStateToOcf(state) === OCF.SUCCESS)
      return this.ended(OCF.SUCCESS, undefined, otherStarters(this.of.unit, state));
    return this.failedStart(job, state);
  }

  private async failedStart({ stderr }: ProcessResult, state: UnitState): Promise<OperationOutcome> {
    const { unit, access } = this.of;
    const journal = await journalOf(unit, this.startedAtMs, access, this.limits(AFTERWARDS_MS));
    const isGone = state.active === 'inactive' && state.result === 'success' && state.type === 'oneshot' && !state.remainsAfterExit;
    const hint = isGone ? 'its program ended, as that of a oneshot does: RemainAfterExit=yes makes it count as active then' : undefined;
    const said = hint ?? journal.lastWords ?? stderr.trim().split('\n')[0];
    const reason = [describeState(unit, state), said].filter((text) => text !== undefined && text !== '').join(': ');
    return this.ended(OCF.ERR_GENERIC, reason, [stderr.trim(), journal.text].filter((text) => text !== '').join('\n'));
  }

  /** What is not there is not running: there is nothing to stop, and nothing that a fencing could make safer. */
  private async stop(): Promise<OperationOutcome> {
    const before = await this.look();
    if ('outcome' in before) return before.outcome;
    let now = before.state;
    if (before.state.active !== 'inactive' || before.state.job !== '') {
      const job = await this.job([
        'stop',
        ...(before.state.job === '' && !(await this.isAgentLeaving()) ? [] : ['--job-mode=ignore-dependencies']),
      ]);
      if (job.end.kind !== 'exited') return this.interrupted(job);
      const settled = await this.settled();
      if ('outcome' in settled) return settled.outcome;
      const { state } = settled;
      if (state.active !== 'inactive' && state.active !== 'failed') {
        return this.ended(
          OCF.ERR_GENERIC,
          [describeState(this.of.unit, state), job.stderr.trim()].filter((text) => text !== '').join(': '),
        );
      }
      now = state;
    }
    const left = await this.processesLeft(now);
    if (left !== undefined) return this.ended(OCF.ERR_GENERIC, left);
    try {
      if (await removeDropIn(this.of.unit, this.of.access)) await this.reread();
    } catch (error) {
      return this.ended(OCF.SUCCESS, undefined, `systemd could not be given back the control of ${this.of.unit}: ${messageOf(error)}`);
    }
    return this.ended(OCF.SUCCESS);
  }

  /**
   * Whether systemd is about to end the node agent, alone or with the machine. As the unit is ordered before the agent, its stop would wait for the end of the agent, which waits for
   * that stop: it would never end.
   */
  private async isAgentLeaving(): Promise<boolean> {
    const { stdout } = await this.systemctl(showArguments(this.of.access.agentUnit), this.leftMs(), this.control);
    const { job, active } = parseUnitState(stdout);
    return job !== '' || active === 'deactivating';
  }

  private async reload(): Promise<OperationOutcome> {
    const job = await this.job(['reload-or-restart']);
    if (job.end.kind !== 'exited') return this.interrupted(job);
    const settled = await this.settled();
    if ('outcome' in settled) return settled.outcome;
    if (job.end.code === 0 && unitStateToOcf(settled.state) === OCF.SUCCESS) return this.ended(OCF.SUCCESS);
    return this.failedStart(job, settled.state);
  }

  /** Has systemd carry out a job, and waits for it. */
  private job([verb = '', ...options]: readonly string[]): Promise<ProcessResult> {
    const args = [verb, '--no-ask-password', '--no-pager', ...options, '--', this.of.unit];
    return this.systemctl(args, this.leftMs(), this.control);
  }

  /** What systemd was told to do and did not manage in time it must not do later, when nobody reckons with it. */
  private async interrupted(job: ProcessResult): Promise<OperationOutcome> {
    const { end } = job;
    const outcome = outcomeOf(job, this.operation.timeoutMs, (code) => code);
    const measured = { ...outcome, startedAtMs: this.startedAtMs, execMs: this.tookMs() };
    if (end.kind === 'not-started') return measured;
    const now = await this.afterwards(showArguments(this.of.unit));
    const state = parseUnitState(now.stdout);
    if (/^\d+$/.test(state.job)) await this.afterwards(['cancel', '--no-pager', state.job]);
    return { ...measured, exitReason: [outcome.exitReason, describeState(this.of.unit, state)].join('; ') };
  }

  /** What the unit is when it is on its way no more; it is waited for within the time of the operation. */
  private async settled(): Promise<{ readonly state: UnitState } | { readonly outcome: OperationOutcome }> {
    for (;;) {
      const now = await this.look();
      if ('outcome' in now || !isChanging(now.state)) return now;
      if (this.control.abort?.aborted === true)
        return { outcome: this.ended(OCF.ERR_GENERIC, 'stopped before it had finished', '', 'cancelled') };
      if (this.leftMs() <= LOOK_EVERY_MS) {
        // What reloads runs, however long that takes.
        if (now.state.active === 'reloading' && this.operation.operation === 'monitor') return now;
        const reason = `timed out after ${String(this.operation.timeoutMs)} ms; ${describeState(this.of.unit, now.state)}`;
        return { outcome: this.ended(OCF.ERR_GENERIC, reason, '', 'timeout') };
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  /** What of a unit that is down runs on, for people; undefined when nothing does. The last of it may need a moment to be gone. */
  private async processesLeft(state: UnitState): Promise<string | undefined> {
    const { unit } = this.of;
    const until = performance.now() + Math.min(LAST_MOMENT_MS, this.leftMs() / 2);
    for (let now = state; ;) {
      if (!mayHaveProcesses(now)) return undefined;
      const status = await this.systemctl(['status', '--no-pager', '--lines=0', '--', unit], this.leftMs(), this.control);
      const pids = processesIn(status.stdout);
      const isAnswer = status.end.kind === 'exited' && /^ *CGroup: /m.test(status.stdout);
      if (isAnswer && pids.length === 0) return undefined;
      if (performance.now() >= until || this.control.abort?.aborted === true) {
        const what = isAnswer ? `its processes run on: ${pids.join(', ')}` : 'systemd does not tell whether its processes run on';
        return `${describeState(unit, now)}, and ${what}`;
      }
      await pause(LOOK_EVERY_MS);
      const next = await this.look();
      if ('outcome' in next) return `${describeState(unit, now)}, and systemd does not tell whether its processes run on`;
      now = next.state;
    }
  }

  private async look(): Promise<{ readonly state: UnitState } | { readonly outcome: OperationOutcome }> {
    const result = await this.systemctl(showArguments(this.of.unit), this.leftMs(), this.control);
    if (result.end.kind !== 'exited') {
      const outcome = outcomeOf(result, this.operation.timeoutMs, (code) => code);
      return { outcome: { ...outcome, startedAtMs: this.startedAtMs, execMs: this.tookMs() } };
    }
    const state = parseUnitState(result.stdout);
    if (result.end.code === 0 && state.active !== '') return { state };
    return { outcome: this.ended(OCF.ERR_GENERIC, `systemd does not answer: ${result.stderr.trim().slice(0, 500)}`, '', 'error') };
  }

  private async reread(): Promise<void> {
    const result = await this.systemctl(['daemon-reload', '--no-ask-password'], this.leftMs(), this.control);
    if (result.end.kind !== 'exited' || result.end.code !== 0)
      throw new Error(`systemctl daemon-reload failed: ${result.stderr.trim().slice(0, 500)}`);
  }

  /** Neither the time nor the end of the operation counts. */
  private afterwards(args: readonly string[]): Promise<ProcessResult> {
    return this.systemctl(args, AFTERWARDS_MS, {});
  }

  private systemctl(args: readonly string[], timeoutMs: number, control: ExecutionControl): Promise<ProcessResult> {
    const limits = processLimits(timeoutMs, this.host, control);
    return runProcess({ ...limits, file: this.of.access.systemctl, args, env: baseEnvironment(this.host.environment) });
  }

  private limits(timeoutMs: number): Parameters<typeof journalOf>[3] {
    return { ...processLimits(timeoutMs, this.host, {}), env: baseEnvironment(this.host.environment) };
  }

  private leftMs(): number {
    return Math.max(1, this.operation.timeoutMs - this.tookMs());
  }

  private tookMs(): number {
    return Math.round(performance.now() - this.started);
  }

  private ended(rc: number, exitReason?: string, output = '', status: OperationOutcome['status'] = 'done'): OperationOutcome {
    const reason = exitReason === undefined || exitReason === '' ? {} : { exitReason };
    return { status, rc, ...reason, output, startedAtMs: this.startedAtMs, execMs: this.tookMs() };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
