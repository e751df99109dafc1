import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, unwrap, type components } from '@systole/api-client';
import type { Command } from 'commander';
import { ServerUnreachable } from '../connection.js';
import { moment } from '../render/moment.js';
import { reportError } from '../report-error.js';
import { printable } from '../render/printable.js';
import { renderStatus } from '../render/status.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { wholeNumber } from './write-options.js';

interface StatusFlags {
  readonly watch?: number | true;
}

const WATCH_S = 2;
/** Cursor home, and clear to the end. */
const REDRAW = '\u001b[H\u001b[J';

export function addStatusCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('status')
    .description('show nodes, resources, failures, quorum and what is going on')
    .option('-w, --watch [seconds]', `show it again every so many seconds (${WATCH_S} when not given), until Ctrl-C`, wholeNumber)
    .action(
      inSession<StatusFlags>(surroundings, async (session, { watch }) => {
        const cluster = await session.cluster();
        if (watch === undefined) show(session, await read(session, cluster));
        else await watchStatus(session, cluster, watch === true ? WATCH_S : watch);
      }),
    );
}

async function read({ client }: Session, cluster: string): Promise<components['schemas']['StatusDto']> {
  return unwrap(await client.GET('/v1/clusters/{cluster}/status', { params: { path: { cluster } } }));
}

function show(session: Session, status: components['schemas']['StatusDto']): void {
  session.show(status, () => renderStatus(status, session.paint));
}

/** A status that was shown, and when it was read. */
interface Shown {
  readonly status: components['schemas']['StatusDto'];
  readonly at: Date;
}

/** What ends by itself: a server that is being restarted comes back, and so does its database. */
function isPassing(error: unknown): error is ServerUnreachable | ProblemError {
  return error instanceof ServerUnreachable || (error instanceof ProblemError && error.status >= 500);
}

/** Shows again what was known last, under a line that says how old it is: nobody may take it for the present. */
function showStale({ terminal, paint }: Session, { status, at }: Shown, why: string): void {
  const seconds = Math.max(0, Math.round((Date.now() - at.getTime()) / 1_000));
  if (terminal.interactive) terminal.write(REDRAW);
  terminal.write(`${paint('red', `STALE: as of ${moment(at.toISOString())}, ${seconds} s ago; ${why}`)}\n`);
  if (terminal.interactive) for (const line of renderStatus(status, paint)) terminal.write(`${printable(line)}\n`);
}

async function watchStatus(session: Session, cluster: string, seconds: number): Promise<void> {
  const { terminal, json } = session;
  const { interrupted: signal } = terminal;
  let last: Shown | undefined;
  while (!signal.aborted) {
    try {
      const status = await read(session, cluster);
      if (!json && terminal.interactive) terminal.write(REDRAW);
      show(session, status);
      last = { status, at: new Date() };
      if (!json && !terminal.interactive) terminal.write('\n');
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (last !== undefined && !json)
        showStale(
          session,
          last,
          error instanceof ProblemError ? 'the server answers, but not with the status' : "the server can't be reached",
        );
      reportError(error, terminal, json);
    }
    await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
  }
}
