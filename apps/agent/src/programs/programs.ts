import { executeOperation, fence, processStat, type AgentHost } from '@systole/ocf';
import type { ActionProcess, Job, Outcome } from '@systole/node-session';

/** Environment variable in which every process that is started for an action carries the action's id. */
export const ACTION_MARK = 'SYSTOLE_ACTION_ID';

const ERR_GENERIC = 1;

/** The programs that run: resource agents and fence agents. Whatever is wrong with one is an outcome. */
export class Programs {
  private readonly running = new Map<number, AbortController>();

  constructor(private readonly host: AgentHost) {}

  /**
   * @param actionId what marks the process for the agent that comes after a crash
   * @param onStarted not called when there is no process
   */
  async run(run: number, job: Job, actionId: string | undefined, onStarted: (process: ActionProcess) => void): Promise<Outcome> {
    const controller = new AbortController();
    this.running.set(run, controller);
    const started = (pid: number): void => {
      const stat = processStat(pid);
      if (stat !== undefined) onStarted({ pid, startTicks: stat.startTicks });
    };
    try {
      return await this.execute(job, this.marked(actionId), { abort: controller.signal, onStarted: started });
    } catch (error) {
      const exitReason = `the program could not be run: ${error instanceof Error ? error.message : String(error)}`;
      return { status: 'error', rc: ERR_GENERIC, exitReason, output: '', startedAtMs: Date.now(), execMs: 0 };
    } finally {
      this.running.delete(run);
    }
  }

  kill(run: number): void {
    this.running.get(run)?.abort();
  }

  private execute(job: Job, host: AgentHost, control: Parameters<typeof executeOperation>[2]): Promise<Outcome> {
    if (job.kind === 'operation') return executeOperation(job.operation, host, control);
    const { agent, action, target, parameters } = job.order;
    return fence({ agent, action, target, parameters, timeoutMs: job.timeoutMs }, host, control);
  }

  private marked(actionId: string | undefined): AgentHost {
    if (actionId === undefined) return this.host;
    const { environment } = this.host;
    return { ...this.host, environment: { ...environment, extra: { ...environment.extra, [ACTION_MARK]: actionId } } };
  }
}
