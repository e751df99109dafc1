import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const run = promisify(execFile);
const NAME = 'postgres';

/** How to start a PostgreSQL program: in front of its command line, and as whom. */
export interface PostgresAccount {
  /** Absent when this process does not run as root: PostgreSQL then runs as the same user. */
  readonly ids?: { readonly uid: number; readonly gid: number };
  /** Command and arguments to put in front; empty in the usual case. */
  readonly prefix: readonly string[];
}

/** True for the user that PostgreSQL refuses to run as. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account for PostgreSQL. PostgreSQL refuses to run as root, so root borrows the account `postgres`, which is created when it is
 * missing.
 *
 * @throws EmbeddedPostgresError when root can neither find nor create the account.
 */
export async function postgresIds(): Promise<{ uid: number; gid: number } | undefined> {
  if (!runsAsRoot()) return undefined;
  const known = await lookUp();
  if (known) return known;
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false', NAME]);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and the account "${NAME}" could not be created for it. ` +
        'Start Systole as an ordinary user, create that account, or set DATABASE_URL.',
      { cause },
    );
  }
  const made = await lookUp();
  if (!made)
    throw new EmbeddedPostgresError(`The account "${NAME}" was created but cannot be looked up. Start Systole as an ordinary user.`);
  return made;
}

async function lookUp(): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', NAME]), run('id', ['-g', NAME])]);
    return { uid: Number.parseInt(uid.stdout, 10), gid: Number.parseInt(gid.stdout, 10) };
  } catch {
    return undefined;
  }
}

/**
 * Completes the account for the given directories: when the borrowed account may not pass through one on the way to them (a checkout
 * under /root, for example), PostgreSQL is given the capability to pass through directories, where the machine has `setpriv`.
 *
 * @throws EmbeddedPostgresError when the account can reach one of them in no way.
 */
export function accountFor(ids: { uid: number; gid: number } | undefined, directories: readonly string[]): PostgresAccount {
  if (!ids) return { prefix: [] };
  const unreachable = directories.find((path) => spawnSync('ls', ['-d', `${path}/.`], { ...ids, cwd: '/' }).status !== 0);
  if (unreachable === undefined) return { ids, prefix: [] };
  const prefix = [
    'setpriv',
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  const passes = spawnSync('setpriv', [...prefix.slice(1), 'ls', '-d', `${unreachable}/.`], { cwd: '/' }).status === 0;
  if (passes) return { prefix };
  throw new EmbeddedPostgresError(
    `PostgreSQL runs as the account "${NAME}" because it refuses root, and that account cannot reach ${unreachable}. ` +
      'Move the checkout and the data directory out of the private directory, start Systole as an ordinary user, or set DATABASE_URL.',
  );
}
