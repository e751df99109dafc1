import type { ProcessResult } from '../process/run-process.js';
import { describeNotStarted } from './not-started.js';
import type { OperationOutcome } from './operation-outcome.js';
import { OCF } from './return-codes.js';

/** A spawn error code meaning that the program, or the interpreter that its first line names, is not there. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ENOEXEC']);

/**
 * Turns the end of an agent's process into an outcome.
 * @param toOcf maps the standard's exit code to OCF's
 * @param exitReason the agent's own words, if any
 */
export function outcomeOf(
  result: ProcessResult,
  timeoutMs: number,
  toOcf: (code: number) => number,
  exitReason?: string,
): OperationOutcome {
  const { end } = result;
  const base = { output: joinOutput(result), startedAtMs: result.startedAtMs, execMs: result.execMs };
  const reason = (text: string): { exitReason: string } => ({ exitReason: exitReason ?? text });
  switch (end.kind) {
    case 'exited':
      return { ...base, status: 'done', rc: toOcf(end.code), ...(exitReason === undefined ? {} : { exitReason }) };
    case 'signalled':
      return { ...base, status: 'error', rc: OCF.ERR_GENERIC, ...reason(`the agent was killed by ${end.signal}`) };
    case 'timeout':
      return {
        ...base,
        status: 'timeout',
        rc: OCF.ERR_GENERIC,
        ...reason(`timed out after ${timeoutMs} ms${end.groupGone ? '' : '; its processes could not be killed'}`),
      };
    case 'aborted':
      return { ...base, status: 'cancelled', rc: OCF.ERR_GENERIC, ...reason('stopped before it had finished') };
    case 'not-started':
      if (NOT_THERE.has(end.code)) return { ...base, status: 'not-installed', rc: OCF.ERR_INSTALLED, ...reason(describeNotStarted(end)) };
      return {
        ...base,
        status: 'error',
        rc: end.code === 'EACCES' ? OCF.ERR_PERM : OCF.ERR_GENERIC,
        ...reason(describeNotStarted(end)),
      };
  }
}

/** What could not even be looked up, as an outcome. */
export function notInstalled(reason: string): OperationOutcome {
  return { status: 'not-installed', rc: OCF.ERR_INSTALLED, exitReason: reason, output: '', startedAtMs: Date.now(), execMs: 0 };
}

function joinOutput({ stdout, stderr }: ProcessResult): string {
  return [stdout, stderr].filter((text) => text !== '').join('\n');
}
