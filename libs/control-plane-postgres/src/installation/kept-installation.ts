import type { Report } from '@systole/control-plane';
import { checkConnections, SchemaMissing, storeError, StoreUnavailable } from '@systole/event-store';
import type { ClientBase, Pool } from 'pg';

/**
 * Keeps a process to the database that it was started with. A session of PostgreSQL stays in one database until its end, which can be neither renamed nor dropped
 * as long; so whoever asks each new connection whose database it is at, before anything else, never reads from another one, nor writes to it.
 */
export class KeptInstallation {
  #refused = false;

  /** @param id of the installation */
  constructor(
    private readonly id: string,
    private readonly report: Pick<Report, 'warn'>,
  ) {}

  /** From now on the pool, and whoever connects by its options, gets {@link StoreUnavailable} (`other-installation`) where the database is not that of this installation. */
  keep(pool: Pool): void {
    checkConnections(pool, (connection) => this.#check(connection));
  }

  async #check(connection: ClientBase): Promise<void> {
    const { id } = this;
    const found = await installationAt(connection);
    if (found === id) {
      if (this.#refused) this.report.warn({ installation: id }, 'the database of this installation is back');
      this.#refused = false;
      return;
    }
    const error = new StoreUnavailable('none', 'other-installation', {});
    if (!this.#refused) this.report.warn({ installation: id, found }, `${error.reason}; nothing is read from it or written to it`);
    this.#refused = true;
    throw error;
  }
}

/** Undefined where there is none, as in a database that is only being restored. */
async function installationAt(connection: ClientBase): Promise<string | undefined> {
  try {
    const { rows } = await connection.query<{ readonly id: string }>('SELECT id FROM installation');
    return rows[0]?.id;
  } catch (error) {
    const typed = storeError(error, 'connect');
    if (typed instanceof SchemaMissing) return undefined;
    throw typed;
  }
}
