import { readFile, rm, writeFile } from 'node:fs/promises';

/** How long ago a lease began, and its length; ms. */
export interface RecordedLease {
  readonly ageMs: number;
  readonly leaseMs: number;
}

/**
 * Remembers the lease in the run directory, so that an agent process that follows a crashed one knows how long what runs here may go on. Times are on the
 * system's monotonic clock, which all processes of a boot share.
 */
export class LeaseFile {
  constructor(private readonly path: string) {}

  async write(ageMs: number, leaseMs: number): Promise<void> {
    // Losing this file costs nothing but knowledge: the lease is then taken to be unknown.
    await writeFile(this.path, `${Math.floor(bootMs() - ageMs)} ${leaseMs}\n`).catch(() => undefined);
  }

  async read(): Promise<RecordedLease | undefined> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const [began, leaseMs] = text.trim().split(' ').map(Number);
    if (began === undefined || leaseMs === undefined || !(leaseMs > 0) || began > bootMs()) return undefined;
    return { ageMs: bootMs() - began, leaseMs };
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

function bootMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
