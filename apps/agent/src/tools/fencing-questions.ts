import { element, serializeXml } from '@systole/cib';
import { printableLine, type FencingAnswer } from '@systole/protocol';
import { fencingElement, fencingLine, type FencingRecord } from '@systole/simulator';
import { ServerRefused } from '../server/server-connection.js';
import { ctime } from './ctime.js';
import { type Answer, listBlock } from './output-format.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster } from './tool.js';
import { callerOf } from './writes/command-line.js';

/** What stands for every node. */
const ALL = '*';

/** How Pacemaker's tool names what is done to a node, where by other words than the option that asks for it. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['off', 'turning off'],
  ['on', 'turning on'],
]);

export interface HistoryForm {
  /** Nothing but when fencing succeeded last, epoch seconds. */
  readonly isQuiet: boolean;
  /** All nodes are to be asked for what they know: the servers know it. */
  readonly isGathered: boolean;
}

/** `--history`: how a node, or every one, is being fenced and was, the newest first, all of it as with Pacemaker's `--verbose`; without what somebody has noted to have seen. */
export async function historyAnswer(node: string, { isQuiet, isGathered }: HistoryForm, cluster: ToolCluster): Promise<Answer> {
  const { history } = await askOf(meant(node), cluster);
  const xml = [historyBlock(history)];
  if (isQuiet) {
    const last = lastSuccess(history);
    return { ...answering(last === undefined ? [] : [String(last.completedAt)]), xml };
  }
  return { ...answering([...(isGathered ? [GATHERED] : []), ...history.map(historyLine), counted(history.length, 'event')]), xml };
}

const GATHERED = 'gather fencing-history from all nodes';

function historyLine(record: FencingRecord): string {
  return fencingLine({ ...record, action: ACTIONS.get(record.action) ?? record.action }, 'completed');
}

/** The newest that has switched a node off, if only to start it again. */
function lastSuccess(history: readonly FencingRecord[]): (FencingRecord & { readonly completedAt: number }) | undefined {
  for (const { completedAt, ...one } of history)
    if (one.action !== 'on' && one.status === 'success' && completedAt !== undefined) return { ...one, completedAt };
  return undefined;
}

/** `--history --cleanup`: notes that it was seen. */
export async function historySeen(
  node: string,
  { isQuiet, isGathered }: HistoryForm,
  call: ToolCall,
  cluster: ToolCluster,
): Promise<Answer> {
  const of = meant(node);
  await cluster.request({ ask: 'clear-fencing-history', ...(of === undefined ? {} : { node: of }) }, callerOf(call));
  return answering(isQuiet ? [] : [`cleaning up fencing-history for node ${node}`, ...(isGathered ? [GATHERED] : [])]);
}

/** `--last`: when a node was switched off last, as far as it was not noted to have been seen. */
export async function lastFenced(node: string, cluster: ToolCluster): Promise<Answer> {
  const { history } = await askOf(meant(node), cluster);
  const last = lastSuccess(history);
  if (last === undefined) return answering([`Node ${node} has never been fenced`]);
  const { completed: when = '' } = fencingElement(last).attributes;
  const xml = serializeXml(element('last-fenced', { target: last.target, when }), '  ');
  return { ...answering([`Node ${last.target} last fenced at: ${ctime(last.completedAt)}`]), xml: [xml] };
}

/** `--list`: the devices that can fence a node, as far as the configuration tells; what a device says itself is asked of it before it fences. */
export async function devicesFor(node: string, cluster: ToolCluster): Promise<Answer> {
  const { devices = [] } = await askOf(needed(node), cluster);
  return devicesAnswer(devices);
}

/** Fence devices as Pacemaker's tool lists them, whichever these are. @param devices ids */
export function devicesAnswer(devices: readonly string[]): Answer {
  const items = devices.map((text) => ({ name: 'device', text }));
  return { ...answering([...devices, counted(devices.length, 'fence device')]), xml: [listBlock('registered fence devices', items)] };
}

/** How all nodes are being fenced and were, the newest first. @throws as the tools that ask for nothing else end */
export async function fencingOfAll(cluster: ToolCluster): Promise<readonly FencingRecord[]> {
  return (await askOf(undefined, cluster)).history;
}

/** @throws {ToolFailure} where nobody knows, and what the connection throws */
async function askOf(node: string | undefined, { fencing }: ToolCluster): Promise<FencingAnswer> {
  if (fencing === undefined)
    throw new ToolFailure(EXIT.UNIMPLEMENTED, 'nobody was fenced in a file: ask the cluster, without CIB_file and CIB_shadow');
  try {
    return await fencing(node);
  } catch (error) {
    if (!(error instanceof ServerRefused) || error.statusCode !== 404 || !error.problemType.endsWith('no-such-route')) throw error;
    throw new ToolFailure(
      EXIT.UNIMPLEMENTED,
      'the server is older than this tool, and tells it nothing of fencing: update the server; until then "systole fencing" has it',
    );
  }
}

/** The only node that is meant; undefined: all are. */
function meant(node: string): string | undefined {
  return node === ALL ? undefined : needed(node);
}

function needed(node: string): string {
  if (node === '') throw new ToolFailure(EXIT.USAGE, 'the name of the node is needed');
  return node;
}

function historyBlock(history: readonly FencingRecord[]): string {
  const holder = element('list', { name: 'fencing history', count: String(history.length) }, history.map(fencingElement));
  return serializeXml(holder, '  ');
}

function answering(lines: readonly string[]): Answer {
  return { stdout: lines.map((line) => `${printableLine(line)}\n`).join(''), stderr: '', exitCode: EXIT.OK };
}

function counted(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? '' : 's'} found`;
}
