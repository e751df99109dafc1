import type { DatabaseClock, Elapsed } from '@systole/control-plane';

/** How long ago, ms, something happened that the database dated. */
export type ElapsedSince = (cause: string, momentMs: number) => number;

/** How long clusters have been waiting, as this process measures it: by its own clock since it first looked, as a worker does. */
export class ElapsedTimes {
  constructor(
    private readonly elapsed: Elapsed,
    private readonly databaseClock: DatabaseClock,
  ) {}

  async of(clusterId: string): Promise<ElapsedSince> {
    const now = await this.databaseClock.now();
    return (cause, momentMs) => this.elapsed.since(clusterId, cause, momentMs, now);
  }
}
