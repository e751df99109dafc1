import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** What `postmaster.pid` says about a server that runs, or ran, on a data directory. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

const pidFile = (directory: string): string => join(directory, 'postmaster.pid');

/**
 * The server that runs on this data directory now. A pid file that a killed server left behind is removed: its process id may by now
 * belong to something else, and PostgreSQL would then refuse to start.
 */
export async function runningPostmaster(directory: string): Promise<Postmaster | undefined> {
  const text = await readFile(pidFile(directory), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const port = Number.parseInt(lines[3] ?? '', 10);
  if (Number.isInteger(pid) && (await isPostgresOn(pid, lines[1] ?? directory))) return { pid, port };
  await rm(pidFile(directory), { force: true });
  return undefined;
}

async function isPostgresOn(pid: number, directory: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await commandLine(pid);
  return command === undefined || (command.includes('postgres') && command.includes(directory));
}

/** The command line of a process; undefined when the machine does not tell. */
async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    return (await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
  } catch {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (text) => text.replaceAll('\0', ' '),
      () => undefined,
    );
  }
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Stops a server: at first as PostgreSQL's "fast" shutdown (clients are disconnected, everything is written), after `patienceMs` as its
 * "immediate" one, which is safe but recovers at the next start.
 *
 * @throws EmbeddedPostgresError when the process survives both.
 */
export async function stopPostmaster(pid: number, patienceMs: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const deadline = Date.now() + patienceMs;
    if (!send(pid, signal)) return;
    while (Date.now() < deadline) {
      if (!isAlive(pid)) return;
      await sleep(25);
    }
  }
  throw new EmbeddedPostgresError(`The embedded PostgreSQL (process ${pid}) does not stop. Look at its log, then end it by hand.`);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
