import { ProblemError } from '@systole/api-client';
import { CommanderError } from 'commander';
import { ServerUnreachable } from './connection.js';
import { EXIT, UsageError, type ExitCode } from './exit-code.js';
import { AnswerLost } from './lost-answers.js';
import { WriteInterrupted } from './interruption.js';
import { renderInterrupted } from './render/interrupted.js';
import { renderProblem } from './render/problem.js';
import type { Terminal } from './terminal.js';

/** Says on stderr what went wrong, and what that means for the exit code. @param json say it as a JSON document */
export function reportError(error: unknown, terminal: Terminal, json: boolean): ExitCode {
  // Commander has said it already; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof WriteInterrupted) {
    if (json) terminal.complain(JSON.stringify({ detail: error.message, ...error.outcome }));
    else for (const line of renderInterrupted(error)) terminal.complain(line);
    return EXIT.interrupted;
  }
  if (terminal.interrupted.aborted) return EXIT.interrupted;
  if (error instanceof ProblemError) {
    if (json && error.problem !== undefined) terminal.complain(JSON.stringify(error.problem));
    else for (const line of renderProblem(error)) terminal.complain(line);
    return exitCodeOf(error.status);
  }
  const message = error instanceof Error ? error.message : String(error);
  terminal.complain(json ? JSON.stringify({ detail: message }) : `systole: ${message}`);
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof AnswerLost) return EXIT.unknown;
  return error instanceof ServerUnreachable ? EXIT.unreachable : EXIT.failed;
}

function exitCodeOf(status: number): ExitCode {
  switch (status) {
    case 401:
    case 403:
      return EXIT.denied;
    case 409:
    case 412:
      return EXIT.conflict;
    default:
      return EXIT.failed;
  }
}
