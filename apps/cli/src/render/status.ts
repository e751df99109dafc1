import { activityOf, furtherTroubles, type components } from '@systole/api-client';
import { versionText } from '@systole/cluster';
import { columns } from './columns.js';
import { findingLines } from './findings.js';
import { interval, moment } from './moment.js';
import type { Paint } from './paint.js';
import { ticketLines } from './tickets.js';
import { isRemarkable, resourceRows } from './resources.js';

type Status = components['schemas']['StatusDto'];
type Node = components['schemas']['NodeDto'];

/** How much of a status is shown. */
export interface StatusDetail {
  /** Each node and resource by name; else, where there are many, only what is not ordinary. */
  readonly all?: boolean;
  /** Resources by the node where they are active. */
  readonly groupByNode?: boolean;
}

/** More nodes than these, or rows of resources, are summed up: what is ordinary is counted, and what is not is named. */
const MANY_NODES = 24;
const MANY_ROWS = 60;
/** Most lines of a section of which not everything is shown. */
const MOST_LINES = 30;

/** A cluster's status as lines, most general first; sections without content are left out. */
export function renderStatus(status: Status, paint: Paint, { all = false, groupByNode = false }: StatusDetail = {}): readonly string[] {
  const { failures, failCounts, fencing, safety, messages, findings } = status;
  return [
    `${paint('bold', status.name)}  version ${versionText(status)}, ${activity(status, paint)}`,
    ...ofThePast(status, paint),
    ...wrong(status, paint),
    `Quorum: ${quorum(status, paint)}`,
    ...nodeSection(status, paint, all),
    ...(groupByNode ? resourcesByNode(status, paint) : resourceSection(status, paint, all)),
    ...section('Tickets', some(ticketLines(status.tickets, paint), all), paint, unshown(status.tickets, all)),
    ...section(
      'Failed operations',
      columns(
        some(failures, all).map(({ resource, node, operation, intervalMs, rc, exitReason, at }) => [
          resource,
          `${operationName(operation, intervalMs)} on ${node}`,
          paint('red', `rc ${rc}`),
          exitReason ?? '',
          at === undefined ? '' : moment(at),
        ]),
        2,
      ),
      paint,
      unshown(failures, all),
    ),
    ...section(
      'Fail counts',
      columns(
        some(failCounts, all).map(({ resource, node, operation, intervalMs, count, lastFailure }) => [
          resource,
          `${operationName(operation, intervalMs)} on ${node}`,
          count,
          lastFailure === undefined ? '' : `last ${moment(lastFailure)}`,
        ]),
        2,
      ),
      paint,
      unshown(failCounts, all),
    ),
    ...section(
      'Fencing',
      some(fencing, all).map(
        ({ target, action, device, executor, attempt }) =>
          `  ${target}: ${action} with ${device}, executed by ${executor}, attempt ${attempt}`,
      ),
      paint,
      unshown(fencing, all),
    ),
    ...section(
      'Safety',
      some(safety, all).map(({ text }) => `  ${paint('yellow', text)}`),
      paint,
      unshown(safety, all),
    ),
    ...section(`Findings in the configuration (${findings.count})`, findingLines(findings, paint), paint),
    ...section(
      'The scheduler says',
      some(messages, all).map(({ level, text }) => `  ${level}: ${text}`),
      paint,
      unshown(messages, all),
    ),
  ];
}

/** What is wrong stands before everything else, and before what somebody should look at. */
function wrong(status: Status, paint: Paint): readonly string[] {
  const troubles = furtherTroubles(status);
  const texts = (wanted: Status['troubles'][number]['level']): string =>
    troubles.flatMap(({ level, text }) => (level === wanted ? [text] : [])).join('; ');
  const [bad, warn] = [texts('bad'), texts('warn')];
  return [...(bad === '' ? [] : [paint('red', `WRONG: ${bad}`)]), ...(warn === '' ? [] : [paint('yellow', `LOOK AT: ${warn}`)])];
}

function section(title: string, lines: readonly string[], paint: Paint, more = 0): readonly string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines, ...moreLines(more)];
}

function some<T>(items: readonly T[], all: boolean): readonly T[] {
  return all ? items : items.slice(0, MOST_LINES);
}

function unshown(items: readonly unknown[], all: boolean): number {
  return all ? 0 : Math.max(0, items.length - MOST_LINES);
}

function moreLines(count: number): readonly string[] {
  return count === 0 ? [] : [`  … and ${count} more (--all)`];
}

/** Of many only the ones that are not ordinary, under how many are in which state. */
function nodeSection({ nodes, counts }: Status, paint: Paint, all: boolean): readonly string[] {
  const isMuch = !all && nodes.length > MANY_NODES;
  const named = isMuch ? nodes.filter(({ wrong }) => wrong !== undefined) : nodes;
  const rows = columns(
    (isMuch ? some(named, false) : named).map((node) => nodeRow(node, paint)),
    2,
  );
  if (!isMuch) return section('Nodes', rows, paint);
  const { total, ...states } = counts.nodes;
  return ['', paint('bold', `Nodes: ${total}, ${inStates(states)}`), ...rows, ...moreLines(unshown(named, false))];
}

