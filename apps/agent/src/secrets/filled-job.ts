import type { Job } from '@systole/node-session';
import type { SecretAsked, SecretSources } from './secret-sources.js';

/** A job whose parameters hold what they referred to. */
export interface FilledJob {
  readonly ok: true;
  readonly job: Job;
  /** Values that nobody else may see. */
  readonly secrets: readonly string[];
}

export type Filled = FilledJob | { readonly ok: false; readonly problem: string };

/**
 * Puts the values of secrets in the place of references. Where one is missing the job fails, but for demotes, stops and probes: those are done without the parameter, as few agents need it for that, and one that can't be stopped, or of
 * which nobody knows whether it runs, would have the node fenced for the sake of a password. The time that it takes is the job's.
 */
export async function filledJob(job: Job, sources: SecretSources, abort: AbortSignal): Promise<Filled> {
  const began = performance.now();
  const { parameters, timeoutMs } = job.kind === 'fence' ? { ...job.order, timeoutMs: job.timeoutMs } : job.operation;
  const resource = job.kind === 'fence' ? job.order.deviceId : job.operation.resource.id;
  const withinMs = Math.max(1, timeoutMs / 2);
  const filled: Record<string, string> = {};
  const secrets: string[] = [];
  const asked = (parameter: string): SecretAsked => ({ resource, parameter, withinMs, abort });
  // At the same time: each of them may take as long as all of them may.
  const entries = Object.entries(parameters);
  const found = await Promise.all(entries.map(([parameter, text]) => sources.find(text, asked(parameter))));
  for (const [index, [parameter, text]] of entries.entries()) {
    const value = found[index];
    if (value === undefined) define(filled, parameter, text);
    else if (value.ok) {
      define(filled, parameter, value.value);
      if (value.value !== '') secrets.push(value.value);
    } else if (!isDoneWithout(job)) return { ok: false, problem: `the secret for ${parameter}: ${value.problem}` };
  }
  if (found.every((value) => value === undefined)) return { ok: true, job, secrets };
  const left = Math.max(1, Math.ceil(timeoutMs - (performance.now() - began)));
  if (job.kind === 'fence') return { ok: true, job: { ...job, order: { ...job.order, parameters: filled }, timeoutMs: left }, secrets };
  return { ok: true, job: { ...job, operation: { ...job.operation, parameters: filled, timeoutMs: left } }, secrets };
}

function isDoneWithout(job: Job): boolean {
  if (job.kind === 'fence') return false;
  const { operation, intervalMs, resource } = job.operation;
  // A fence device runs nowhere: its stop starts no program.
  if (resource.class === 'stonith') return operation === 'stop';
  return operation === 'stop' || operation === 'demote' || (operation === 'monitor' && intervalMs === 0);
}

/** As an own property, whatever it is called. */
function define(target: Record<string, string>, name: string, value: string): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
