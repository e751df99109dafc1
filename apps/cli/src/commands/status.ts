import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, unwrap, unwrapJson, type components } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { printableLine, shownAsOneLine } from '@systole/protocol';
import { written } from '../configuration/file.js';
import { ServerUnreachable } from '../connection.js';
import { columns } from '../render/columns.js';
import { checkResult, UNKNOWN, unknownLine } from '../render/check.js';
import { fitted } from '../render/fitted.js';
import { moment } from '../render/moment.js';
import { reportError } from '../report-error.js';
import { renderStatus, type StatusDetail } from '../render/status.js';
import { inSession, showDocument, type Session, type Surroundings } from '../session.js';
import { atOption } from './at-option.js';
import { wholeNumber } from './write-options.js';

type Status = components['schemas']['StatusDto'];

interface StatusFlags extends StatusDetail {
  readonly showNodeAttributes?: boolean;
  readonly watch?: number | true;
  readonly node?: readonly string[];
  readonly resource?: readonly string[];
  readonly tag?: readonly string[];
  readonly wrong?: boolean;
  readonly at?: string;
  readonly output?: 'text' | 'yaml' | 'json' | 'xml';
  readonly check?: boolean;
  readonly simple?: boolean;
}

const WATCH_S = 2;
/** Cursor home, and clear to the end. */
const REDRAW = '\u001b[H\u001b[J';

export function addStatusCommand(program: Command, surroundings: Surroundings): void {
  const one = (flags: string, description: string): Option => new Option(flags, description).conflicts(NOT_IN_ONE_LINE);
  const inSessionOrUnknown = inSession<StatusFlags>(surroundings, showStatus);
  program
    .command('status')
    .description('show nodes, resources, failures, quorum and what is going on')
    .option('-w, --watch [seconds]', `show it again every so many seconds (${WATCH_S} when not given), until Ctrl-C`, wholeNumber)
    .option('--node <nodes...>', 'these nodes only, what is on them, and their failures')
    .option('--resource <resources...>', 'these resources only, with what is in them, and their failures')
    .option('--tag <tags...>', 'only the resources and nodes that these tags name')
    .option('--wrong', 'only nodes and resources with which something is wrong')
    .option('--all', 'each node and resource by name, also of a large cluster')
    .addOption(new Option('-n, --group-by-node', 'resources under the nodes where they are active').conflicts('output'))
    .addOption(
      new Option('-A, --show-node-attributes', 'with the attributes that are written for each node').conflicts(['watch', 'output', 'at']),
    )
    .addOption(atOption().conflicts('watch'))
    .addOption(
      new Option('--output <format>', 'how it is shown; xml: as `crm_mon --output-as=xml` prints it')
        .choices(['text', 'yaml', 'json', 'xml'])
        .conflicts('watch'),
    )
    .addOption(one('--check', 'say in one line how the cluster is, and end with 0, 1, 2 or 3 as Nagios and its like want it'))
    .addOption(one('--simple', 'the same as --check, as crm_mon calls it'))
    .action(async (...given) => {
      const [flags] = given as unknown as readonly [StatusFlags];
      try {
        await inSessionOrUnknown(...(given as unknown as Parameters<typeof inSessionOrUnknown>));
      } catch (error) {
        if (!isCheck(flags) || surroundings.terminal.interrupted.aborted) throw error;
        surroundings.terminal.write(`${printableLine(unknownLine(error))}\n`);
        surroundings.end(UNKNOWN);
      }
    });
}

/** What says more than a line, or of another cluster than the whole present one. */
const NOT_IN_ONE_LINE = ['watch', 'node', 'resource', 'tag', 'wrong', 'all', 'groupByNode', 'showNodeAttributes', 'at', 'output'];

function isCheck({ check, simple }: StatusFlags): boolean {
  return check === true || simple === true;
}

async function showStatus(session: Session, flags: StatusFlags): Promise<void> {
  const cluster = await session.cluster();
  const { watch, output } = flags;
  if (isCheck(flags)) {
    const { code, line } = checkResult(shownAsOneLine(await read(session, cluster, {})));
    session.terminal.write(`${printableLine(line)}\n`);
    session.end(code);
  } else if (output === 'xml') {
    const answer = await session.client.GET(PATH, {
      params: parametersOf(cluster, flags),
      headers: { accept: 'application/xml' },
      parseAs: 'text',
    });
    showDocument(session, unwrap(answer));
  } else if (watch === undefined) {
    const status = await read(session, cluster, flags);
    if (output === 'yaml') showDocument(session, written(status, 'yaml'));
    else if (output === 'json' && !session.json) showDocument(session, written(status, 'json'));
    else {
      const lines = await attributeLines(session, cluster, status, flags);
      session.show(status, () => [...linesOf(session, status, flags), ...lines]);
    }
  } else await watchStatus(session, cluster, flags, watch === true ? WATCH_S : watch);
}

