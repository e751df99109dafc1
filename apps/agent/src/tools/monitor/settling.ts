import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolCall, ToolCluster } from '../tool.js';
import { performMonitor, type MonitorForm } from './tasks.js';

/** How often it is looked, ms: a question costs the server little as long as nothing changes. */
const LOOK_MS = 500;

/** Looks until it is so. @returns false when it is not within that time, or nobody waits any more */
export async function settle(isSo: () => Promise<boolean>, patienceMs: number, { caller }: Pick<ToolCall, 'caller'>): Promise<boolean> {
  const until = performance.now() + patienceMs;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() >= until || caller?.gone.aborted === true) return false;
    await sleep(LOOK_MS);
  }
}

/** Ids of the primitives in a resource that are active somewhere; undefined when there is no such resource. */
export async function activeIn(resource: string, cluster: ToolCluster): Promise<readonly string[] | undefined> {
  const { text, isUnknown } = await worked({ kind: 'resources', question: { about: 'active', resource } }, cluster);
  return isUnknown === true ? undefined : text.split('\n').filter((id) => id !== '');
}

/** What is in progress, and what a transition that began now would have to do, one action a line. */
export async function pendingActions(cluster: ToolCluster): Promise<readonly string[]> {
  const { text } = await worked({ kind: 'pending' }, cluster);
  return text.split('\n').filter((line) => line !== '');
}

async function worked(form: MonitorForm, cluster: ToolCluster) {
  const task = { cib: await cluster.cib(), now: Math.floor(Date.now() / 1_000), request: 'crm_resource', form };
  return cluster.monitor === undefined ? performMonitor(task) : cluster.monitor(task);
}
