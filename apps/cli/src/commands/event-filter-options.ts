import { Option, type Command } from 'commander';
import { wholeNumber } from './write-options.js';

/** Which events are asked for, and how many; as the commands that list some of them take it. */
export interface EventFilterFlags {
  readonly type?: readonly string[];
  readonly subject?: readonly string[];
  readonly actor?: string;
  readonly by?: string;
  readonly correlation?: string;
  readonly text?: string;
  readonly since?: string;
  readonly until?: string;
  readonly newestFirst?: boolean;
  readonly format?: 'ndjson' | 'csv';
  readonly limit: number;
}

const DEFAULT_LIMIT = 50;

/** @param examples of types and subjects, and an age that is usual */
export function addEventFilterOptions(
  command: Command,
  examples: { readonly type: string; readonly subject: string; readonly actor: string; readonly age: string },
): Command {
  return command
    .option('--type <types...>', `of these types only, e.g. ${examples.type}`)
    .option('--subject <subjects...>', examples.subject)
    .option('--actor <actor>', `by this actor only, e.g. ${examples.actor}`)
    .option('--by <command>', 'by this command only, e.g. set-standby')
    .option('--correlation <id>', 'what followed from one request only')
    .option('--text <words>', 'with these words in the reason that was given only')
    .option('--since <time>', `at or after: ISO 8601, or an age, e.g. ${examples.age}`)
    .option('--until <time>', 'before: ISO 8601, or an age')
    .option('--newest-first', 'newest first')
    .addOption(new Option('--format <format>', 'export all of them, not the newest only: one a line').choices(['ndjson', 'csv']))
    .option('-n, --limit <count>', 'at most so many of those that are there already', wholeNumber, DEFAULT_LIMIT);
}

/** The conditions that need no time, as the API takes them. */
export function wordsOf({ type, subject, actor, by, correlation, text }: Omit<EventFilterFlags, 'limit'>) {
  return {
    // What there is for types, the server says.
    ...(type === undefined ? {} : { type: [...type] as never[] }),
    ...(subject === undefined ? {} : { subject: [...subject] }),
    ...(actor === undefined ? {} : { actor }),
    ...(by === undefined ? {} : { command: by }),
    ...(correlation === undefined ? {} : { correlation }),
    ...(text === undefined ? {} : { text }),
  };
}

/** All conditions, as the API takes them. */
export function filterOf(flags: Omit<EventFilterFlags, 'limit'>) {
  const { since, until } = flags;
  return { ...wordsOf(flags), ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
}

/** What an export takes besides. */
export function exportOf({ newestFirst }: Pick<EventFilterFlags, 'newestFirst'>): { readonly order?: 'desc' } {
  return newestFirst === true ? { order: 'desc' } : {};
}

interface Page<Event> {
  readonly items: readonly Event[];
  readonly next?: string | undefined;
}

/** The first so many of a list that comes in pages. */
export async function firstOf<Event>(
  limit: number,
  read: (page: { readonly cursor?: string; readonly limit: number }) => Promise<Page<Event>>,
): Promise<readonly Event[]> {
  const found: Event[] = [];
  let page: { readonly cursor?: string } = {};
  for (;;) {
    const { items, next } = await read({ ...page, limit: Math.max(1, Math.min(limit - found.length, 1_000)) });
    found.push(...items);
    if (next === undefined || found.length >= limit) return found;
    page = { cursor: next };
  }
}
