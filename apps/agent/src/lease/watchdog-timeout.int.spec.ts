import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchdogTimeoutMs } from './watchdog-timeout.js';

let sysfs: string;
beforeEach(() => {
  sysfs = mkdtempSync(join(tmpdir(), 'systole-sysfs-'));
});
afterEach(() => {
  rmSync(sysfs, { recursive: true, force: true });
});

/** What /sys says of the device that stands in for a watchdog here: /dev/null, a character device of number 1:3. */
function says(files: Readonly<Record<string, string>>): void {
  const driver = join(sysfs, 'dev/char/1:3');
  mkdirSync(driver, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(driver, name), `${text}\n`);
}

it('is what the driver says, or what was set where that is longer', () => {
  says({ timeout: '10' });
  expect(watchdogTimeoutMs('/dev/null', undefined, sysfs)).toBe(10_000);
  expect(watchdogTimeoutMs('/dev/null', 30_000, sysfs)).toBe(30_000);
  expect(watchdogTimeoutMs('/dev/null', 5_000, sysfs)).toBe(10_000);
  expect(watchdogTimeoutMs('/nowhere', 5_000, sysfs)).toBe(5_000);
});

it('is not known of a device that stops when its agent is killed: nobody may count on it', () => {
  says({ timeout: '10', options: '0x8080', nowayout: '0' });
  expect(watchdogTimeoutMs('/dev/null', 10_000, sysfs)).toBeUndefined();
  says({ nowayout: '1' });
  expect(watchdogTimeoutMs('/dev/null', undefined, sysfs)).toBe(10_000);
  says({ options: '0x8180', nowayout: '0' });
  expect(watchdogTimeoutMs('/dev/null', undefined, sysfs)).toBe(10_000);
});
