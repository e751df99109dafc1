import { isoDurationSeconds, parseInterval, primitiveIdOf } from '@systole/cib';
import type { ParsedArguments } from '../arguments.js';
import { activeIn, settle } from '../monitor/settling.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from '../tool.js';
import { callerOf, said } from './command-line.js';

/** How long a restart may take where nobody says, ms: whoever restarts waits for it. */
const PATIENCE_MS = 60 * 60 * 1_000;

/** `--timeout`, ms. @throws {ToolFailure} for what is no time */
export function patienceIn({ options: { timeout } }: ParsedArguments): number {
  if (timeout === undefined) return PATIENCE_MS;
  const seconds = isoDurationSeconds(timeout);
  const ms = seconds === undefined ? parseInterval(timeout) : seconds * 1_000;
  if (ms === undefined || ms <= 0) throw new ToolFailure(EXIT.USAGE, `--timeout is a time such as 30s, not ${timeout}`);
  return ms;
}

/** `--restart`: stops a resource, waits until all of it is stopped, lets it start again, and waits until the cluster has come to rest. Its `target-role` stays what it was, whatever becomes of the tool. */
export async function restart(named: string, parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  if (parsed.options['node'] !== undefined)
    throw new ToolFailure(
      EXIT.UNIMPLEMENTED,
      'a resource is restarted everywhere: leave --node out, or ban it from the node, and clear the ban',
    );
  const patience = patienceIn(parsed);
  const resource = primitiveIdOf(named);
  const active = await activeIn(resource, cluster);
  if (active === undefined)
    throw new ToolFailure(EXIT.NO_SUCH, `Resource '${named}' not found\nError performing operation: No such object`);
  if (active.length === 0) {
    const words = `${named} is not running anywhere and so cannot be restarted\ncrm_resource: Error performing operation: No such object\n`;
    return { stdout: '', stderr: words, exitCode: EXIT.NO_SUCH };
  }
  const by = callerOf(call);
  await cluster.request({ ask: 'begin-restart', resource, seconds: Math.ceil(patience / 1_000) }, by);
  const isStopped = await settle(async () => ((await activeIn(resource, cluster)) ?? []).length === 0, patience, call);
  await cluster.request({ ask: 'end-restart', resource }, by);
  const stopping = `Waiting for ${String(active.length)} resources to stop:\n${listed(active)}`;
  if (!isStopped)
    return { stdout: stopping, stderr: `crm_resource: Could not complete restart of ${named}: it did not stop\n`, exitCode: EXIT.TIMEOUT };
  const isBack = await settle(async () => ((await activeIn(resource, cluster)) ?? []).length >= active.length, patience, call);
  const starting = `Waiting for ${String(active.length)} resources to start again:\n${listed(active)}`;
  if (isBack) return said(`${stopping}${starting}`);
  return { stdout: `${stopping}${starting}`, stderr: `crm_resource: Could not complete restart of ${named}\n`, exitCode: EXIT.TIMEOUT };
}

function listed(ids: readonly string[]): string {
  return ids.map((id) => ` * ${id}\n`).join('');
}
