import { randomUUID } from 'node:crypto';
import { WORKER_ACTOR, type EndedAlertRun } from '@systole/cluster';
import { repeat, type ClusterCommands, type Repeating } from '@systole/control-plane';
import type { Pool, PoolClient } from 'pg';
import { SYSTEM_CLOCK } from '../process/system-clock.js';
import { ALONE, ANY_UNNOTED, NOTED, UNNOTED } from './alert-statements.js';

/** What alerts' ends are told to clusters with. */
export interface AlertOutcomesParts {
  readonly pool: Pool;
  readonly commands: Pick<ClusterCommands, 'execute'>;
  /** Hears what goes wrong; it is tried again. */
  readonly onTrouble: (error: unknown) => void;
  /** How often it is looked, ms; default 1,000. */
  readonly everyMs?: number;
}

const LOOK_EVERY_MS = 1_000;
/** After a look that failed, ms. */
const RETRY_MS = 30_000;
/** Alerts and recipients on nodes that are looked at in one go. */
const MOST_AT_A_TIME = 500;

interface Row {
  readonly id: string;
  readonly cluster_id: string;
  readonly node: string;
  readonly alert: string;
  readonly recipient: string | null;
  readonly path: string;
  readonly outcome: EndedAlertRun['outcome'];
  readonly rc: number | null;
  readonly detail: string | null;
}

/**
 * Has the log of each cluster say which alerts' programs fail, and which work again. What has ended stays to be looked at until that is done, whatever ends a worker; what is looked at twice changes nothing the second time.
 */
export class AlertOutcomes {
  readonly #looking: Repeating;
  #notBefore = 0;
  /** When what could not be told to a cluster is tried again; ms of the monotonic clock. */
  readonly #resting = new Map<string, number>();

  constructor(private readonly parts: AlertOutcomesParts) {
    this.#looking = repeat(SYSTEM_CLOCK, parts.everyMs ?? LOOK_EVERY_MS, () => this.#look(), parts.onTrouble);
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#looking.stop();
  }

  async #look(): Promise<void> {
    if (SYSTEM_CLOCK.monotonic() < this.#notBefore) return;
    try {
      const { rows } = await this.parts.pool.query<{ any: boolean }>(ANY_UNNOTED);
      if (rows[0]?.any === true) await this.#noteAlone();
    } catch (error) {
      this.#notBefore = SYSTEM_CLOCK.monotonic() + RETRY_MS;
      throw error;
    }
  }

  async #noteAlone(): Promise<void> {
    const client = await this.parts.pool.connect();
    let failed: boolean | Error = true;
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ alone: boolean }>(ALONE);
      if (rows[0]?.alone === true) await this.#note(client);
      await client.query('COMMIT');
      failed = false;
    } finally {
      // What a connection left undone goes with it.
      client.release(failed);
    }
  }

  async #note(client: PoolClient): Promise<void> {
    const now = SYSTEM_CLOCK.monotonic();
    for (const [clusterId, until] of this.#resting) if (until <= now) this.#resting.delete(clusterId);
    const { rows } = await client.query<Row>(UNNOTED, [MOST_AT_A_TIME, [...this.#resting.keys()]]);
    const told: Row[] = [];
    for (const [clusterId, ended] of byCluster(rows)) if (await this.#tell(clusterId, ended)) told.push(...ended);
    if (told.length === 0) return;
    const seen = told.map(({ id, cluster_id: cluster, node, alert, recipient }) => ({ id, cluster, node, alert, recipient }));
    await client.query(NOTED, [JSON.stringify(seen)]);
  }

  /** One cluster that can't be written to must not keep all others from hearing of theirs. @returns whether it was told */
  async #tell(clusterId: string, ended: readonly Row[]): Promise<boolean> {
    const command = { type: 'note-alert-runs', runs: ended.map(runOf) } as const;
    try {
      await this.parts.commands.execute(clusterId, command, { actor: WORKER_ACTOR, correlationId: randomUUID() });
      return true;
    } catch (error) {
      this.#resting.set(clusterId, SYSTEM_CLOCK.monotonic() + RETRY_MS);
      this.parts.onTrouble(error);
      return false;
    }
  }
}

function byCluster(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const clusters = new Map<string, Row[]>();
  for (const row of rows) clusters.set(row.cluster_id, [...(clusters.get(row.cluster_id) ?? []), row]);
  return clusters;
}

function runOf({ id, node, alert, recipient, path, outcome, rc, detail }: Row): EndedAlertRun {
  return {
    ...{ run: Number(id), node, alert, path, outcome },
    ...(recipient === null ? {} : { recipient }),
    ...(rc === null ? {} : { rc }),
    ...(detail === null ? {} : { detail }),
  };
}
