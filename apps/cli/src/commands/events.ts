import { unwrap, followEvents, type components } from '@systole/api-client';
import type { Command } from 'commander';
import { renderEvent } from '../render/event.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { wholeNumber } from './write-options.js';

type Event = components['schemas']['EventDto'];

interface EventsFlags {
  readonly follow?: boolean;
  readonly type?: readonly string[];
  readonly subject?: string;
  readonly actor?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

const DEFAULT_LIMIT = 50;

export function addEventsCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('events')
    .description('show what happened: the newest events, oldest first; with --json one document per line')
    .option('-f, --follow', 'go on with what happens, until Ctrl-C')
    .option('--type <types...>', 'of these types only, e.g. OperationRecorded')
    .option('--subject <id>', 'about this resource, node, constraint or attribute only')
    .option('--actor <actor>', 'by this actor only, e.g. user:alice, agent:node1, worker')
    .option('--from <time>', 'at or after (ISO 8601)')
    .option('--to <time>', 'before (ISO 8601)')
    .option('-n, --limit <count>', 'at most so many of those that are there already', wholeNumber, DEFAULT_LIMIT)
    .action(
      inSession<EventsFlags>(surroundings, async (session, flags) => {
        const cluster = await session.cluster();
        // Read first, so that nothing falls between the list and the stream.
        const { version } = unwrap(await session.client.GET('/v1/clusters/{cluster}', { params: { path: { cluster } } }));
        const newest = await newestEvents(session, cluster, flags);
        for (const event of newest) show(session, event);
        if (flags.follow === true) await follow(session, cluster, flags, Math.max(version, newest.at(-1)?.version ?? 0));
      }),
    );
}

function show({ show, paint }: Session, event: Event): void {
  show(event, () => renderEvent(event, paint));
}

async function newestEvents({ client }: Session, cluster: string, flags: EventsFlags): Promise<readonly Event[]> {
  const { type, subject, actor, from, to, limit } = flags;
  const found: Event[] = [];
  let page: { readonly cursor?: string } = {};
  for (;;) {
    const query = {
      ...page,
      order: 'desc' as const,
      limit: Math.min(limit - found.length, 1_000),
      ...(type === undefined ? {} : { type: [...type] }),
      ...(subject === undefined ? {} : { subject }),
      ...(actor === undefined ? {} : { actor }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
    const { items, next } = unwrap(await client.GET('/v1/clusters/{cluster}/events', { params: { path: { cluster }, query } }));
    found.push(...items);
    if (next === undefined || found.length >= limit) return found.reverse();
    page = { cursor: next };
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

function concerns(event: Event, { type, subject, actor }: EventsFlags): boolean {
  return (
    (type === undefined || type.includes(event.type)) &&
    (subject === undefined || event.subjects.includes(subject)) &&
    (actor === undefined || event.actor === actor)
  );
}
