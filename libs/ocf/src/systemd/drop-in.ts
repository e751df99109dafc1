import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemdAccess } from './access.js';

const FILE = '50-systole.conf';

/**
 * What tells systemd to leave a unit to the cluster: it restarts nothing by itself, and when the machine goes down it stops the unit after the node agent, which
 * stops it in the order that the cluster wants.
 */
function contentFor(isService: boolean, { agentUnit }: SystemdAccess): string {
  const lines = ['# The cluster starts and stops this unit (systole-agent).', '[Unit]', `Before=${agentUnit}`];
  return [...lines, ...(isService ? ['[Service]', 'Restart=no', 'RestartForceExitStatus='] : []), ''].join('\n');
}

/** Whether systemd has read the drop-in of a unit. @param dropIns the paths of those that it has read; none is called so but ours */
export function hasReadDropIn(dropIns: string): boolean {
  return dropIns.includes(`/${FILE}`);
}

/**
 * Puts the drop-in of a unit in its place, as a whole or not at all.
 * @returns whether anything was changed, and systemd has to read it
 * @throws what the file system says
 */
export async function placeDropIn(unit: string, isService: boolean, access: SystemdAccess): Promise<boolean> {
  const { directory, file } = placeOf(unit, access);
  const content = contentFor(isService, access);
  if ((await readFile(file, 'utf8').catch(() => '')) === content) return false;
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const fresh = join(directory, `.${FILE}.new`);
  await writeFile(fresh, content, { mode: 0o644 });
  await rename(fresh, file);
  return true;
}

/** Removes it again. @returns whether there was one @throws what the file system says */
export async function removeDropIn(unit: string, access: SystemdAccess): Promise<boolean> {
  const { directory, file } = placeOf(unit, access);
  const isThere = await readFile(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  await rm(file, { force: true });
  // Others may have drop-ins of theirs there.
  await rmdir(directory).catch(() => undefined);
  return true;
}

function placeOf(unit: string, { runtimeUnits }: SystemdAccess): { readonly directory: string; readonly file: string } {
  const directory = join(runtimeUnits, `${unit}.d`);
  return { directory, file: join(directory, FILE) };
}

/** Removes the drop-ins of all units. @param runtimeUnits where they are */
export async function removeAllDropIns(runtimeUnits: string): Promise<void> {
  const directories = (await readdir(runtimeUnits).catch(() => [])).filter((name) => name.endsWith('.d'));
  for (const name of directories) {
    await rm(join(runtimeUnits, name, FILE), { force: true });
    await rmdir(join(runtimeUnits, name)).catch(() => undefined);
  }
}
