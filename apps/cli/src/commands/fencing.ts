import { unwrap, unwrapJson, type components } from '@systole/api-client';
import type { Command } from 'commander';
import { readWhole, type Fields } from '../configuration/requests.js';
import { UsageError } from '../exit-code.js';
import { listing } from '../render/columns.js';
import { renderEvent } from '../render/event.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { outputOption, showPart } from './config.js';
import { editing, given } from './edit-command.js';
import { deletions } from './elements.js';
import { addReasonedWriteOptions, because, showWriteResult, wholeNumber, writeParams, type ReasonFlags } from './write-options.js';

interface LevelFlags {
  readonly id?: string;
  readonly pattern?: boolean;
}

const DEFAULT_LIMIT = 50;
const FENCING_EVENTS = ['FencingRequested', 'FencingCompleted', 'FencingAllowed', 'NodeConfirmedDown'] as const;
/** So many marks of what was seen are looked at, the newest. */
const MARKS = 1_000;

type Resource = components['schemas']['ResourceSummaryDto'];

function devicesIn(resource: Resource): readonly Resource[] {
  return resource.agent?.class === 'stonith' ? [resource] : resource.children.flatMap(devicesIn);
}

/** Which devices fence which nodes, one level after the other, and what came of it. */
export function addFencingCommands(program: Command, surroundings: Surroundings): void {
  const fencing = program.command('fencing').description('fence devices, topology and history ("node fence" fences a node)');
  fencing
    .command('history [node]')
    .description('show how nodes were fenced, the newest last: who asked, by which device, what came of it')
    .option('-n, --limit <count>', 'at most so many events', wholeNumber, DEFAULT_LIMIT)
    .option('--all', 'also what somebody has noted to have seen ("fencing history-cleanup")')
    .action(
      inSession<{ readonly limit: number; readonly all?: boolean }>(surroundings, async (session, { limit, all }, [node]) => {
        const query = { type: [...FENCING_EVENTS], ...(node === undefined ? {} : { subject: [node] }), order: 'desc' as const };
        const params = { path: { cluster: await session.cluster() }, query: { ...query, limit: Math.min(limit, 1_000) } };
        const found = unwrap(await session.client.GET('/v1/clusters/{cluster}/events', { params })).items;
        const marks = all === true ? new Map<string | undefined, number>() : await seenMarks(session, params.path.cluster);
        const items = found.filter((event) => !isSeen(event, marks)).toReversed();
        const never = node === undefined ? 'No node was fenced yet.' : `${node} was not fenced yet, nor did it fence anybody.`;
        const none = found.length === 0 ? never : 'Nothing since it was last seen (--all shows what was before).';
        session.show({ items }, () => (items.length === 0 ? [none] : items.flatMap((event) => renderEvent(event, session.paint))));
      }),
    );

  addReasonedWriteOptions(fencing.command('history-cleanup [node]'))
    .description('note that how nodes (or one) were fenced until now was seen: history and status show what comes after it')
    .action(
      inSession<ReasonFlags>(surroundings, async (session, flags, [node]) => {
        const params = { path: { cluster: await session.cluster() }, ...writeParams(flags) };
        const body = { ...(node === undefined ? {} : { node }), ...because(flags) };
        showWriteResult(
          session,
          unwrap(await session.client.POST('/v1/clusters/{cluster}/commands/clear-fencing-history', { params, body })),
        );
      }),
    );

  fencing
    .command('devices')
    .description('list the fence devices, and which node watches each')
    .action(
      inSession(surroundings, async (session) => {
        const params = { path: { cluster: await session.cluster() } };
        const headers = { accept: 'application/json' };
        const { resources } = unwrapJson(await session.client.GET('/v1/clusters/{cluster}/status', { params, headers }));
        const items = resources.flatMap(devicesIn);
        session.show({ items }, () =>
          listing(
            ['DEVICE', 'AGENT', 'ROLE', 'NODE'].map((title) => session.paint('bold', title)),
            items.map(({ id, agent, role, activeOn }) => [id, agent?.type ?? '', role, activeOn.join(', ')]),
            'There is no fence device: "systole resource create <id> stonith:<agent> …".',
          ),
        );
      }),
    );

  fencing
    .command('nodes')
    .description('list what fences each node when it is lost: devices, its own watchdog, or nothing')
    .action(
      inSession(surroundings, async (session) => {
        const params = { path: { cluster: await session.cluster() } };
        const headers = { accept: 'application/json' };
        const { nodes } = unwrapJson(await session.client.GET('/v1/clusters/{cluster}/status', { params, headers }));
        const items = nodes.flatMap(({ name, protection }) => (protection === undefined ? [] : [{ node: name, ...protection }]));
        session.show({ items }, () =>
          listing(
            ['NODE', 'FENCED BY', 'WATCHDOG'].map((title) => session.paint('bold', title)),
            items.map(({ node, devices, watchdog }) => [node, devices.join(', ') || 'nothing', watchdogText(watchdog)]),
            'Fencing is switched off: nothing fences any node.',
          ),
        );
      }),
    );

  const level = fencing.command('level').alias('levels').description('which devices fence a node, one level after the other');

  level
    .command('list')
    .description('list the levels')
    .addOption(outputOption())
    .action(
      inSession<{ readonly output?: 'text' }>(surroundings, async (session, flags) => {
        await showPart(session, flags, 'fencing-level', undefined);
      }),
    );

  editing<LevelFlags>(
    level.command('add <index> <target> <devices...>'),
    surroundings,
    ({ flags, operands: [index = '', target = '', ...devices] }) => {
      const who = flags.pattern === true ? { 'target-pattern': target } : targetOf(target);
      const element = { element: 'fencing-level', ...given({ id: flags.id, ...who, index, devices: devices.join(',') }) };
      return { edits: [{ edit: 'create', collection: 'fencing-levels', element }] };
    },
  )
    .description('add a level (1 is tried first) for a node, or for nodes with an attribute (rack=r1); its devices all have to succeed')
    .option('--pattern', 'the target is a regular expression that names of nodes match')
    .option('--id <id>', 'its id; made of target and index when left out');

  editing(level.command('delete <id-or-index> [target]'), surroundings, async ({ session, operands: [first = '', target] }) => {
    if (target === undefined) return { edits: deletions('fencing-level', [first], undefined) };
    const { value, tag } = await readWhole(session);
    const wanted = Object.entries(targetOf(target));
    const ids = levelsIn(value).flatMap((one) =>
      one['index'] === first && (one['target-pattern'] === target || wanted.every(([field, text]) => one[field] === text))
        ? [String(one['id'])]
        : [],
    );
    if (ids.length === 0) throw new UsageError(`there is no level ${first} of ${target}: see "systole fencing level list"`);
    return { edits: deletions('fencing-level', ids, undefined), tag };
  }).description('delete a level, by its id, or by index and target');
}

