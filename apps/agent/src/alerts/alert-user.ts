import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessUser } from '@systole/ocf';

/** As whom programs of alerts run where nothing else is said and this account exists: as with Pacemaker. */
const USUAL = 'hacluster';

const run = promisify(execFile);

/** There is no account of that name, or this process may not take it on. */
export class UnusableAlertUser extends Error {
  override readonly name = 'UnusableAlertUser';
}

/**
 * The account under which programs of alerts run.
 *
 * @param name undefined: the usual one, where there is one and this process may take it on
 * @returns undefined: that of this process
 * @throws {UnusableAlertUser} for a name that is given and can't be used
 */
export async function alertUser(name: string | undefined): Promise<ProcessUser | undefined> {
  const isRoot = process.getuid?.() === 0;
  if (name === undefined && !isRoot) return undefined;
  const found = await accountOf(name ?? USUAL);
  if (name === undefined) return found;
  if (found === undefined) throw new UnusableAlertUser(`--alert-user ${name}: this machine has no such account`);
  if (!isRoot && found.uid !== process.getuid?.()) {
    throw new UnusableAlertUser(`--alert-user ${name}: only a node agent that runs as root can run programs as another account`);
  }
  return isRoot ? found : undefined;
}

/** Asks the system, wherever it has its accounts from. */
async function accountOf(name: string): Promise<ProcessUser | undefined> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async (what) => Number((await run('id', [what, '--', name])).stdout.trim())));
    return uid === undefined || gid === undefined || !Number.isInteger(uid) || !Number.isInteger(gid) ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}
