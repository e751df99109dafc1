import type { Logger } from 'pino';
import type { Programs } from '../../programs/programs.js';
import type { ForcedOperation, ForcedOutcome } from './cluster-connection.js';

/** What tools have resource agents do past the cluster, by whoever is root on this node: with the agent's own executor, its list of what may run here, and its secrets. */
export class ForcedOperations {
  /** Runs of the session count up from 0. */
  private last = 0;

  constructor(
    private readonly programs: Pick<Programs, 'run'>,
    private readonly logger: Logger,
  ) {}

  async run({ resource, operation, timeoutMs, parameters }: ForcedOperation): Promise<ForcedOutcome> {
    this.last -= 1;
    const job = {
      kind: 'operation' as const,
      operation: { resource: { ...resource, historyId: resource.id }, operation, intervalMs: 0, timeoutMs, parameters, meta: {} },
    };
    this.logger.warn({ resource: resource.id, operation }, 'crm_resource has it done past the cluster');
    const { rc, exitReason, output } = await this.programs.run(this.last, job, undefined, () => undefined);
    return { rc, output, ...(exitReason === undefined ? {} : { exitReason }) };
  }
}
