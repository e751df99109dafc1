import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The kernel's own name for its first watchdog, a character device of this number, has no entry of its own below /sys (Linux: misc devices, WATCHDOG_MINOR). */
const FIRST_WATCHDOG = { major: 10, minor: 130 };

/**
 * After how long without being fed a watchdog resets the machine, ms: by what its driver says (`timeout` in /sys/class/watchdog, in seconds), and where that says nothing by what was set for the agent. Where both do,
 * the longer counts: nobody may count on a reset that comes later.
 *
 * @param configuredMs what was set; undefined: nothing
 * @param sysfs where /sys is
 */
export function watchdogTimeoutMs(path: string, configuredMs: number | undefined, sysfs = '/sys'): number | undefined {
  const driverMs = driverTimeoutMs(path, sysfs);
  const known = [driverMs, configuredMs].filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function driverTimeoutMs(path: string, sysfs: string): number | undefined {
  try {
    const device = statSync(path);
    if (!device.isCharacterDevice()) return undefined;
    const seconds = Number(readFileSync(join(directoryOf(device.rdev, sysfs), 'timeout'), 'utf8').trim());
    return Number.isInteger(seconds) && seconds > 0 ? seconds * 1_000 : undefined;
  } catch {
    // A kernel that tells nothing of its watchdogs.
    return undefined;
  }
}

/** The numbers as Linux packs them into one. */
function directoryOf(rdev: number, sysfs: string): string {
  const device = BigInt(rdev);
  const major = Number(((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn));
  const minor = Number((device & 0xffn) | ((device >> 12n) & ~0xffn));
  if (major === FIRST_WATCHDOG.major && minor === FIRST_WATCHDOG.minor) return join(sysfs, 'class/watchdog/watchdog0');
  return realpathSync(join(sysfs, `dev/char/${String(major)}:${String(minor)}`));
}
