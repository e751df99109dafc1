import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The kernel's own name for its first watchdog, a character device of this number, has no entry of its own below /sys (Linux: misc devices, WATCHDOG_MINOR). */
const FIRST_WATCHDOG = { major: 10, minor: 130 };

/**
 * After how long without being fed a watchdog resets the machine, ms: by what its driver says (`timeout` in /sys/class/watchdog, in seconds), and where that says nothing by what was set for the agent. Where both do,
 * the longer counts: nobody may count on a reset that comes later. Unknown of a device that stops when it is closed, in order or not: it resets nobody whose agent is killed.
 *
 * @param configuredMs what was set; undefined: nothing
 * @param sysfs where /sys is
 */
export function watchdogTimeoutMs(path: string, configuredMs: number | undefined, sysfs = '/sys'): number | undefined {
  const driver = driverOf(path, sysfs);
  if (driver !== undefined && stopsWhenClosed(driver)) return undefined;
  const driverMs = driver === undefined ? undefined : driverTimeoutMs(driver);
  const known = [driverMs, configuredMs].filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Bit of `options`: only closing after a certain character stops it (WDIOF_MAGICCLOSE, linux/watchdog.h). */
const MAGIC_CLOSE = 0x0100;

/** Where `options` tells that closing it in any way stops it, unless `nowayout` says that nothing does. Older kernels do not tell. */
function stopsWhenClosed(driver: string): boolean {
  const options = Number(saidIn(driver, 'options') ?? Number.NaN);
  return Number.isInteger(options) && (options & MAGIC_CLOSE) === 0 && saidIn(driver, 'nowayout') !== '1';
}

function driverTimeoutMs(driver: string): number | undefined {
  const seconds = Number(saidIn(driver, 'timeout') ?? 0);
  return Number.isInteger(seconds) && seconds > 0 ? seconds * 1_000 : undefined;
}

function saidIn(driver: string, name: string): string | undefined {
  try {
    return readFileSync(join(driver, name), 'utf8').trim();
  } catch {
    // A kernel that tells nothing of it.
    return undefined;
  }
}

/** Directory of the device's driver below /sys; undefined where there is none. */
function driverOf(path: string, sysfs: string): string | undefined {
  try {
    const device = statSync(path);
    return device.isCharacterDevice() ? directoryOf(device.rdev, sysfs) : undefined;
  } catch {
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
