import { randomUUID } from 'node:crypto';
import { access, chmod, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { processStat } from '@systole/ocf';
import type { Logger } from 'pino';
import { DEFAULT_RUN_DIR } from '../configuration.js';
import type { ToolEndpoint } from '../tools/tool-server.js';
import { writeWhole } from './whole-file.js';

/** The directories in the run directory, which is emptied by a reboot. */
export interface RunDirectory {
  readonly path: string;
  /** HA_RSCTMP. */
  readonly resourceTmp: string;
  /** HA_VARRUN. */
  readonly varRun: string;
  /** For the cluster tools of resource agents. */
  readonly tools: ToolEndpoint;
  /** Socket for the tools of programs that run as another account. */
  readonly readers: string;
  /** Identifies the boot, and with it the life of everything that runs here. */
  readonly bootId: string;
}

/** Marks a directory as an agent's run directory; nothing else may be emptied by who plays the power switch. */
const MARK = '.systole-run';

const BOOT_ID = 'boot-id';
/** After what can't be made anew, ms. */
const AGAIN_AFTER_MS = 1_000;

/**
 * Creates what an agent needs in its run directory. Any other run directory than the default means that several agents share the machine:
 * then resource agents get a private HA_VARRUN, too.
 */
export async function prepareRunDirectory(path: string): Promise<RunDirectory> {
  const resourceTmp = join(path, 'rsctmp');
  const varRun = path === DEFAULT_RUN_DIR ? '/var/run' : join(path, 'run');
  await makeDirectories({ path, resourceTmp, varRun });
  const tools = { directory: join(path, 'bin'), socket: join(path, 'tools.sock') };
  return { path, resourceTmp, varRun, tools, readers: join(path, 'readers.sock'), bootId: await bootId(path) };
}

async function makeDirectories({ path, resourceTmp, varRun }: Pick<RunDirectory, 'path' | 'resourceTmp' | 'varRun'>): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 });
  await writeFile(join(path, MARK), '');
  for (const directory of [resourceTmp, varRun]) await mkdir(directory, { recursive: true });
  // Resource agents drop privileges; like /tmp and the directory of Debian's resource-agents.
  await chmod(resourceTmp, 0o1755);
}

/** The kernel's boot id and one of the run directory: both change by a reboot, the latter also by what plays one in a demonstration. */
async function bootId(runDirectory: string): Promise<string> {
  const file = join(runDirectory, BOOT_ID);
  const kernel = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => 'unknown')).trim();
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (stored.startsWith(`${kernel}.`)) return stored;
  const fresh = `${kernel}.${randomUUID()}`;
  await writeBootId(runDirectory, fresh);
  return fresh;
}

/** An empty one would be that of no boot. */
function writeBootId(runDirectory: string, bootId: string): Promise<void> {
  return writeWhole(join(runDirectory, BOOT_ID), `${bootId}\n`);
}

/** The tools of an agent, as far as they are in its run directory. */
export interface RemakableTools {
  /** Paths without which they can't be used. */
  readonly paths: readonly string[];
  /** Makes anew whatever of them is gone. */
  remake(): Promise<void>;
}

/**
 * Makes anew what resource agents need of the run directory when somebody has emptied it under a running agent: nothing could be started or stopped else, and no program would say why. The boot id is
 * written again, too, before anything else and until that succeeds: nothing has ended that runs here, and a process of the agent that found none would take this for another boot, which transient attributes do not outlast.
 */
export class RunDirectoryKeeper {
  private remaking: Promise<void> | undefined;
  private isFailing = false;
  private again: NodeJS.Timeout | undefined;

  /** @param tools those that are there by then; asked before each operation */
  constructor(
    private readonly runDirectory: RunDirectory,
    private readonly tools: () => RemakableTools,
    private readonly logger: Pick<Logger, 'warn' | 'error'>,
  ) {}

  /** To be awaited before a program is run: costs a look at a few paths. Never rejects: what does not need what is gone can still be run. */
  async keep(): Promise<void> {
    const { path, resourceTmp, varRun } = this.runDirectory;
    const needed = [resourceTmp, varRun, join(path, BOOT_ID), ...this.tools().paths];
    const missing = (await Promise.all(needed.map(missingOf))).flat();
    if (missing.length === 0) {
      this.isFailing = false;
      return;
    }
    this.remaking ??= this.remake(missing).finally(() => {
      this.remaking = undefined;
    });
    await this.remaking;
  }

  private async remake(missing: readonly string[]): Promise<void> {
    const { path, bootId } = this.runDirectory;
    try {
      await mkdir(path, { recursive: true, mode: 0o755 });
      await writeBootId(path, bootId);
      await makeDirectories(this.runDirectory);
      await this.tools().remake();
      this.isFailing = false;
      this.logger.warn({ missing }, 'somebody removed what resource agents need in the run directory; it was made anew');
    } catch (error) {
      if (!this.isFailing) {
        this.logger.error(
          { err: error, missing },
          'what resource agents need in the run directory is gone, and can not be made anew: they will fail; it is tried again',
        );
      }
      this.isFailing = true;
      // However long no operation asks for it.
      clearTimeout(this.again);
      this.again = setTimeout(() => void this.keep(), AGAIN_AFTER_MS);
      this.again.unref();
    }
  }
}

async function missingOf(path: string): Promise<readonly string[]> {
  try {
    await access(path);
    return [];
  } catch {
    return [path];
  }
}

/** Another agent uses the same directory. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/**
 * Two agents with one journal would execute actions twice: the state directory belongs to one process at a time.
 * @returns releases it
 * @throws {AlreadyRunning}
 */
export async function lockStateDirectory(stateDir: string): Promise<() => Promise<void>> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const file = join(stateDir, 'lock');
  const own = `${process.pid} ${processStat(process.pid)?.startTicks ?? 0}\n`;
  for (;;) {
    // Nobody sees a lock that does not say yet whose it is.
    if (await linked(own, file)) return () => rm(file, { force: true });
    const holder = await readFile(file, 'utf8').catch(() => '');
    const [pid = '', startTicks = ''] = holder.trim().split(' ');
    const stat = processStat(Number(pid));
    if (stat !== undefined && stat.startTicks === Number(startTicks) && stat.state !== 'Z') {
      throw new AlreadyRunning(
        `another systole-agent (pid ${pid}) uses ${stateDir}; stop it, or give this one its own --state-dir and --run-dir`,
      );
    }
    await removeStale(file, holder);
  }
}

/** @returns whether a file of that name was made, whole; false when there is one */
async function linked(content: string, file: string): Promise<boolean> {
  const whole = `${file}.${randomUUID()}`;
  try {
    await writeFile(whole, content, { flag: 'wx' });
    await link(whole, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(whole, { force: true });
  }
}

/** Another process may have found it stale as well, and made its own meanwhile: that is put back. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  const found = await readFile(aside, 'utf8').catch(() => '');
  if (found !== stale) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Line 1 the pid, line 2 the run directory (for fence_systole_demo). */
export async function writePidFile(file: string, runDirectory: string): Promise<() => Promise<void>> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${process.pid}\n${runDirectory}\n`);
  return () => rm(file, { force: true });
}
