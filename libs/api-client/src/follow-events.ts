import { isProblem, ProblemError } from './problem.js';
import type { components } from './schema.js';

export type StreamedEvent = components['schemas']['EventDto'];

export interface FollowOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Id or name. */
  readonly cluster: string;
  /** Version to go on after; from now on when left out. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** Pause before the stream is opened again, ms. */
const RETRY_MS = 1_000;

/**
 * A cluster's events as they come, in order, none twice and none left out; a connection that breaks is opened again where it was. Ends when the signal
 * aborts or the cluster is deleted.
 *
 * @throws {ProblemError} when the server refuses, or its log no longer holds the last event (410): read the state again, then follow anew
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<StreamedEvent, void, void> {
  let lastId: string | undefined;
  while (options.signal?.aborted !== true) {
    try {
      for await (const { id, event } of openStream(options, lastId)) {
        lastId = id;
        if (event === undefined) continue;
        yield event;
        if (event.type === 'ClusterDeleted') return;
      }
    } catch (error) {
      if (error instanceof ProblemError && error.status < 500) throw error;
    }
    await pause(RETRY_MS, options.signal);
  }
}

/** A message of the stream: how far it has come, and the event; the first says only where it begins. */
interface Message {
  readonly id: string;
  readonly event?: StreamedEvent;
}

async function* openStream(options: FollowOptions, lastId: string | undefined): AsyncGenerator<Message, void, void> {
  const { baseUrl, cluster, token, after, signal } = options;
  const query = after === undefined || lastId !== undefined ? '' : `?after=${after}`;
  const response = await fetch(`${baseUrl}/v1/clusters/${encodeURIComponent(cluster)}/events/stream${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok || response.body === null) {
    const body: unknown = await response.json().catch(() => undefined);
    throw new ProblemError(response.status, isProblem(body) ? body : undefined);
  }
  // Not every browser can iterate over a stream.
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const id = field(part, 'id');
        const data = field(part, 'data');
        if (field(part, 'event') === 'gone') throw gone(data);
        if (id === undefined) continue;
        yield data === undefined ? { id } : { id, event: JSON.parse(data) as StreamedEvent };
      }
    }
  } finally {
    // Whoever stops listening lets go of the connection; one that broke has nothing to let go.
    await reader.cancel().catch(() => undefined);
  }
}

function gone(data: string | undefined): ProblemError {
  const problem: unknown = data === undefined ? undefined : JSON.parse(data);
  return new ProblemError(410, isProblem(problem) ? problem : undefined);
}

function field(message: string, name: string): string | undefined {
  return message
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
