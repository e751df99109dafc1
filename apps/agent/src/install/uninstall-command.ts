import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { processStat, removeAllDropIns, SYSTEMD_RUNTIME_UNITS } from '@systole/ocf';
import { EXIT_CODE } from '../exit-code.js';
import { Journal } from '../journal/journal.js';
import { placesBelow, UNIT, type Places } from './places.js';
import { asRoot, Refused, say, systemctl } from './steps.js';

interface Flags {
  readonly purge: boolean;
  readonly force: boolean;
  readonly timeout: number;
  readonly root: string;
}

const DEFAULT_TIMEOUT_S = 30 * 60;
const LOOK_EVERY_MS = 200;

/**
 * `systole-agent uninstall`: the node leaves its cluster first, as by any end of the agent: what runs is stopped (and starts elsewhere), and a watchdog is closed. As long as anything
 * may run, nothing is removed: nobody would look after it, and the cluster would go by what it was told last.
 */
export async function uninstallCommand(args: readonly string[]): Promise<number> {
  const command = new Command('systole-agent uninstall')
    .description('Has the node leave its cluster, its resources stopped, and removes the agent.')
    .option('--purge', 'remove settings, token, and what the agent remembers, too', false)
    .option('--force', 'also when something may run on that nobody will look after', false)
    .option('--timeout <seconds>', 'how long the resources may take to stop', Number, DEFAULT_TIMEOUT_S)
    .option('--root <dir>', 'remove it from below this directory, of an image', '/')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_CODE.USAGE));
  command.parse([...args], { from: 'user' });
  try {
    await uninstall(command.opts<Flags>());
    return 0;
  } catch (error) {
    process.stderr.write(`systole-agent uninstall: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof Refused ? EXIT_CODE.LEFT_UNCLEAN : EXIT_CODE.FAILED;
  }
}

async function uninstall({ purge, force, timeout, root: given }: Flags): Promise<void> {
  asRoot();
  if (!Number.isFinite(timeout) || timeout <= 0) throw new Refused('--timeout is a number of seconds');
  const root = resolve(given);
  const places = placesBelow(root);
  await leave(places, root, timeout);
  const running = await mayRun(places);
  if (running.length > 0) {
    const what = `these may run here, and nobody would look after them: ${running.join(', ')}`;
    if (!force)
      throw new Refused(
        `${what}. Start the agent and let it leave its cluster (systemctl start ${UNIT}; systemctl stop ${UNIT}), or stop them by hand and give --force`,
      );
    say(`${what} (--force)`);
  }
  if (existsSync(places.unit)) systemctl(root, 'disable', UNIT);
  for (const path of [places.unit, places.program, places.library]) rmSync(path, { recursive: true, force: true });
  if (root === '/') await removeAllDropIns(SYSTEMD_RUNTIME_UNITS);
  rmSync(places.runDir, { recursive: true, force: true });
  systemctl(root, 'daemon-reload');
  if (purge) {
    for (const path of [places.stateDir, places.settings, places.token]) rmSync(path, { recursive: true, force: true });
    removeIfEmpty(places.configuration);
    say('removed, with its settings and what it remembered');
  } else say(`removed; ${places.configuration} and ${places.stateDir} stay (--purge)`);
}

/** An agent that runs is told to end, however it was started, and is waited for: it leaves its cluster, which takes as long as its resources take to stop. */
async function leave({ stateDir }: Places, root: string, timeoutS: number): Promise<void> {
  const pid = holderOf(stateDir);
  if (pid === undefined) return;
  say('the node leaves its cluster; its resources are stopped');
  // One word only: a second one ends the agent at once, its resources running.
  if (isOfUnit(pid)) systemctl(root, 'stop', '--no-block', UNIT);
  else process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + timeoutS * 1_000;
  while (holderOf(stateDir) === pid) {
    if (performance.now() >= deadline)
      throw new Refused(
        `the agent (pid ${String(pid)}) has not left within ${String(timeoutS)} s; it goes on leaving, and nothing was removed`,
      );
    await pause(LOOK_EVERY_MS);
  }
}

function isOfUnit(pid: number): boolean {
  return readFileSync(`/proc/${String(pid)}/cgroup`, 'utf8').includes(`/${UNIT}`);
}

/** The agent that uses a state directory, as its lock says. */
function holderOf(stateDir: string): number | undefined {
  const lock = join(stateDir, 'lock');
  const [pid = '', startTicks = ''] = existsSync(lock) ? readFileSync(lock, 'utf8').trim().split(' ') : [];
  const stat = processStat(Number(pid));
  return stat !== undefined && stat.startTicks === Number(startTicks) && stat.state !== 'Z' ? stat.pid : undefined;
}

/** What the journal says to be running in this boot, by history id. */
async function mayRun({ stateDir }: Places): Promise<readonly string[]> {
  const path = join(stateDir, 'journal');
  if (!existsSync(path)) return [];
  const { journal, damagedCopy } = await Journal.open(path);
  try {
    if (damagedCopy !== undefined) return ['what the journal, which is damaged, does not say'];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The directory that names the boot more exactly may be gone: what it ran is not.
    return journal.state.bootId?.startsWith(`${boot}.`) === true
      ? [...journal.state.active.values()].map(({ resource }) => resource.historyId)
      : [];
  } finally {
    await journal.close();
  }
}

function removeIfEmpty(directory: string): void {
  if (existsSync(directory) && readdirSync(directory).length === 0) rmdirSync(directory);
}
