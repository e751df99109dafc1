import type { FoundAgent } from '../resource-agent/lookup.js';
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
        rc: errorCode(end.code),
        ...reason(describeNotStarted(end)),
      };
  }
}

/** What was not found, or could not even be looked up, as an outcome. */
export function notFound(agent: Extract<FoundAgent, { readonly kind: 'missing' | 'unknown' }>): OperationOutcome {
  const base = { output: '', startedAtMs: Date.now(), execMs: 0 };
  if (agent.kind === 'missing') return { ...base, status: 'not-installed', rc: OCF.ERR_INSTALLED, exitReason: agent.reason };
  const { code, message } = agent;
  return { ...base, status: 'error', rc: errorCode(code), exitReason: describeNotStarted({ code, message }) };
}

function errorCode(systemCode: string): number {
  return systemCode === 'EACCES' ? OCF.ERR_PERM : OCF.ERR_GENERIC;
}

function joinOutput({ stdout, stderr }: ProcessResult): string {
  return [stdout, stderr].filter((text) => text !== '').join('\n');
}
