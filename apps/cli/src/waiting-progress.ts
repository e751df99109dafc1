import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '@systole/api-client';
import { waits } from './interruption.js';
import type { Send } from './lost-answers.js';

type Status = Pick<components['schemas']['StatusDto'], 'transition' | 'hold' | 'recompute' | 'settled'>;

/** Nothing is shown of what is answered sooner, ms. */
const FIRST_MS = 1_000;
const EVERY_MS = 1_000;
/** Whether a server that takes longer has anything new to say nobody needs to know, ms. */
const READ_WITHIN_MS = 5_000;

interface Watching {
  /** How the status of the cluster is read, beside the request that waits. */
  readonly read: Send;
  /** Shows a line in the place of the last one; undefined takes it away. */
  readonly progress: (text: string | undefined) => void;
  readonly firstMs?: number;
  readonly everyMs?: number;
}

/** As `send`; while a write waits, it shows what for. */
export function watching(send: Send, watched: Watching): Send {
  return async (request, options) => {
    const status = waits(request) ? statusRequest(request) : undefined;
    if (status === undefined) return send(request, options);
    const answered = new AbortController();
    const signal = AbortSignal.any([answered.signal, options.signal]);
    const watch = showProgress(status, watched, signal).catch(() => undefined);
    try {
      return await send(request, options);
    } finally {
      answered.abort();
      await watch;
      watched.progress(undefined);
    }
  };
}

/** Of the cluster that a write is for. */
function statusRequest({ url, headers }: Request): Request | undefined {
  const found = /^(.*\/v1\/clusters\/[^/?]+)[/?]/.exec(url)?.[1];
  const authorization = headers.get('authorization');
  return found === undefined ? undefined : new Request(`${found}/status`, { headers: authorization === null ? {} : { authorization } });
}

async function showProgress(
  status: Request,
  { read, progress, firstMs = FIRST_MS, everyMs = EVERY_MS }: Watching,
  signal: AbortSignal,
): Promise<void> {
  const begun = performance.now();
  let text = 'the answer';
  await pause(firstMs, undefined, { signal });
  for (;;) {
    text = await read(status.clone(), { signal: AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)]) })
      .then(async (response) => (response.ok ? waitsFor((await response.json()) as Status) : text))
      .catch(() => text);
    if (signal.aborted) return;
    progress(`Waiting for ${String(Math.round((performance.now() - begun) / 1_000))} s: ${text}`);
    await pause(everyMs, undefined, { signal });
  }
}

/** What a cluster has still to do, in a line. */
export function waitsFor({ transition, hold, recompute, settled }: Status): string {
  const parts = [
    ...(transition === undefined ? [] : [transitionText(transition)]),
    ...(hold === undefined ? [] : [hold]),
    ...(transition === undefined && hold === undefined && recompute !== undefined ? ['to be planned anew'] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : settled ? 'the answer; the cluster has settled' : 'the cluster to settle';
}

function transitionText({ number, status, ended, failed, actions, waitsFor: agents = [] }: NonNullable<Status['transition']>): string {
  const outOf = actions === undefined ? '' : ` of ${String(actions)}`;
  const wrong = failed === 0 ? '' : `, ${String(failed)} not as expected`;
  const [first, ...others] = agents;
  const more = others.length === 0 ? '' : ` and ${String(others.length)} more`;
  const by = first === undefined ? '' : `, next ${first.text}${more}`;
  return `transition ${String(number)} ${status}, ${String(ended)}${outOf} actions ended${wrong}${by}`;
}
