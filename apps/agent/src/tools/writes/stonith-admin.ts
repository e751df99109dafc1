import type { ToolRequest } from '@systole/protocol';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from '../tool.js';
import type { ParsedArguments } from '../arguments.js';
import type { ClusterConnection } from './cluster-connection.js';
import { callerOf, OK } from './command-line.js';

type Asked = Extract<ToolRequest, { readonly ask: 'fence' | 'power-on' | 'confirm-down' }>;

/** What `stonith_admin` is to have done to a node; undefined: it only asks. */
export function fencingAsked({ fence, reboot, unfence, confirm }: ParsedArguments['options']): Asked | undefined {
  if (fence !== undefined) return { ask: 'fence', node: fence, action: 'off' };
  if (reboot !== undefined) return { ask: 'fence', node: reboot, action: 'reboot' };
  if (unfence !== undefined) return { ask: 'power-on', node: unfence };
  return confirm === undefined ? undefined : { ask: 'confirm-down', node: confirm };
}

/** Fencing is asked for, and planned with the devices of the configuration: what came of it the history of fencing tells. */
export async function askForFencing(
  asked: Asked,
  { timeout }: ParsedArguments['options'],
  call: ToolCall,
  cluster: ClusterConnection,
): Promise<ToolResult> {
  if (timeout !== undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, 'fencing takes as long as its devices are configured to: leave --timeout out');
  if (asked.node === '') throw new ToolFailure(EXIT.USAGE, 'the name of the node is needed');
  await cluster.request(asked, callerOf(call));
  return OK;
}
