import { expect } from 'vitest';
import { BIN } from './postgresql-files.js';
import { placesOf, promotedOn, type WorkloadLab } from './lab/workload-lab.js';

/** PostgreSQL as the examples configure it: the promotable clone of `db`, with the address `db-ip` where it is promoted. */
export class PostgresqlService {
  constructor(
    private readonly lab: WorkloadLab,
    readonly address: string,
  ) {}

  /** As an application asks, by the service address, or another. @throws with what `psql` says, when it fails */
  async sql(statement: string, at = this.address): Promise<string> {
    return (await this.lab.outside.run([`${BIN}/psql`, '-h', at, '-U', 'postgres', '-qAtc', statement])).trim();
  }

  /** One is promoted and has the address, all others stream from it. @returns where it is promoted */
  async healthy(nodes: readonly string[]): Promise<string> {
    const status = await this.lab.settled(`PostgreSQL runs on ${nodes.join()}`, (now) => {
      const promoted = promotedOn(now, 'db');
      const isComplete = placesOf(now, 'db').join() === [...nodes].sort().join();
      return promoted !== undefined && isComplete && placesOf(now, 'db-ip').join() === promoted;
    });
    const streams = (): Promise<string> => this.sql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'").catch(String);
    await expect.poll(streams, { timeout: 60_000, interval: 500 }).toBe(String(nodes.length - 1));
    return promotedOn(status, 'db') ?? '';
  }
}
