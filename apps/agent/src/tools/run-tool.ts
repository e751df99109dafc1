import { printableLines } from '@systole/protocol';
import { attrdUpdater } from './attrd-updater.js';
import { cibadmin } from './cibadmin.js';
import { crmDiff } from './crm-diff.js';
import { crmNode } from './crm-node.js';
import { iso8601 } from './iso8601.js';
import { crmAttribute, crmMaster } from './attributes.js';
import { crmError } from './crm-error.js';
import { crmMon } from './crm-mon.js';
import { crmRule } from './crm-rule.js';
import { crmShadow } from './crm-shadow.js';
import { crmVerify } from './crm-verify.js';
import { crmadmin } from './crmadmin.js';
import { crmFailcount } from './failcount.js';
import { failedResult } from './failures.js';
import { crmResource } from './crm-resource.js';
import { fileOf } from './input.js';
import { shadowFile } from './shadow-file.js';
import { writtenToFile } from './writes/file-cib.js';
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
  crm_shadow: crmShadow,
  crm_rule: crmRule,
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
    return complaining(await tool(call, meant));
  } catch (error) {
    return complaining(failedResult(call, error));
  }
}

/** What a tool complains of is for people, and names what strangers wrote; what it answers may be data, which is handed on as it is. */
function complaining(result: ToolResult): ToolResult {
  return result.stderr === '' ? result : { ...result, stderr: printableLines(result.stderr) };
}

/** What programs of another account than root see: what is private to root's is not there, and nothing is changed. */
function readingOnly({ force, ...cluster }: ToolCluster): ToolCluster {
  const refuse = (): Promise<never> => Promise.reject(new ToolFailure(EXIT.DENIED, 'only root has anything changed: this account may ask'));
  return {
    ...cluster,
    setAttributes: refuse,
    request: refuse,
    ...(force === undefined ? {} : { force: refuse }),
    transient: {
      read: async (of) => (await cluster.transient.read(of)).filter((one) => one.private !== true),
      own: { names: [], get: () => undefined, set: refuse },
    },
  };
}

/** What a call asks in the place of the cluster, as people, crmsh and pcs try things out. */
function insteadOf({ tool, env }: ToolCall): { readonly path: string; readonly says: string } | undefined {
  const { CIB_shadow: shadow = '', CIB_file: file = '' } = env;
  // A copy is of what is asked else.
  if (shadow !== '' && tool !== 'crm_shadow') return { path: shadowFile({ env }, shadow), says: `CIB_shadow=${shadow}` };
  return file === '' ? undefined : { path: file, says: `CIB_file=${file}` };
}

/** Such a file has what is configured written into it; attributes of the status, and what is done to a cluster, are not for it. */
function clusterOf(call: ToolCall, cluster: ToolCluster): ToolCluster {
  const instead = insteadOf(call);
  if (instead === undefined) return cluster;
  const { path, says } = instead;
  // A pipe can be read once.
  let content: Promise<string> | undefined;
  const cib = (): Promise<string> => (content ??= fileOf(call, path, says.startsWith('CIB_shadow') ? EXIT.NO_SUCH : EXIT.NO_INPUT));
  const refuse = (): Promise<never> =>
    Promise.reject(new ToolFailure(EXIT.UNIMPLEMENTED, `of ${says} nothing but the configuration is written: nothing was changed`));
  const request: ToolCluster['request'] = async (asked) => {
    const { caller } = call;
    if (caller === undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, `${says} can't be written here`);
    const before = await cib();
    const next = writtenToFile(before, asked, Math.floor(Date.now() / 1_000));
    caller.overwrite(path, next);
    content = Promise.resolve(next);
    return { changed: next !== before };
  };
  const setAttributes: ToolCluster['setAttributes'] = async (changes) => {
    for (const { node = cluster.node, name, value, lifetime, add } of changes) {
      if (lifetime !== 'forever' || add !== undefined) await refuse();
      await request({ ask: 'set-node-attribute', node, name, value, lifetime: 'forever' }, { tool: call.tool });
    }
  };
  return {
    ...withoutFencing(cluster),
    cib,
    setAttributes,
    request,
    transient: { own: { names: [], get: () => undefined, set: refuse }, read: async (of) => writtenTransient(await cib(), of) },
  };
}

/** A file has no nodes that could have been fenced. */
function withoutFencing({ fencing: _, ...others }: ToolCluster): ToolCluster {
  return others;
}
