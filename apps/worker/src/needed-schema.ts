import { missingText } from '@systole/event-store';
import { missingSchema, TABLES } from '@systole/migrations';
import { within } from '@systole/queue';
import type { Pool } from 'pg';

/** Only apis need these, or those who read back what happened. */
const OF_APIS: ReadonlySet<string> = new Set([
  ...['agent_catalogs', 'agent_descriptions', 'agent_tellings', 'installed_agents'],
  ...['cluster_secrets', 'event_term_heads', 'event_terms', 'idempotency_keys', 'index_event_terms(text, integer)', 'tokens'],
  // Nobody's cluster waits for them.
  ...['alert_places', 'alert_runs', 'private_attributes', 'agent_writes'],
  ...['webhook_deliveries', 'webhook_progress', 'webhooks'],
]);

/** Without any of these a worker moves nothing. The log comes first. */
const NEEDED: readonly string[] = ['events', ...TABLES.filter((table) => table !== 'events' && !OF_APIS.has(table))];

/** Whether what a worker can't work without is there, and its tables can be read: an older dump may have been restored under it, or a database may answer, and somebody hold one of them. */
export class NeededSchema {
  /** One question at a time: those that nobody answers must not take up the connections. */
  private asking: Promise<string> | undefined;
  private asked = '';

  constructor(private readonly pool: Pool) {}

  /** @returns `up`, or in words what is missing, or which table can't be read and why; after `ms` at the latest */
  read(ms: number): Promise<string> {
    this.asking ??= this.readAll().finally(() => {
      this.asking = undefined;
    });
    return within(ms, this.asking).catch((error: unknown) => this.unread(error));
  }

  private async readAll(): Promise<string> {
    try {
      // Its tables alone say little: of an older version all may be there.
      this.asked = 'the schema';
      const missing = await missingSchema(this.pool, OF_APIS);
      if (missing !== undefined) return missingText(missing);
      for (const table of NEEDED) {
        this.asked = table;
        await this.pool.query(`SELECT 1 FROM ${table} LIMIT 1`);
      }
      return 'up';
    } catch (error) {
      return this.unread(error);
    }
  }

  private unread(error: unknown): string {
    return `${this.asked} can not be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