const PATH = '/v1/clusters/{cluster}/status';

function parametersOf(cluster: string, { node, resource, tag, wrong, at }: StatusFlags) {
  const lists = {
    ...(node === undefined ? {} : { node: [...node] }),
    ...(resource === undefined ? {} : { resource: [...resource] }),
    ...(tag === undefined ? {} : { tag: [...tag] }),
  };
  return { path: { cluster }, query: { ...lists, ...(wrong === undefined ? {} : { wrong }), ...(at === undefined ? {} : { at }) } };
}

async function read({ client }: Session, cluster: string, flags: StatusFlags): Promise<Status> {
  return unwrapJson(await client.GET(PATH, { params: parametersOf(cluster, flags), headers: { accept: 'application/json' } }));
}

/** Nodes that are asked for their attributes at a time. */
const ASKED_AT_ONCE = 8;

/** As `crm_mon -A` shows them; nothing unless they were asked for. */
async function attributeLines(
  { client, paint }: Session,
  cluster: string,
  { nodes }: Status,
  { showNodeAttributes }: StatusFlags,
): Promise<readonly string[]> {
  if (showNodeAttributes !== true) return [];
  const rows: (readonly string[])[] = [];
  const own = nodes.filter(({ kind }) => kind === 'cluster').map(({ name }) => name);
  for (let from = 0; from < own.length; from += ASKED_AT_ONCE) {
    const asked = own.slice(from, from + ASKED_AT_ONCE).map(async (node) => {
      const params = { path: { cluster, node } };
      const { items } = unwrap(await client.GET('/v1/clusters/{cluster}/nodes/{node}/attributes', { params }));
      return items.map(({ name, value }) => [node, name, value] as const);
    });
    rows.push(...(await Promise.all(asked)).flat());
  }
  return ['', paint('bold', 'Node attributes'), ...(rows.length === 0 ? ['  none'] : columns(shownAsOneLine(rows), 2))];
}

function linesOf({ paint }: Session, status: Status, flags: StatusFlags): readonly string[] {
  return renderStatus(shownAsOneLine(status), paint, flags);
}

function show(session: Session, status: Status, flags: StatusFlags): void {
  session.show(status, () => linesOf(session, status, flags));
}

/** A status that was shown, and when it was read. */
interface Shown {
  readonly status: Status;
  readonly at: Date;
}

/** What ends by itself: a server that is being restarted comes back, and so does its database. */
function isPassing(error: unknown): error is ServerUnreachable | ProblemError {
  return error instanceof ServerUnreachable || (error instanceof ProblemError && error.status >= 500);
}

/** Lines that are left for what went wrong below a status that is old. */
const FOR_ERRORS = 3;

/** Draws lines where the ones before stood, as many and as much of each as the terminal has room for. @param left lines to be left below */
function draw({ terminal }: Session, lines: readonly string[], left = 0): void {
  const safe = lines.map(printableLine);
  const size = terminal.size?.();
  const room = size === undefined ? undefined : { ...size, rows: Math.max(1, size.rows - left) };
  terminal.write(REDRAW + fitted(safe, room).join('\n'));
}

/** Shows again what was known last, under a line that says how old it is: nobody may take it for the present. */
function showStale(session: Session, { status, at }: Shown, flags: StatusFlags, why: string): void {
  const { terminal, paint } = session;
  const seconds = Math.max(0, Math.round((Date.now() - at.getTime()) / 1_000));
  const stale = paint('red', `STALE: as of ${moment(at.toISOString())}, ${seconds} s ago; ${why}`);
  if (terminal.interactive) draw(session, [stale, ...linesOf(session, status, flags)], FOR_ERRORS);
  else terminal.write(`${stale}\n`);
}

async function watchStatus(session: Session, cluster: string, flags: StatusFlags, seconds: number): Promise<void> {
  const { terminal, json } = session;
  const { interrupted: signal } = terminal;
  const isDrawn = !json && terminal.interactive;
  let last: Shown | undefined;
  while (!signal.aborted) {
    try {
      const status = await read(session, cluster, flags);
      if (isDrawn) draw(session, linesOf(session, status, flags));
      else show(session, status, flags);
      last = { status, at: new Date() };
      if (!json && !terminal.interactive) terminal.write('\n');
    } catch (error) {
      if (!isPassing(error)) throw error;
      const why = error instanceof ProblemError ? 'the server answers, but not with the status' : "the server can't be reached";
      if (last !== undefined && !json) showStale(session, last, flags, why);
      if (isDrawn && last !== undefined) terminal.write('\n');
      reportError(error, terminal, json);
    }
    await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
  }
  if (isDrawn) terminal.write('\n');
}
