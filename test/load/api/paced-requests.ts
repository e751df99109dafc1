import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithRun } from '../service/interrupted.js';
import type { RequestsOutcome, RequestsTask } from './requests.js';

/** Has a process of its own ask, so that what the measurement itself does delays nothing. @throws {Error} when that process breaks */
export async function pacedRequests(task: RequestsTask): Promise<RequestsOutcome> {
  const child = fork(fileURLToPath(new URL('./requests-process.js', import.meta.url)), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  endWithRun(child);
  const exited = once(child, 'exit');
  child.send(task);
  const [outcome] = (await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('the process that asks ended early'))),
  ])) as [RequestsOutcome];
  await exited;
  return outcome;
}
