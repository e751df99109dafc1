import { executeOperation, OCF, type AgentHost, type OperationOutcome } from '@systole/ocf';
import type { Logger } from 'pino';
import type { Journal } from '../journal/journal.js';
import type { ActiveResource } from '../journal/record.js';

export interface EmergencyStop {
  readonly host: AgentHost;
  readonly journal: Journal;
  readonly logger: Logger;
  /** History ids of what must be left as it is. */
  readonly except: ReadonlySet<string>;
  /** Time for a stop whose timeout the server has not told, ms. */
  readonly stopTimeoutMs: number;
  /** ms in which every stop must have begun, because the lease ends then. */
  readonly beginWithinMs: number;
  /** Resolves when no other operation of the resource runs. */
  readonly whenFree: (historyId: string) => Promise<void>;
}

/**
 * Stops everything that may be running here without the server's help, in the reverse order of starting: each stop begins when the one before has
 * ended, but all have begun when the lease ends, so that the server's allowance (the longest stop timeout) covers them. What fails is tried a second time,
 * as it may have been in use by what was stopped later.
 * @returns ids of the resources that could not be stopped
 */
export async function stopEverything(options: EmergencyStop): Promise<string[]> {
  const all = [...options.journal.state.active.values()].filter(({ resource }) => !options.except.has(resource.historyId)).reverse();
  const stepMs = options.beginWithinMs / Math.max(1, all.length);
  const stops: Promise<boolean>[] = [];
  for (const active of all) {
    const stop = stopOne(active, options);
    stops.push(stop);
    await Promise.race([stop, new Promise((resolve) => setTimeout(resolve, stepMs))]);
  }
  const stopped = await Promise.all(stops);
  const left = all.filter((_, index) => stopped[index] !== true);
  const again = await Promise.all(left.map((active) => stopOne(active, options)));
  return left.filter((_, index) => again[index] !== true).map((active) => active.resource.id);
}

async function stopOne({ resource, parameters, meta, stopTimeoutMs }: ActiveResource, options: EmergencyStop): Promise<boolean> {
  await options.whenFree(resource.historyId);
  const outcome = await executeOperation(
    {
      resource,
      operation: 'stop',
      intervalMs: 0,
      timeoutMs: stopTimeoutMs ?? options.stopTimeoutMs,
      parameters,
      meta: withoutOperation(meta),
    },
    options.host,
  );
  const stopped = isStopped(outcome);
  const { status, rc, exitReason } = outcome;
  options.logger[stopped ? 'warn' : 'error']({ resource: resource.id, status, rc, exitReason }, 'stopped because the lease was lost');
  if (stopped) await options.journal.append({ kind: 'stopped', historyId: resource.historyId });
  return stopped;
}

/** An agent that is not there any more has nothing running that it could stop. */
function isStopped({ status, rc }: OperationOutcome): boolean {
  return (status === 'done' && rc === OCF.SUCCESS) || status === 'not-installed';
}

/** The meta variables of the operation that was remembered are not those of a stop. */
function withoutOperation(meta: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(meta).filter(([name]) => !/^CRM_meta_(name|interval|timeout|op_target_rc|start_delay)$/.test(name)),
  );
}
