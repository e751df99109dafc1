import { unwrap, followEvents, type components } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { renderEvent } from '../render/event.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { wholeNumber } from './write-options.js';

type Event = components['schemas']['EventDto'];

interface EventsFlags {
  readonly follow?: boolean;
  readonly type?: readonly string[];
  readonly subject?: readonly string[];
  readonly actor?: string;
  readonly by?: string;
  readonly correlation?: string;
  readonly text?: string;
  readonly since?: string;
  readonly until?: string;
  readonly from?: string;
  readonly to?: string;
  readonly newestFirst?: boolean;
  readonly oldestFirst?: boolean;
  readonly format?: 'ndjson' | 'csv';
  readonly limit: number;
}

const DEFAULT_LIMIT = 50;
const KIND = /^(?:resource|node|ticket|attribute|constraint):/;

export function addEventsCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('events')
    .description('show what happened: the newest events, oldest first; with --json one document per line')
    .option('-f, --follow', 'go on with what happens, until Ctrl-C')
    .option('--type <types...>', 'of these types only, e.g. OperationRecorded')
    .option('--subject <subjects...>', 'about all of these only: names, or kinds and names, e.g. resource:db node:n1')
    .option('--actor <actor>', 'by this actor only, e.g. user:alice, agent:node1, worker')
    .option('--by <command>', 'by this command only, e.g. set-standby')
    .option('--correlation <id>', 'what followed from one request only')
    .option('--text <words>', 'with these words in the reason that was given only')
    .option('--since <time>', 'at or after: ISO 8601, or an age, e.g. 2h')
    .option('--until <time>', 'before: ISO 8601, or an age')
    .option('--from <time>', 'as --since, ISO 8601 only')
    .option('--to <time>', 'as --until, ISO 8601 only')
    .option('--newest-first', 'newest first')
    .addOption(new Option('--oldest-first', 'the oldest, not the newest, oldest first').conflicts(['newestFirst', 'follow']))
    .addOption(new Option('--format <format>', 'export all of them, not the newest only: one a line').choices(['ndjson', 'csv']))
    .option('-n, --limit <count>', 'at most so many of those that are there already', wholeNumber, DEFAULT_LIMIT)
    .action(
      inSession<EventsFlags>(surroundings, async (session, flags) => {
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
  const found: Event[] = [];
  let page: { readonly cursor?: string } = {};
  for (;;) {
    const query = { ...page, ...filterOf(flags), order, limit: Math.min(limit - found.length, 1_000) };
    const { items, next } = unwrap(await client.GET('/v1/clusters/{cluster}/events', { params: { path: { cluster }, query } }));
    found.push(...items);
    if (next === undefined || found.length >= limit) return newestFirst === true || oldestFirst === true ? found : found.reverse();
    page = { cursor: next };
  }
}

function filterOf({ type, subject, actor, by, correlation, text, since, until, from, to }: EventsFlags) {
  return {
    ...(type === undefined ? {} : { type: [...type] as Event['type'][] }),
    ...(subject === undefined ? {} : { subject: [...subject] }),
    ...(actor === undefined ? {} : { actor }),
    ...(by === undefined ? {} : { command: by }),
    ...(correlation === undefined ? {} : { correlation }),
    ...(text === undefined ? {} : { text }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** As they come: there may be millions of them. */
async function exportEvents(session: Session, cluster: string, format: 'ndjson' | 'csv', flags: EventsFlags): Promise<void> {
  const query = { ...filterOf(flags), format, ...(flags.newestFirst === true ? { order: 'desc' as const } : {}) };
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
  for await (const bytes of (stream as ReadableStream<Uint8Array> | null) ?? []) {
    if (write === undefined) terminal.write(decoder.decode(bytes, { stream: true }));
    else await write(bytes);
  }
}

/** The stream carries everything; what is not asked for is left out here. */
async function follow(session: Session, cluster: string, flags: EventsFlags, after: number): Promise<void> {
  const { settings, terminal } = session;
  const stream = followEvents({
    baseUrl: settings.server,
    token: settings.token,
    cluster,
    signal: terminal.interrupted,
    after,
  });
  for await (const event of stream) if (concerns(event, flags)) show(session, event);
}

function concerns(event: Event, { type, subject = [], actor, by, correlation, text }: EventsFlags): boolean {
  return (
    (type === undefined || type.includes(event.type)) &&
    subject.every((one) => event.subjects.includes(one.replace(KIND, ''))) &&
    (text === undefined || hasWords(event, text)) &&
    (by === undefined || event.command === by) &&
    (correlation === undefined || event.correlationId === correlation) &&
    (actor === undefined || event.actor === actor)
  );
}

function hasWords({ data }: Event, text: string): boolean {
  const reason = 'reason' in data && typeof data['reason'] === 'string' ? data['reason'] : '';
  const words = (of: string): readonly string[] => of.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const given = new Set(words(reason));
  return words(text).every((word) => given.has(word));
}
