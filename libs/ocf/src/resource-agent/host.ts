import type { ProcessRequest } from '../process/run-process.js';
import type { NodeEnvironment, ProgramEnvironment } from './environment.js';
import type { AgentDirectories } from './lookup.js';

/** The node on which operations run. */
export interface AgentHost {
  readonly directories: AgentDirectories;
  readonly environment: NodeEnvironment;
  /** Time between TERM and KILL when an operation's time is up, ms. Default 5000. */
  readonly killGraceMs?: number;
}

/** What of it a program sees that is no resource agent. */
export type ProgramHost = Pick<AgentHost, 'killGraceMs'> & { readonly environment: ProgramEnvironment };

/** How to watch and stop one execution. */
export interface ExecutionControl {
  /** Terminates the operation as a timeout does. */
  readonly abort?: AbortSignal;
  /** Called when the process exists, before anything waits, with its pid (= process group). */
  readonly onStarted?: (pid: number) => void;
}

/** What every process of an operation has in common. */
export function processLimits(
  timeoutMs: number,
  host: Pick<AgentHost, 'killGraceMs'>,
  control: ExecutionControl,
): Omit<ProcessRequest, 'file' | 'args' | 'env'> {
  return {
    timeoutMs,
    ...(host.killGraceMs === undefined ? {} : { killGraceMs: host.killGraceMs }),
    ...(control.abort === undefined ? {} : { abort: control.abort }),
    ...(control.onStarted === undefined ? {} : { onStarted: control.onStarted }),
  };
}
