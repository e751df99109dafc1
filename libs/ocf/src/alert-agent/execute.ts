import { describeNotStarted } from '../outcome/not-started.js';
import { runProcess, type ProcessResult, type ProcessUser } from '../process/run-process.js';
import { processLimits, type AgentHost, type ExecutionControl } from '../resource-agent/host.js';
import { alertEnvironment, type AlertNews } from './environment.js';

/** One run of an alert's program. */
export interface AlertRequest extends AlertNews {
  /** Of the program. */
  readonly path: string;
  readonly timeoutMs: number;
}

/** How it ended. */
export interface AlertOutcome {
  /** It exited with 0; with something else, or by a signal; it was killed as its time was up; it was not begun. */
  readonly outcome: 'done' | 'failed' | 'timeout' | 'not-run';
  readonly rc?: number;
  /** What it printed last, or why it was not begun. */
  readonly detail?: string;
  readonly execMs: number;
}

/** Bytes kept of what a program prints. */
const OUTPUT_BYTES = 4_096;

/** Runs the program of an alert, with nothing on its standard input, in a process group of its own that is ended with its time. Never rejects. */
export async function runAlert(
  request: AlertRequest,
  host: AgentHost,
  { user, ...control }: ExecutionControl & { readonly user?: ProcessUser } = {},
): Promise<AlertOutcome> {
  const { path, timeoutMs } = request;
  if (!path.startsWith('/')) return { outcome: 'not-run', detail: `${path} is no absolute path`, execMs: 0 };
  const result = await runProcess({
    ...processLimits(timeoutMs, host, control),
    file: path,
    args: [],
    env: alertEnvironment(request, host.environment),
    cwd: '/',
    maxOutputBytes: OUTPUT_BYTES,
    ...(user === undefined ? {} : { user }),
  });
  return outcomeOf(result, timeoutMs);
}

function outcomeOf({ end, stdout, stderr, execMs }: ProcessResult, timeoutMs: number): AlertOutcome {
  const printed = lastLine(stderr) ?? lastLine(stdout);
  const said = printed === undefined ? {} : { detail: printed };
  switch (end.kind) {
    case 'exited':
      // Some programs say what went wrong, and exit with 0 all the same.
      return { outcome: end.code === 0 ? 'done' : 'failed', rc: end.code, ...said, execMs };
    case 'signalled':
      return { outcome: 'failed', detail: `killed by ${end.signal}`, execMs };
    case 'timeout': {
      const left = end.groupGone ? '' : '; its processes could not be killed';
      return { outcome: 'timeout', detail: `timed out after ${String(timeoutMs)} ms${left}`, execMs };
    }
    case 'aborted':
      return { outcome: 'failed', detail: 'ended with the node agent', execMs };
    case 'not-started':
      return { outcome: 'not-run', detail: describeNotStarted(end), execMs };
  }
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').pop()?.trim() || undefined;
}
