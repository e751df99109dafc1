import { ServerRefused, ServerUnavailable } from '../server/server-connection.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from './tool.js';
import { refusedExit } from './writes/tool-exits.js';

/** How a tool ends that something went wrong for: an exit code and a message, as from the tool itself. */
export function failedResult({ tool }: Pick<ToolCall, 'tool'>, error: unknown): ToolResult {
  if (error instanceof ServerRefused)
    return refusedExit(error, tool === 'cibadmin' ? 'Call failed' : `${tool}: Error performing operation`);
  return { stdout: '', stderr: `${tool}: ${error instanceof Error ? error.message : String(error)}\n`, exitCode: exitCodeOf(error) };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ToolFailure) return error.exitCode;
  if (error instanceof ServerUnavailable) return EXIT.DISCONNECTED;
  return EXIT.ERROR;
}
