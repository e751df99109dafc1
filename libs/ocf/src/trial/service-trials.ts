import { readFileSync } from 'node:fs';
import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { OCF } from '../outcome/return-codes.js';
import { runProcess } from '../process/run-process.js';
import { baseEnvironment } from '../resource-agent/environment.js';
import { executeOperation } from '../resource-agent/execute.js';
import { readLsbHeader } from '../resource-agent/lsb-header.js';
import type { AgentResource } from '../resource-agent/resource.js';
import type { UnitUnderControl } from '../systemd/unit-operation.js';
import { crashed, leftovers, type Lives } from './lives.js';
import type { TrialSurroundings } from './surroundings.js';
import { Untriable, type Findings } from './trial.js';

const TIMEOUT_MS = 60_000;
/** Exit codes of an init script (LSB Core 5.0, "Init Script Actions"). */
const LSB = { DEAD_WITH_PID_FILE: 1, DEAD_WITH_LOCK_FILE: 2, NOT_RUNNING: 3, INVALID_ARGUMENT: 2, UNIMPLEMENTED: 3 } as const;

/** Tries an init script as the LSB demands it. */
export class LsbTrial implements Lives {
  constructor(
    private readonly path: string,
    private readonly surroundings: TrialSurroundings,
    private readonly findings: Findings,
  ) {}

  async run(): Promise<void> {
    const { findings } = this;
    this.header();
    const before = await this.status();
    if (before.rc === 0) throw new Untriable('it runs already: a trial starts and stops it, so it is tried only where nobody needs it');
    findings.judge('status before start', before, [LSB.NOT_RUNNING], 'the service is stopped: 3, and nothing else');
    findings.judge('stop before start', await this.stop(), [0], 'what is stopped can be stopped: a stop that fails has the node fenced');
    if (!findings.judge('start', await this.start(), [0], 'it returns when the service runs')) {
      await this.stop();
      throw new Untriable('it does not start here: what it does then can not be tried');
    }
    findings.judge('status', await this.status(), [0], 'the service runs');
    findings.judge('start again', await this.start(), [0], 'what runs can be started');
    findings.judge('status after that', await this.status(), [0], 'the service runs');
    for (const action of ['restart', 'force-reload']) {
      findings.judge(action, await this.act(action), [0], 'the LSB demands it, and that the service runs afterwards');
      findings.judge(`status after ${action}`, await this.status(), [0], 'the service runs');
    }
    findings.judge('stop', await this.stop(), [0], 'it returns when the service is stopped; one that fails has the node fenced');
    findings.judge('status after stop', await this.status(), [LSB.NOT_RUNNING], 'the service is stopped: 3, and nothing else');
    findings.judge('stop again', await this.stop(), [0], 'what is stopped can be stopped');
    const unknown = await this.act('no-such-action');
    findings.judge('an unknown action', unknown, [LSB.INVALID_ARGUMENT, LSB.UNIMPLEMENTED], 'it is refused');
    await leftovers(this.surroundings, findings);
    await crashed(this, this.surroundings, findings, [LSB.DEAD_WITH_PID_FILE, LSB.DEAD_WITH_LOCK_FILE, LSB.NOT_RUNNING]);
  }

  async end(): Promise<void> {
    await this.stop();
  }

  start(): Promise<OperationOutcome> {
    return this.act('start');
  }

  stop(): Promise<OperationOutcome> {
    return this.act('stop');
  }

  status(): Promise<OperationOutcome> {
    return this.act('status');
  }

  private header(): void {
    const { provides, shortDescription } = readLsbHeader(readFileSync(this.path, 'latin1')) ?? {};
    if (provides === undefined) {
      this.findings.note('header', 'no INIT INFO', 'the LSB demands it; a cluster does without, and has no description to show');
    } else this.findings.kept('header', `${provides}: ${shortDescription ?? 'no short description'}`);
  }

  /** With its own exit codes: what a cluster makes of them is not what it is tried for. */
  private async act(action: string): Promise<OperationOutcome> {
    const { environment } = this.surroundings.host;
    const result = await runProcess({ file: this.path, args: [action], env: baseEnvironment(environment), timeoutMs: TIMEOUT_MS });
    const { end, stdout, stderr, startedAtMs, execMs } = result;
    const output = [stdout, stderr].filter((text) => text !== '').join('\n');
    const base = { output, startedAtMs, execMs };
    if (end.kind === 'exited') return { ...base, status: 'done', rc: end.code };
    const reason = end.kind === 'not-started' ? end.message : `no end within ${String(TIMEOUT_MS / 1000)} s`;
    return { ...base, status: end.kind === 'timeout' ? 'timeout' : 'error', rc: OCF.ERR_GENERIC, exitReason: reason };
  }
}

/** Tries a unit of systemd as a cluster has to rely on it. */
export class UnitTrial {
  constructor(
    private readonly resource: AgentResource,
    private readonly of: UnitUnderControl,
    private readonly surroundings: TrialSurroundings,
    private readonly findings: Findings,
  ) {}

  async run(): Promise<void> {
    const { findings, of } = this;
    const before = await this.act('monitor');
    if (before.rc === OCF.SUCCESS)
      throw new Untriable('it runs already: a trial starts and stops it, so it is tried only where nobody needs it');
    if (before.rc === OCF.ERR_INSTALLED) throw new Untriable(before.exitReason ?? 'it is not installed');
    findings.judge('monitor before start', before, [OCF.NOT_RUNNING], 'the unit is stopped');
    const started = await this.act('start');
    if (!findings.judge('start', started, [OCF.SUCCESS], 'the unit is active when its job is done')) {
      await this.act('stop');
      throw new Untriable('it does not start here: what it does then can not be tried');
    }
    if (started.output === '') findings.kept('started by the cluster only', 'not enabled');
    else findings.note('started by the cluster only', started.output, 'a unit that the machine starts at boot may run twice');
    findings.judge('monitor', await this.act('monitor'), [OCF.SUCCESS], 'the unit is active');
    findings.judge('start again', await this.act('start'), [OCF.SUCCESS], 'what is active can be started');
    if (of.isService) await this.crash();
    findings.judge('stop', await this.act('stop'), [OCF.SUCCESS], 'the unit is inactive when its job is done');
    findings.judge('monitor after stop', await this.act('monitor'), [OCF.NOT_RUNNING], 'the unit is stopped');
    findings.judge('stop again', await this.act('stop'), [OCF.SUCCESS], 'what is stopped can be stopped');
  }

  async end(): Promise<void> {
    await this.act('stop');
  }

  private async crash(): Promise<void> {
    const { findings, of, surroundings } = this;
    const env = baseEnvironment(surroundings.host.environment);
    const killed = await runProcess({
      file: of.access.systemctl,
      args: ['kill', '--signal=KILL', '--', of.unit],
      env,
      timeoutMs: TIMEOUT_MS,
    });
    if (killed.end.kind !== 'exited' || killed.end.code !== 0) {
      findings.skipped('a service whose processes died', 'it has no processes that could be killed');
      return;
    }
    const why = 'a dead service that is called active is never recovered (RemainAfterExit=yes, or a start that leaves nothing behind)';
    findings.judge('monitor after kill -9', await this.act('monitor'), [OCF.NOT_RUNNING], why);
  }

  private act(operation: string): Promise<OperationOutcome> {
    const asked = { resource: this.resource, operation, intervalMs: 0, timeoutMs: TIMEOUT_MS, parameters: {}, meta: {} };
    return executeOperation(asked, this.surroundings.host);
  }
}
