import { ServerRefused, ServerUnavailable } from '../server/server-connection.js';
import { attrdUpdater } from './attrd-updater.js';
import { cibadmin } from './cibadmin.js';
import { crmDiff } from './crm-diff.js';
import { crmNode } from './crm-node.js';
import { iso8601 } from './iso8601.js';
import { crmAttribute, crmMaster } from './attributes.js';
import { crmError } from './crm-error.js';
import { crmMon } from './crm-mon.js';
import { crmVerify } from './crm-verify.js';
import { crmadmin } from './crmadmin.js';
import { crmFailcount } from './failcount.js';
import { crmResource } from './crm-resource.js';
import { fileOf } from './input.js';
import { writtenToFile } from './writes/file-cib.js';
import { refusedExit } from './writes/tool-exits.js';
import { stonithAdmin } from './stonith-admin.js';
import { crmStandby } from './writes/crm-standby.js';
import { crmTicket } from './writes/crm-ticket.js';
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
  crm_ticket: crmTicket,
  crm_standby: crmStandby,
  crm_error: crmError,
  crm_verify: crmVerify,
  crmadmin,
  stonith_admin: stonithAdmin,
  crm_diff: crmDiff,
  iso8601,
  crm_shadow: refused('changes are tried by "systole what-if", and by --dry-run of each command; CIB_file asks a file'),
  crm_rule: refused('whether a rule holds is told by "systole explain" of what it is for'),
  crm_report: refused('what happened is in the event log: "systole events", "systole audit evidence"'),
};

/** A tool that is known, and not done: for what there is instead. */
function refused(why: string): Tool {
  return () => Promise.reject(new ToolFailure(EXIT.UNIMPLEMENTED, `is not done here: ${why}`));
}

/** Names of the tools that resource agents find in their PATH. */
export const TOOL_NAMES: readonly string[] = Object.keys(TOOLS);

/** Runs a tool for a resource agent. Never rejects: what goes wrong is an exit code and a message, as from the tool itself. */
export async function runTool(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  try {
    const tool = Object.hasOwn(TOOLS, call.tool) ? TOOLS[call.tool] : undefined;
    if (tool === undefined) throw new ToolFailure(EXIT.USAGE, `there is no tool ${call.tool}`);
    const meant = clusterOf(call, call.isReader === true ? readingOnly(cluster) : cluster);
    return await tool(call, meant);
  } catch (error) {
    if (error instanceof ServerRefused) {
      return refusedExit(error, call.tool === 'cibadmin' ? 'Call failed' : `${call.tool}: Error performing operation`);
    }
    return { stdout: '', stderr: `${call.tool}: ${error instanceof Error ? error.message : String(error)}\n`, exitCode: exitCodeOf(error) };
  }
}

/** What programs of another account than root see: what is private to root's is not there, and nothing is changed. */
function readingOnly({ force, ...cluster }: ToolCluster): ToolCluster {
  const refuse = (): Promise<never> => Promise.reject(new ToolFailure(EXIT.DENIED, 'only root has anything changed: this account may ask'));
  return {
    ...cluster,
    setAttributes: refuse,
    request: refuse,
    ...(force === undefined ? {} : { force: refuse }),
    transient: { ...cluster.transient, own: { names: [], get: () => undefined, set: refuse } },
  };
}

/** A file in the place of the cluster, as people, crmsh and pcs try things out: attributes and what is no configuration are not written. */
function clusterOf(call: ToolCall, cluster: ToolCluster): ToolCluster {
  const { CIB_file: file = '' } = call.env;
  if (file === '') return cluster;
  // A pipe can be read once.
  let content: Promise<string> | undefined;
  const cib = (): Promise<string> => (content ??= fileOf(call, file));
  const refuse = (): Promise<never> =>
    Promise.reject(new ToolFailure(EXIT.UNIMPLEMENTED, `of CIB_file=${file} attributes are not written: nothing was changed`));
  const request: ToolCluster['request'] = async (asked) => {
    const { caller } = call;
    if (caller === undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, `CIB_file=${file} can't be written here`);
    const next = writtenToFile(await cib(), asked, Math.floor(Date.now() / 1_000));
    caller.overwrite(file, next);
    content = Promise.resolve(next);
    return { changed: true };
  };
  return {
    ...cluster,
    cib,
    setAttributes: refuse,
    request,
    transient: { own: { names: [], get: () => undefined, set: refuse }, read: async (of) => writtenTransient(await cib(), of) },
  };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ToolFailure) return error.exitCode;
  if (error instanceof ServerUnavailable) return EXIT.DISCONNECTED;
  return EXIT.ERROR;
}
