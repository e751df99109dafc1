import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resourceName } from '../cibs.js';
import { newDirectory } from '../served.js';

const AGENT = '/usr/lib/ocf/resource.d/heartbeat/Dummy';
/** `OCF_SUCCESS` and `OCF_NOT_RUNNING` (OCF resource agent API 1.1, return codes). */
const SUCCESS = 0;
const NOT_RUNNING = 7;

/**
 * What a cold start can't go below on this machine: every resource is looked for on every node, and started on one, by nothing but a loop that calls the resource agent, as many calls at a time as
 * the machine has processors.
 * @returns s
 */
export async function bareColdStart(nodes: readonly string[], resources: number): Promise<number> {
  const directory = newDirectory();
  const ids = Array.from({ length: resources }, (_, index) => resourceName(index));
  const begin = performance.now();
  await eachOf(
    nodes.flatMap((node) => ids.map((id) => ({ node, id }))),
    ({ node, id }) => call('monitor', id, `${directory}/${node}-${id}.state`, NOT_RUNNING),
  );
  await eachOf(ids, (id) => call('start', id, `${directory}/${nodes[0] ?? ''}-${id}.state`, SUCCESS));
  const seconds = (performance.now() - begin) / 1_000;
  await rm(directory, { recursive: true, force: true });
  return seconds;
}

async function eachOf<T>(tasks: readonly T[], run: (task: T) => Promise<void>): Promise<void> {
  const left = tasks.values();
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (const task of left) await run(task);
    }),
  );
}

async function call(action: string, id: string, state: string, expected: number): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    OCF_ROOT: '/usr/lib/ocf',
    OCF_RA_VERSION_MAJOR: '1',
    OCF_RESOURCE_INSTANCE: id,
    OCF_RESOURCE_TYPE: 'Dummy',
    OCF_RESOURCE_PROVIDER: 'heartbeat',
    OCF_RESKEY_state: state,
    OCF_RESKEY_CRM_meta_interval: '0',
    OCF_RESKEY_CRM_meta_timeout: '20000',
  };
  const agent = spawn(AGENT, [action], { env, stdio: 'ignore' });
  await once(agent, 'exit');
  const code = agent.exitCode;
  if (code !== expected) throw new Error(`${AGENT} ${action} of ${id} returned ${String(code)}, not ${expected}`);
}
