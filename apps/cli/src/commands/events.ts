import { unwrap, followAllEvents, followEvents, type components } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { UsageError } from '../exit-code.js';
import { renderAuditEntry } from '../render/audit-entry.js';
import { renderEvent } from '../render/event.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { addEventFilterOptions, exportOf, filterOf, firstOf, wordsOf, type EventFilterFlags } from './event-filter-options.js';

type Event = components['schemas']['EventDto'];

interface EventsFlags extends EventFilterFlags {
  readonly follow?: boolean;
  readonly allClusters?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly oldestFirst?: boolean;
}

export function addEventsCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('events')
    .description('show what happened: the newest events, oldest first; with --json one document per line')
    .option('-f, --follow', 'go on with what happens, until Ctrl-C')
    .addOption(
      new Option('--all-clusters', 'with --follow: of all clusters, from now on').conflicts(['format', 'oldestFirst', 'newestFirst']),
    )
    .option('--from <time>', 'as --since, ISO 8601 only')
    .option('--to <time>', 'as --until, ISO 8601 only')
    .addOption(new Option('--oldest-first', 'the oldest, not the newest, oldest first').conflicts(['newestFirst', 'follow']));
  addEventFilterOptions(command, {
    type: 'OperationRecorded',
    subject: 'about all of these only: names, or kinds and names, e.g. resource:db node:n1',
    actor: 'user:alice, agent:node1, worker',
    age: '2h',
  }).action(
    inSession<EventsFlags>(surroundings, async (session, flags) => {
      if (flags.allClusters === true) {
        await followAll(session, flags);
        return;
      }
      const cluster = await session.cluster();
      if (flags.format !== undefined) {
        await exportEvents(session, cluster, flags.format, flags);
        return;
      }
      // Read first, so that nothing falls between the list and the stream.
      const { version } = unwrap(await session.client.GET('/v1/clusters/{cluster}', { params: { path: { cluster } } }));
      const shown = await eventsOf(session, cluster, flags);
      for (const event of shown) show(session, event);
      if (flags.follow === true) await follow(session, cluster, flags, Math.max(version, shown.at(-1)?.version ?? 0));
    }),
  );
}

function show({ show, paint }: Session, event: Event): void {
  show(event, () => renderEvent(event, paint));
}

async function eventsOf({ client }: Session, cluster: string, flags: EventsFlags): Promise<readonly Event[]> {
  const { limit, newestFirst, oldestFirst } = flags;
  const order = oldestFirst === true ? ('asc' as const) : ('desc' as const);
  const found = await firstOf(limit, async (page) => {
    const query = { ...eventsFilterOf(flags), order, ...page };
    return unwrap(await client.GET('/v1/clusters/{cluster}/events', { params: { path: { cluster }, query } }));
  });
  return newestFirst === true || oldestFirst === true ? found : [...found].reverse();
}

function eventsFilterOf(flags: EventsFlags) {
  const { from, to } = flags;
  return { ...filterOf(flags), ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** As they come: there may be millions of them. */
async function exportEvents(session: Session, cluster: string, format: 'ndjson' | 'csv', flags: EventsFlags): Promise<void> {
  const query = { ...eventsFilterOf(flags), format, ...exportOf(flags) };
  const { client } = session;
  const answer = await client.GET('/v1/clusters/{cluster}/events/export', { params: { path: { cluster }, query }, parseAs: 'stream' });
  await writeStream(session, unwrap(answer));
}

/**
 * Writes an answer that was asked for as a stream, piece by piece, to standard output where nothing else is given.
 *
 * @param stream typed by the API's description as a text
 */
export async function writeStream({ terminal }: Session, stream: unknown, write?: (bytes: Uint8Array) => Promise<unknown>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of wholeOf(stream as ReadableStream<Uint8Array> | null)) {
    if (write === undefined) terminal.write(decoder.decode(bytes, { stream: true }));
    else await write(bytes);
  }
}

/** @throws {Error} where it ends before it is complete, saying so */
async function* wholeOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  const cut = (cause: unknown): Error =>
    new Error(`the answer was cut off after ${String(bytes)} bytes: what came of it is not complete; ask again`, { cause });
  const reader = stream?.getReader();
  try {
    for (;;) {
      const read = await reader?.read().catch((error: unknown) => {
        throw cut(error);
      });
      if (read === undefined || read.done) return;
      bytes += read.value.length;
      yield read.value;
    }
  } finally {
    // Where it can't be written nobody needs the rest.
    await reader?.cancel().catch(() => undefined);
  }
}

async function follow(session: Session, cluster: string, flags: EventsFlags, after: number): Promise<void> {
  const stream = followEvents({ ...followingOf(session), cluster, after, filter: wordsOf(flags) });
  for await (const event of stream) show(session, event);
}

async function followAll(session: Session, flags: EventsFlags): Promise<void> {
  const { follow: isFollowed, since, until, from, to } = flags;
  if (isFollowed !== true || [since, until, from, to].some((time) => time !== undefined)) {
    throw new UsageError(
      '--all-clusters goes with --follow, and shows what happens from now on: "systole audit list --everything" shows what happened in all clusters',
    );
  }
  for await (const entry of followAllEvents({ ...followingOf(session), filter: wordsOf(flags) })) {
    session.show(entry, () => renderAuditEntry(entry, session.paint));
  }
}

function followingOf({ settings, terminal }: Session) {
  return { baseUrl: settings.server, token: settings.token, signal: terminal.interrupted };
}
