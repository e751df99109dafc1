import { parseInterval } from '@systole/cib';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { AskedFor } from './cluster-connection.js';

/** What the command lines of the tools that write have in common. */

export const OK: ToolResult = { stdout: '', stderr: '', exitCode: EXIT.OK };

export function said(stdout: string, stderr = ''): ToolResult {
  return { stdout, stderr, exitCode: EXIT.OK };
}

/** Who called a tool, as its environment tells: the resource agent of which resource, and why, where somebody says so. */
export function callerOf({ tool, env }: ToolCall): AskedFor {
  const { OCF_RESOURCE_INSTANCE: calledBy = '', SYSTOLE_REASON: reason = '' } = env;
  return { tool, ...(calledBy === '' ? {} : { calledBy }), ...(reason === '' ? {} : { reason }) };
}

/** An interval as the tools take it, e.g. `10s`; seconds without a unit. ms. @throws {ToolFailure} */
export function intervalOf(text: string): number {
  const ms = parseInterval(text);
  if (ms === undefined) throw new ToolFailure(EXIT.USAGE, `an interval is e.g. 10s or 500ms, not ${text}`);
  return ms;
}
