import { ServerRefused } from '../../server/server-connection.js';
import type { ToolCall, ToolResult } from '../tool.js';
import { writeCibadmin } from './cibadmin.js';
import type { ClusterConnection } from './cluster-connection.js';
import { writeCrmAttribute } from './crm-attribute.js';
import { writeCrmFailcount } from './crm-failcount.js';
import { writeCrmNode } from './crm-node.js';
import { writeCrmResource } from './crm-resource.js';
import { writeStonithAdmin } from './stonith-admin.js';
import { refusedExit } from './tool-exits.js';

type Writer = (call: ToolCall, cluster: ClusterConnection) => Promise<ToolResult> | undefined;

/** Which of the tools write what, and are told apart from those that only ask. */
const WRITERS: Readonly<Record<string, Writer>> = {
  crm_attribute: writeCrmAttribute,
  crm_resource: writeCrmResource,
  crm_failcount: writeCrmFailcount,
  crm_node: writeCrmNode,
  cibadmin: writeCibadmin,
  stonith_admin: writeStonithAdmin,
};

/**
 * Does a call of a tool that is to change something.
 *
 * @returns undefined for any other
 * @throws {ToolFailure} and what the connection throws, but for refusals, which are how the tool ends
 */
export async function writeByTool(call: ToolCall, cluster: ClusterConnection): Promise<ToolResult | undefined> {
  const writer = Object.hasOwn(WRITERS, call.tool) ? WRITERS[call.tool] : undefined;
  return writer === undefined ? undefined : endedBy(call, writer(call, cluster));
}

/** The result of a tool; a refusal of the server is one, too. */
export async function endedBy<Result extends ToolResult | undefined>(
  { tool }: ToolCall,
  running: Promise<Result> | Result,
): Promise<Result | ToolResult> {
  try {
    return await running;
  } catch (error) {
    if (!(error instanceof ServerRefused)) throw error;
    return refusedExit(error, tool === 'cibadmin' ? 'Call failed' : `${tool}: Error performing operation`);
  }
}
