import { readFile, rm } from 'node:fs/promises';
import { uptime } from 'node:os';
import { writeWhole } from '../node/whole-file.js';

/** How long ago a lease began, and its length; ms. */
export interface RecordedLease {
  readonly ageMs: number;
  readonly leaseMs: number;
}

/**
 * Remembers the lease in the run directory, so that an agent process that follows a crashed one knows how long what runs here may go on. Times are on the
 * machine's uptime, which all processes of a boot share and which goes on while it is suspended.
 */
export class LeaseFile {
  /** @param bootMs ms since the boot, suspensions included */
  constructor(
    private readonly path: string,
    private readonly bootMs: () => number = () => Math.floor(uptime() * 1_000),
  ) {}

  async write(ageMs: number, leaseMs: number): Promise<void> {
    // Losing this file costs nothing but knowledge: the lease is then taken to be unknown. On a full file system the one before is better than none, which would count as a lease that begins now.
    await writeWhole(this.path, `${Math.floor(this.bootMs() - ageMs)} ${leaseMs}\n`).catch(() => undefined);
  }

  async read(): Promise<RecordedLease | undefined> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const [began, leaseMs] = text.trim().split(' ').map(Number);
    if (began === undefined || leaseMs === undefined || !(leaseMs > 0) || began > this.bootMs()) return undefined;
    return { ageMs: this.bootMs() - began, leaseMs };
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
