import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '@systole/api-client';

type WriteResult = components['schemas']['WriteResultDto'];

/** Ctrl-C while the answer to a write was waited for: what became of the write, as far as the server says so. */
export class WriteInterrupted extends Error {
  override readonly name = 'WriteInterrupted';

  constructor(
    readonly outcome:
      | { readonly outcome: 'made'; readonly result: Pick<WriteResult, 'version' | 'epoch' | 'events'> }
      | { readonly outcome: 'not-made' }
      | { readonly outcome: 'unknown' },
  ) {
    super('interrupted while the answer was waited for');
  }
}

/** How long the server is asked, ms; whoever has pressed Ctrl-C does not want to wait. */
const ASKED_FOR_MS = 3_000;
const PAUSE_MS = 150;

/** Writes that are answered only when something has happened: by their own nature, or as that was asked for. */
export function waits({ url }: Request): boolean {
  const { pathname, searchParams } = new URL(url);
  return searchParams.get('wait') === 'settled' || /\/commands\/(?:restart|relocate)$/.test(pathname);
}

/**
 * Asks what became of a write whose answer nobody waits for any more. The server ends its wait when its caller has gone, and keeps the answer for whoever comes with the same Idempotency-Key; with
 * `Idempotency-Replay-Only` it does nothing that it has not done already.
 */
export async function becameOf(
  write: Request,
  send: (request: Request, options: { readonly signal: AbortSignal }) => Promise<Response>,
  forMs = ASKED_FOR_MS,
): Promise<WriteInterrupted> {
  const signal = AbortSignal.timeout(forMs);
  try {
    for (;;) {
      const request = write.clone();
      request.headers.set('idempotency-replay-only', 'true');
      const response = await send(request, { signal });
      const body = (await response.json().catch(() => undefined)) as Partial<WriteResult> & { readonly type?: string };
      if (response.ok && typeof body.version === 'number' && Array.isArray(body.events)) {
        const { version, epoch, events } = body;
        return new WriteInterrupted({ outcome: 'made', result: { version, events, ...(epoch === undefined ? {} : { epoch }) } });
      }
      if (response.status === 404 && body.type?.endsWith('/problems/request-not-found') === true) {
        return new WriteInterrupted({ outcome: 'not-made' });
      }
      if (response.status !== 503 && body.type?.endsWith('/problems/request-running') !== true) break;
      await pause(PAUSE_MS, undefined, { signal });
    }
  } catch {
    // It can't be reached, or takes too long.
  }
  return new WriteInterrupted({ outcome: 'unknown' });
}
