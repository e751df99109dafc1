import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Watchdog } from './watchdog.js';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'systole-watchdog-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it('a watchdog has the time-out that its driver says whenever it is opened, and not only at the start of the agent', () => {
  const path = join(directory, 'device');
  const told: (number | string | undefined)[] = [];
  let timeoutMs = 5_000;
  const keeper = {
    mayFeed: () => true,
    armed: (ms: number | undefined) => told.push(ms),
    lost: () => told.push('lost'),
  };
  // It can be opened, and not be fed.
  symlinkSync('/dev/full', path);
  const watchdog = new Watchdog(path, keeper, () => timeoutMs);
  watchdog.feed();
  rmSync(path);
  writeFileSync(path, '');
  timeoutMs = 60_000;
  watchdog.feed();
  // What is open goes on as it was opened.
  timeoutMs = 7_000;
  watchdog.feed();
  watchdog.disarm();
  expect(told).toEqual(['lost', 60_000, 60_000]);
});