function resourceSection({ resources, counts }: Status, paint: Paint, all: boolean): readonly string[] {
  const rowsOf = (resource: Status['resources'][number]): readonly (readonly string[])[] => resourceRows(resource, paint);
  const rows = resources.flatMap(rowsOf);
  if (all || rows.length <= MANY_ROWS) return section('Resources', columns(rows, 2), paint);
  const named = resources.filter(isRemarkable).map(remarkableOf).flatMap(rowsOf);
  const { total, ...states } = counts.resources;
  const title = paint('bold', `Resources: ${total}, ${inStates(states)}`);
  return ['', title, ...columns(some(named, false), 2), ...moreLines(unshown(named, false))];
}

/** Primitives and instances under each node where they are active, and below these what is active nowhere. */
function resourcesByNode({ nodes, resources }: Status, paint: Paint): readonly string[] {
  const parts = resources.flatMap(partsOf);
  const under = (title: string, active: readonly Status['resources'][number][]): readonly string[] =>
    active.length === 0
      ? []
      : [
          `  ${title}`,
          ...columns(
            active.flatMap((part) => resourceRows({ ...part, children: [] }, paint)),
            4,
          ),
        ];
  return section(
    'Resources by node',
    [
      ...nodes.flatMap(({ name }) =>
        under(
          name,
          parts.filter(({ activeOn }) => activeOn.includes(name)),
        ),
      ),
      ...under(
        'on no node',
        parts.filter(({ activeOn }) => activeOn.length === 0),
      ),
    ],
    paint,
  );
}

function partsOf(resource: Status['resources'][number]): readonly Status['resources'][number][] {
  return resource.kind === 'primitive' ? [resource] : resource.children.flatMap(partsOf);
}

/** Without what in it is ordinary. */
function remarkableOf(resource: Status['resources'][number]): Status['resources'][number] {
  return { ...resource, children: resource.children.filter(isRemarkable).map(remarkableOf) };
}

/** `997 online, 2 offline`. */
function inStates(states: Readonly<Record<string, number>>): string {
  return Object.entries(states)
    .flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]))
    .join(', ');
}

/** That it is not the present, and what nobody knows of then. */
function ofThePast({ past }: Status, paint: Paint): readonly string[] {
  if (past === undefined) return [];
  const unknown = past.unknown.map((what) => what.replaceAll('-', ' ')).join(', ');
  return [paint('yellow', `AS OF ${moment(past.at)}, not now. Nobody knows of then: ${unknown}`)];
}

const MOODS = { calm: undefined, busy: 'yellow', waiting: 'yellow', warn: 'yellow', bad: 'red' } as const;

function activity(status: Status, paint: Paint): string {
  const { mood, text } = activityOf(status);
  const said = mood === 'bad' ? text.toUpperCase() : text;
  const colour = MOODS[mood];
  return colour === undefined ? said : paint(colour, said);
}

function quorum({ quorum }: Status, paint: Paint): string {
  if (quorum === undefined) return 'unknown until the first node joins';
  const votes = `${quorum.votes} of ${quorum.expectedVotes} votes`;
  return quorum.quorate ? `yes, ${votes}` : paint('red', `NO, ${votes}`);
}

/** A node as a row: name, state, remarks. */
export function nodeRow(node: Node, paint: Paint): readonly string[] {
  return [node.name, nodeState(node, paint), [...nodeNotes(node)].join(', ')];
}

function nodeState({ unclean, online, standby, maintenance, pending }: Node, paint: Paint): string {
  if (unclean) return paint('red', online ? 'UNCLEAN (online)' : 'UNCLEAN');
  if (pending) return paint('yellow', 'pending');
  if (!online) return paint('red', 'offline');
  if (standby) return paint('yellow', 'standby');
  if (maintenance) return paint('yellow', 'maintenance');
  return paint('green', 'online');
}

function* nodeNotes({ kind, membership, since, shutdown, online, standby, actionLimit, modes = [] }: Node): Generator<string> {
  if (kind !== 'cluster') yield kind;
  if (membership === 'joined' && actionLimit !== undefined)
    yield `at most ${actionLimit} ${actionLimit === 1 ? 'action' : 'actions'} at a time`;
  if (shutdown) yield 'shutting down';
  if (!online && standby) yield 'standby';
  const isTold = membership === 'down' && modes.some(({ mode }) => mode === 'fenced' || mode === 'confirmed-down');
  if (membership !== 'joined' && kind === 'cluster' && !isTold) {
    yield since === undefined ? MEMBERSHIP[membership] : `${MEMBERSHIP[membership]} at ${moment(since)}`;
  }
  for (const { mode, by, at, reason } of modes)
    yield `${mode.replace('-', ' ')} by ${by} at ${moment(at)}${reason === undefined ? '' : `: ${reason}`}`;
}

const MEMBERSHIP: Readonly<Record<Node['membership'], string>> = {
  unknown: 'its agent was never heard of',
  joined: 'joined',
  lost: 'its lease ran out',
  left: 'left in good order',
  down: 'fenced or confirmed down',
  unheard: 'not heard of: the event log went back in time',
};

function operationName(operation: string, intervalMs: number): string {
  return intervalMs > 0 ? `${operation} every ${interval(intervalMs)}` : operation;
}
