import { unwrap, type components } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { renderEvent } from '../render/event.js';
import { printedLines } from '../render/printed.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { addReasonedWriteOptions, because, showWriteResult, wholeNumber, writeParams, type ReasonFlags } from './write-options.js';

type Entry = components['schemas']['ResourceHistoryEntryDto'];

interface HistoryFlags {
  readonly since?: string;
  readonly until?: string;
  readonly oldestFirst?: boolean;
  readonly newestFirst?: boolean;
  readonly printed?: boolean;
  readonly limit: number;
}

interface RestoreFlags extends ReasonFlags {
  readonly at?: string;
}

const DEFAULT_LIMIT = 50;

export function addHistoryCommands(program: Command, surroundings: Surroundings): void {
  program
    .command('history <resource>')
    .description('what happened to a resource: changes, operations, failures, moves, the fencing of its nodes; the newest, oldest first')
    .option('--since <time>', 'at or after: ISO 8601, or an age, e.g. 2h')
    .option('--until <time>', 'before: ISO 8601, or an age')
    .option('--newest-first', 'newest first')
    .addOption(new Option('--oldest-first', 'the oldest, not the newest, oldest first').conflicts('newestFirst'))
    .option('--printed', 'also the end of what agents printed when they failed')
    .option('-n, --limit <count>', 'at most so many', wholeNumber, DEFAULT_LIMIT)
    .action(
      inSession<HistoryFlags>(surroundings, async (session, flags, [resource = '']) => {
        for (const entry of await entriesOf(session, resource, flags)) {
          session.show(entry, () => {
            const [line = '', ...details] = renderEvent(entry.event, session.paint);
            return [`${entry.kind.padEnd(13)}  ${line}`, ...details, ...(flags.printed === true ? printedLines(entry) : [])];
          });
        }
      }),
    );

  addReasonedWriteOptions(program.command('restore [version]'))
    .description('bring the configuration of an earlier version, or time, back')
    .option('--at <time>', 'as it was at this time: ISO 8601, or an age, e.g. 2h')
    .action(
      inSession<RestoreFlags>(surroundings, async (session, flags, [version]) => {
        const { query, header } = writeParams(flags);
        // Who goes back means to give up what came since; --if-version says up to where.
        const params = { path: { cluster: await session.cluster() }, query, header: { 'If-Match': '*', ...header } };
        const body = {
          ...(version === undefined ? {} : { version: wholeNumber(version) }),
          ...(flags.at === undefined ? {} : { at: flags.at }),
          ...because(flags),
        };
        showWriteResult(session, unwrap(await session.client.POST('/v1/clusters/{cluster}/restore', { params, body })));
      }),
    );
}

async function entriesOf({ client, cluster: clusterOf }: Session, resource: string, flags: HistoryFlags): Promise<readonly Entry[]> {
  const { since, until, oldestFirst, newestFirst, limit } = flags;
  const cluster = await clusterOf();
  const found: Entry[] = [];
  for (let page: { readonly cursor?: string } = {}; ;) {
    const query = {
      ...page,
      order: oldestFirst === true ? ('asc' as const) : ('desc' as const),
      limit: Math.min(limit - found.length, 500),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    };
    const params = { path: { cluster, resource }, query };
    const { items, next } = unwrap(await client.GET('/v1/clusters/{cluster}/resources/{resource}/history', { params }));
    found.push(...items);
    if (next === undefined || found.length >= limit) return oldestFirst === true || newestFirst === true ? found : found.reverse();
    page = { cursor: next };
  }
}