function watchdogText(watchdog: components['schemas']['NodeWatchdogDto'] | undefined): string {
  if (watchdog === undefined) return 'none that is known';
  const { timeoutMs, armedSince, countedAfterMs } = watchdog;
  const armed = armedSince === undefined ? 'not known to be armed' : `armed since ${armedSince}`;
  const counts = countedAfterMs === undefined ? 'does not count' : `counts ${String(countedAfterMs / 1_000)} s after the loss of the lease`;
  return `${String(timeoutMs / 1_000)} s, ${armed}, ${counts}`;
}

type Event = components['schemas']['EventDto'];

/** Of whose fencing somebody has noted that it was seen, until which version: a node's, or (no name) everybody's. */
async function seenMarks(session: Session, cluster: string): Promise<ReadonlyMap<string | undefined, number>> {
  const query = { type: ['FencingHistoryCleared' as const], order: 'desc' as const, limit: MARKS };
  const { items } = unwrap(await session.client.GET('/v1/clusters/{cluster}/events', { params: { path: { cluster }, query } }));
  const marks = new Map<string | undefined, number>();
  for (const { data, version } of items.toReversed()) marks.set(textIn(data, 'node'), version);
  return marks;
}

/** Whether it came before somebody has noted that it was seen. */
function isSeen({ data, version }: Pick<Event, 'data' | 'version'>, marks: ReadonlyMap<string | undefined, number>): boolean {
  const target = textIn(data, 'target') ?? textIn(data, 'node');
  return [undefined, target].some((name) => version <= (marks.get(name) ?? 0));
}

function textIn(data: object, name: string): string | undefined {
  const value: unknown = Reflect.get(data, name);
  return typeof value === 'string' ? value : undefined;
}

function levelsIn(configuration: Fields): readonly Fields[] {
  return (configuration['fencing-levels'] ?? []) as readonly Fields[];
}

/** A node by its name, or nodes by an attribute. */
function targetOf(target = ''): Readonly<Record<string, string>> {
  const at = target.indexOf('=');
  return at <= 0 ? { target } : { 'target-attribute': target.slice(0, at), 'target-value': target.slice(at + 1) };
}
