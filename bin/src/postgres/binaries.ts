import { access, chmod, constants, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Where the PostgreSQL programs lie. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Finds the PostgreSQL that came with `npm ci` and makes it runnable: an npm package can hold neither symbolic links nor, always,
 * executable bits, and the package's own install script, which would repair that, is blocked by newer npm versions unless allowed.
 *
 * @throws EmbeddedPostgresError when there is no build for this platform or it cannot be repaired.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const root = platformPackage();
  await restoreSymlinks(root);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const postgres = join(root, 'native', 'bin', `postgres${suffix}`);
  const initdb = join(root, 'native', 'bin', `initdb${suffix}`);
  await makeExecutable(postgres);
  await makeExecutable(initdb);
  return { postgres, initdb };
}

function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this machine (npm package ${name} is not installed). ` +
        'Have npm install it, without --omit=optional, or set DATABASE_URL to a PostgreSQL server of your own.',
      { cause },
    );
  }
}

interface RecordedLink {
  /** Paths from the root of the package; `target` is the link, `source` what it points to. */
  readonly source: string;
  readonly target: string;
}

/**
 * Makes the links that the package lists and that are missing.
 * @throws EmbeddedPostgresError when one cannot be made
 */
export async function restoreSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = (JSON.parse(list) as unknown[]).filter(isRecordedLink);
  for (const { source, target } of links) {
    const link = join(root, target);
    if (await exists(link)) continue;
    try {
      await symlink(relative(dirname(link), join(root, source)), link);
    } catch (cause) {
      if (await exists(link)) continue;
      throw new EmbeddedPostgresError(`The embedded PostgreSQL lacks the link ${link}, and it cannot be made. Run \`npm rebuild\` once.`, {
        cause,
      });
    }
  }
}

function isRecordedLink(value: unknown): value is RecordedLink {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    typeof value.source === 'string' &&
    'target' in value &&
    typeof value.target === 'string'
  );
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
