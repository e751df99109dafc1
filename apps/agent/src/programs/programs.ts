import { executeOperation, fence, OCF, processStat, type AgentHost, type AgentResource } from '@systole/ocf';
import type { ActionProcess, ActiveResource, Job, Outcome } from '@systole/node-session';
import type { GuestContainers } from '../guests/guest-containers.js';
import { filledJob } from '../secrets/filled-job.js';
import { masked } from '../secrets/masked.js';
import type { SecretSources } from '../secrets/secret-sources.js';
import type { AllowList } from './allow-list.js';

/** Environment variable in which every process that is started for an action carries the action's id. */
export const ACTION_MARK = 'SYSTOLE_ACTION_ID';

const ERR_GENERIC = 1;

/** What of a resource may be done that ran before it was forbidden: look after it until it is stopped. */
const LOOKING_AFTER: ReadonlySet<string> = new Set(['stop', 'monitor', 'demote', 'notify']);

/** What may run here; absent: whatever is installed. */
export interface Bounds {
  readonly allowed: AllowList;
  /** What this node was running when the agent began, as what it was started. */
  readonly running: readonly Pick<ActiveResource, 'resource'>[];
}

/** What programs find around them on this node. */
export interface Surroundings {
  /** Sees before one is run that it is there. Never rejects. */
  keep(): Promise<void>;
}

/** The programs that run: resource agents and fence agents. Whatever is wrong with one is an outcome. */
export class Programs {
  private readonly running = new Map<number, AbortController>();

  constructor(
    private readonly host: AgentHost,
    private readonly secrets: SecretSources,
    private readonly guests: Pick<GuestContainers, 'prepared'>,
    private readonly bounds?: Bounds,
    private readonly surroundings?: Surroundings,
  ) {}

  /**
   * @param actionId what marks the process for the agent that comes after a crash
   * @param onStarted not called when there is no process
   */
  async run(run: number, job: Job, actionId: string | undefined, onStarted: (process: ActionProcess) => void): Promise<Outcome> {
    const refused = this.refusalOf(job);
    if (refused !== undefined) return refused;
    const controller = new AbortController();
    this.running.set(run, controller);
    const started = (pid: number): void => {
      const stat = processStat(pid);
      if (stat !== undefined) onStarted({ pid, startTicks: stat.startTicks });
    };
    try {
      await this.surroundings?.keep();
      const prepared = await this.guests.prepared(job, controller.signal);
      if (!prepared.ok) return notRun(prepared.problem);
      const filled = await filledJob(prepared.job, this.secrets, controller.signal);
      if (!filled.ok) return notRun(filled.problem);
      const outcome = await this.execute(filled.job, this.marked(actionId), { abort: controller.signal, onStarted: started });
      return withoutSecrets(outcome, filled.secrets);
    } catch (error) {
      return notRun(`the program could not be run: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.running.delete(run);
    }
  }

  kill(run: number): void {
    this.running.get(run)?.abort();
  }

  /**
   * What is not allowed is as what is not installed. Nothing of it was started here, so that there is nothing to stop: a failing stop would have the node fenced
   * for its settings.
   */
  private refusalOf(job: Job): Outcome | undefined {
    if (this.bounds === undefined) return undefined;
    const { allowed, running } = this.bounds;
    const resource = job.kind === 'fence' ? { id: '', class: 'stonith', type: job.order.agent } : job.operation.resource;
    const exitReason = allowed.refusalOf(resource);
    if (exitReason === undefined) return undefined;
    const operation = job.kind === 'fence' ? job.order.action : job.operation.operation;
    if (LOOKING_AFTER.has(operation) && running.some((before) => isSame(before.resource, resource))) return undefined;
    const end = { exitReason, output: '', startedAtMs: Date.now(), execMs: 0 };
    if (job.kind === 'operation' && operation === 'stop') return { ...end, status: 'done', rc: OCF.SUCCESS };
    return { ...end, status: 'not-installed', rc: OCF.ERR_INSTALLED };
  }

  private execute(job: Job, host: AgentHost, control: Parameters<typeof executeOperation>[2]): Promise<Outcome> {
    if (job.kind === 'operation') return executeOperation(job.operation, host, control);
    return fence({ ...job.order, timeoutMs: job.timeoutMs }, host, control);
  }

  private marked(actionId: string | undefined): AgentHost {
    if (actionId === undefined) return this.host;
    const { environment } = this.host;
    return { ...this.host, environment: { ...environment, extra: { ...environment.extra, [ACTION_MARK]: actionId } } };
  }
}

function notRun(exitReason: string): Outcome {
  return { status: 'error', rc: ERR_GENERIC, exitReason, output: '', startedAtMs: Date.now(), execMs: 0 };
}

/** Agents may print what they are given. */
function withoutSecrets(outcome: Outcome, secrets: readonly string[]): Outcome {
  if (secrets.length === 0) return outcome;
  const { exitReason, output } = outcome;
  return { ...outcome, output: masked(output, secrets), ...(exitReason === undefined ? {} : { exitReason: masked(exitReason, secrets) }) };
}

function isSame(one: AgentResource, other: AgentResource): boolean {
  return one.id === other.id && one.class === other.class && one.provider === other.provider && one.type === other.type;
}
