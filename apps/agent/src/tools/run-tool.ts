import { ServerRefused, ServerUnavailable } from '../server/server-connection.js';
import { attrdUpdater } from './attrd-updater.js';
import { crmAttribute, crmMaster } from './attributes.js';
import { crmError } from './crm-error.js';
import { crmMon } from './crm-mon.js';
import { crmVerify } from './crm-verify.js';
import { crmadmin } from './crmadmin.js';
import { crmFailcount } from './failcount.js';
import { crmResource } from './crm-resource.js';
import { fileOf } from './input.js';
import { cibadmin, crmNode } from './queries.js';
import { stonithAdmin } from './stonith-admin.js';
import { crmStandby } from './writes/crm-standby.js';
import { crmTicket } from './writes/crm-ticket.js';
import { endedBy, writeByTool } from './writes/writing-tools.js';
import { writtenTransient } from './written-transient.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

type Tool = (call: ToolCall, cluster: ToolCluster) => Promise<ToolResult>;

const TOOLS: Readonly<Record<string, Tool>> = {
  crm_attribute: crmAttribute,
  crm_master: crmMaster,
  attrd_updater: attrdUpdater,
  crm_failcount: crmFailcount,
  crm_node: crmNode,
  crm_resource: crmResource,
  cibadmin,
  crm_mon: crmMon,
  crm_ticket: (call, cluster) => endedBy(call, crmTicket(call, cluster)),
  crm_standby: crmStandby,
  crm_error: crmError,
  crm_verify: crmVerify,
  crmadmin,
  stonith_admin: stonithAdmin,
};

/** Names of the tools that resource agents find in their PATH. */
export const TOOL_NAMES: readonly string[] = Object.keys(TOOLS);

/** Runs a tool for a resource agent. Never rejects: what goes wrong is an exit code and a message, as from the tool itself. */
export async function runTool(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  try {
    const tool = TOOLS[call.tool];
    if (tool === undefined) throw new ToolFailure(EXIT.USAGE, `there is no tool ${call.tool}`);
    const meant = clusterOf(call, cluster);
    return (await writeByTool(call, meant)) ?? (await tool(call, meant));
  } catch (error) {
    return { stdout: '', stderr: `${call.tool}: ${error instanceof Error ? error.message : String(error)}\n`, exitCode: exitCodeOf(error) };
  }
}

/** A file in the place of the cluster, as people and crmsh try things out: it is read, and not written. */
function clusterOf(call: ToolCall, cluster: ToolCluster): ToolCluster {
  const { CIB_file: file = '' } = call.env;
  if (file === '') return cluster;
  // A pipe can be read once.
  let content: Promise<string> | undefined;
  const cib = (): Promise<string> => (content ??= fileOf(call, file));
  const refuse = (): Promise<never> =>
    Promise.reject(new ToolFailure(EXIT.UNIMPLEMENTED, `CIB_file=${file} is read only: nothing was changed`));
  return {
    ...cluster,
    cib,
    setAttributes: refuse,
    request: refuse,
    transient: { own: { names: [], get: () => undefined, set: refuse }, read: async (of) => writtenTransient(await cib(), of) },
  };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ToolFailure) return error.exitCode;
  if (error instanceof ServerUnavailable) return EXIT.DISCONNECTED;
  if (error instanceof ServerRefused) return EXIT.UNAVAILABLE;
  return EXIT.ERROR;
}
