import { isProblem, ProblemError } from './problem.js';
import type { components } from './schema.js';

export type StreamedEvent = components['schemas']['EventDto'];

/** An event of any cluster, with where it is of. */
export type StreamedEntry = components['schemas']['AuditEntryDto'];

/** Conditions on what comes, as the API's parameters of the same names. */
export interface FollowFilter {
  readonly type?: readonly string[];
  readonly subject?: readonly string[];
  readonly actor?: string;
  readonly command?: string;
  readonly correlation?: string;
  readonly text?: string;
}

interface Following {
  readonly baseUrl: string;
  readonly token: string;
  readonly signal?: AbortSignal;
  /** Everything when left out. */
  readonly filter?: FollowFilter;
}

export interface FollowOptions extends Following {
  /** Id or name. */
  readonly cluster: string;
  /** Version to go on after; from now on when left out. */
  readonly after?: number;
}

export interface FollowAllOptions extends Following {
  /** Ids or names; all that there are for the token when left out. */
  readonly clusters?: readonly string[];
  /** Global position to go on after; from now on when left out. */
  readonly after?: number;
}

/** Characters of one message: no event is nearly as long. */
const LONGEST_MESSAGE = 128 * 1024 * 1024;

/** What is read is no stream of events: it has no end. */
export class MessageTooLong extends Error {
  override readonly name = 'MessageTooLong';

  constructor() {
    super('a message of the event stream does not end: is this a server of Systole, and nothing that writes on between?');
  }
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
  const path = `/v1/clusters/${encodeURIComponent(options.cluster)}/events/stream`;
  for await (const event of follow<StreamedEvent>(path, options, parametersOf(options))) {
    yield event;
    if (event.type === 'ClusterDeleted') return;
  }
}

/** The same of all clusters that there are for the token, in an order in which the events of each are in theirs. @throws {ProblemError} as {@link followEvents} */
export async function* followAllEvents(options: FollowAllOptions): AsyncGenerator<StreamedEntry, void, void> {
  const parameters = parametersOf(options);
  for (const cluster of options.clusters ?? []) parameters.append('cluster', cluster);
  yield* follow<StreamedEntry>('/v1/events/stream', options, parameters);
}

function parametersOf({ filter = {}, after }: Following & { readonly after?: number }): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    for (const one of typeof value === 'string' ? [value] : (value as readonly string[])) parameters.append(name, one);
  }
  if (after !== undefined) parameters.set('after', String(after));
  return parameters;
}

async function* follow<Event>(path: string, options: Following, parameters: URLSearchParams): AsyncGenerator<Event, void, void> {
  let lastId: string | undefined;
  while (options.signal?.aborted !== true) {
    try {
      for await (const { id, event } of openStream<Event>(path, options, parameters, lastId)) {
        lastId = id;
        // From here on the id says where it goes on.
        parameters.delete('after');
        if (event !== undefined) yield event;
      }
    } catch (error) {
      if ((error instanceof ProblemError && error.status < 500) || error instanceof MessageTooLong) throw error;
    }
    await pause(RETRY_MS, options.signal);
  }
}

/** A message of the stream: how far it has come, and the event; the first says only where it begins. */
interface Message<Event> {
  readonly id: string;
  readonly event?: Event;
}

async function* openStream<Event>(
  path: string,
  { baseUrl, token, signal }: Following,
  parameters: URLSearchParams,
  lastId: string | undefined,
): AsyncGenerator<Message<Event>, void, void> {
  const response = await fetch(`${baseUrl}${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`, {
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
      if (rest.length > LONGEST_MESSAGE) throw new MessageTooLong();
      for (const part of parts) {
        const id = field(part, 'id');
        const data = field(part, 'data');
        if (field(part, 'event') === 'gone') throw gone(data);
        if (id === undefined) continue;
        yield data === undefined ? { id } : { id, event: JSON.parse(data) as Event };
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
