import { setTimeout as sleep } from 'node:timers/promises';
import { unwrap, type components } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { EXIT } from '../exit-code.js';
import { listing } from '../render/columns.js';
import { moment } from '../render/moment.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { wholeNumber } from './write-options.js';

type Run = components['schemas']['AlertRunDto'];
type RunList = components['schemas']['AlertRunListDto'];

interface RunsFlags {
  readonly failed?: boolean;
  readonly limit: number;
}

interface TestFlags {
  readonly node?: string;
  readonly dryRun?: boolean;
}

const DEFAULT_RUNS = 50;
/** How long what comes of a test is waited for, ms: longer than most programs may take. */
const RESULT_WITHIN_MS = 45_000;
const LOOK_EVERY_MS = 250;
/** How runs stand that did not end well. */
const WRONG: readonly Run['outcome'][] = ['failed', 'timeout', 'not-run'];

/** What the programs of alerts were told, how they took it, and whether they work. */
export function addAlertRunCommands(alert: Command, surroundings: Surroundings): void {
  alert
    .command('runs [alert]')
    .description("list the runs of alerts' programs, the newest first")
    .option('--failed', 'those that did not end well only')
    .addOption(new Option('--limit <n>', 'show so many').default(DEFAULT_RUNS).argParser(wholeNumber))
    .action(
      inSession<RunsFlags>(surroundings, async (session, { failed, limit }, [id]) => {
        const query = { limit, ...(id === undefined ? {} : { alert: id }), ...(failed === true ? { outcome: [...WRONG] } : {}) };
        const params = { path: { cluster: await session.cluster() }, query };
        const list = unwrap(await session.client.GET('/v1/clusters/{cluster}/alert-runs', { params }));
        session.show(list, () => [...runLines(session, list.items), ...tallyLines(list)]);
      }),
    );

  alert
    .command('test <alert>')
    .description('have the program of an alert run for each of its recipients, and show what came of it')
    .option('--node <node>', 'on this node; the first one that is there when left out')
    .option('--dry-run', 'run nothing; only say whether it could be asked for')
    .action(
      inSession<TestFlags>(surroundings, async (session, { node, dryRun }, [id = '']) => {
        const path = { cluster: await session.cluster(), alert: id };
        const params = { path, ...(dryRun === true ? { query: { dryRun } } : {}) };
        const body = node === undefined ? {} : { node };
        const asked = unwrap(await session.client.POST('/v1/clusters/{cluster}/alerts/{alert}/commands/test', { params, body }));
        if (asked.dryRun) {
          session.show(asked, () => ['Dry run: nothing was run.']);
          return;
        }
        const runs = await ended(session, path.cluster, asked.runs);
        session.show({ ...asked, runs }, () => runLines(session, runs));
        if (runs.some(isOpen)) session.terminal.complain('Not all have ended yet: systole alert runs shows what comes of them.');
        if (runs.some(({ outcome }) => outcome !== 'done')) session.end(EXIT.failed);
      }),
    );
}

async function ended(session: Session, cluster: string, asked: readonly Run[]): Promise<readonly Run[]> {
  const until = performance.now() + RESULT_WITHIN_MS;
  const ids = new Set(asked.map(({ id }) => id));
  let runs = asked;
  while (runs.some(isOpen) && performance.now() < until) {
    await sleep(LOOK_EVERY_MS);
    const query = { limit: 500, alert: asked[0]?.alert ?? '' };
    const { items } = unwrap(await session.client.GET('/v1/clusters/{cluster}/alert-runs', { params: { path: { cluster }, query } }));
    const found = items.filter(({ id }) => ids.has(id));
    if (found.length === ids.size) runs = found.toSorted((one, other) => one.id - other.id);
  }
  return runs;
}

function isOpen({ outcome }: Run): boolean {
  return outcome === 'waiting' || outcome === 'given';
}

function runLines({ paint }: Session, runs: readonly Run[]): readonly string[] {
  return listing(
    ['WHEN', 'ALERT', 'RECIPIENT', 'NODE', 'OF', 'OUTCOME', 'DETAIL'].map((title) => paint('bold', title)),
    runs.map((run) => [
      moment(run.at),
      run.alert,
      run.recipient ?? '-',
      run.node,
      run.test ? 'test' : run.kind,
      paint(WRONG.includes(run.outcome) ? 'red' : run.outcome === 'done' ? 'green' : 'yellow', run.outcome),
      [run.rc === undefined || run.rc === 0 ? '' : `exit code ${String(run.rc)}`, run.detail ?? '']
        .filter((text) => text !== '')
        .join(': '),
    ]),
    'No run.',
  );
}

function tallyLines({ failed, dropped, droppedAt }: RunList): readonly string[] {
  return [
    ...(failed === 0 ? [] : [`${String(failed)} of the last day did not end well.`]),
    ...(dropped === 0
      ? []
      : [`${String(dropped)} were left out, the last ${moment(droppedAt ?? '')}: too many waited, or their news was old.`]),
  ];
}
