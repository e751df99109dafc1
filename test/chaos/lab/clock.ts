import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of the library by which clocks are stepped; its directory is named after the architecture. */
export function clockLibrary(): string | undefined {
  return readdirSync('/usr/lib')
    .map((directory) => join('/usr/lib', directory, 'faketime/libfaketimeMT.so.1'))
    .find((file) => existsSync(file));
}

/**
 * The time of day as one machine's processes see it. A step changes the time of day alone, as a real one does: monotonic clocks go on.
 */
export class Clock {
  constructor(private readonly file: string) {
    this.set(0);
  }

  /** @param seconds by which the clock goes wrong */
  set(seconds: number): void {
    writeFileSync(this.file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }

  /** What is put before a command line so that it, and whatever it starts, sees this clock. */
  get within(): readonly string[] {
    return [
      'env',
      `LD_PRELOAD=${clockLibrary() ?? ''}`,
      `FAKETIME_TIMESTAMP_FILE=${this.file}`,
      'FAKETIME_CACHE_DURATION=1',
      'FAKETIME_DONT_FAKE_MONOTONIC=1',
    ];
  }
}

/** What libfaketime leaves of a process that was killed. */
export function removeClockRemains(pid: number): void {
  for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`]) rmSync(join('/dev/shm', name), { force: true });
}
