import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processStat, removeAllDropIns, SYSTEMD_RUNTIME_UNITS } from '@systole/ocf';
import { Journal } from '../journal/journal.js';
import { UNIT, type Places } from './places.js';
import { Refused, say, systemctl } from './steps.js';

/** How long the resources of a node may take to stop when nothing else is said, s. */
export const DEFAULT_TIMEOUT_S = 30 * 60;
const LOOK_EVERY_MS = 200;

interface Leave {
  readonly places: Places;
  /** What is the root of the machine; `/` but for who made an image. */
  readonly root: string;
  /** How long the resources may take to stop, s. */
  readonly timeout: number;
  /** Also when something may run on that nobody will look after. */
  readonly force: boolean;
}

/**
 * Has the node leave its cluster, as by any end of the agent: what runs is stopped (and starts elsewhere), and a watchdog is closed.
 *
 * @throws {Refused} as long as anything may run: nobody would look after it, and the cluster would go by what it was told last
 */
export async function leaveCluster({ places, root, timeout, force }: Leave): Promise<void> {
  if (!Number.isFinite(timeout) || timeout <= 0) throw new Refused('--timeout is a number of seconds');
  await endAgent(places, root, timeout);
  const running = await mayRun(places);
  if (running.length > 0) {
    const what = `these may run here, and nobody would look after them: ${running.join(', ')}`;
    if (!force)
      throw new Refused(
        `${what}. Start the agent and let it leave its cluster (systemctl start ${UNIT}; systemctl stop ${UNIT}), or stop them by hand and give --force`,
      );
    say(`${what} (--force)`);
  }
  if (root === '/') await removeAllDropIns(SYSTEMD_RUNTIME_UNITS);
}

/** An agent that runs is told to end, however it was started, and is waited for: it leaves its cluster, which takes as long as its resources take to stop. */
async function endAgent({ stateDir }: Places, root: string, timeoutS: number): Promise<void> {
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
