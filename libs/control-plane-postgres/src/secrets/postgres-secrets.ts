import type { HeldSecret, SecretPatterns } from '@systole/cluster';
import { Unstorable, type ListedSecret, type SecretStore, type SecretTables } from '@systole/control-plane';
import { storeError } from '@systole/event-store';
import type { Pool } from 'pg';
import type { Statements } from '../log/statements.js';
import { NO_KEYS, type MasterKeys } from './master-keys.js';
import { rewrap, seal, unseal, type SealedValue } from './sealed-value.js';

interface Row {
  readonly id: string;
  readonly owner: string;
  readonly parameter: string;
  readonly agents: readonly string[];
  readonly created_at: Date;
  readonly created_by: string;
  readonly erased_at: Date | null;
  readonly erased_by: string | null;
  readonly key_id: string | null;
  readonly wrapped_key: Buffer | null;
  readonly value: Buffer | null;
}

const COLUMNS = 'id, owner, parameter, agents, created_at, created_by, erased_at, erased_by, key_id, wrapped_key, value';

const KEEP = `
INSERT INTO cluster_secrets (cluster_id, id, owner, parameter, agents, created_by, key_id, wrapped_key, value)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const ERASED = 'key_id = NULL, wrapped_key = NULL, value = NULL, erased_at = clock_timestamp()';

/** Secrets wrapped anew in one transaction. */
const BATCH = 500;

/** How secrets are opened, and what else is one than its name says. */
export interface SecretsSettings {
  readonly keys: MasterKeys;
  readonly patterns: SecretPatterns;
}

export const NO_SECRETS: SecretsSettings = { keys: NO_KEYS, patterns: [] };

/** The table of secrets. */
export class PostgresSecrets implements SecretStore {
  constructor(
    private readonly pool: Pool,
    private readonly settings: SecretsSettings,
  ) {}

  get mayKeep(): boolean {
    return this.settings.keys.current !== undefined;
  }

  get patterns(): SecretPatterns {
    return this.settings.patterns;
  }

  async held(clusterId: string): Promise<Readonly<Record<string, HeldSecret>>> {
    const text = `SELECT ${COLUMNS} FROM cluster_secrets WHERE cluster_id = $1`;
    return this.opened(clusterId, await this.read({ name: 'systole-secrets', text, values: [clusterId] }));
  }

  async some(clusterId: string, ids: readonly string[]): Promise<Readonly<Record<string, HeldSecret>>> {
    const text = `SELECT ${COLUMNS} FROM cluster_secrets WHERE cluster_id = $1 AND id = ANY ($2::text[])`;
    return this.opened(clusterId, await this.read({ name: 'systole-some-secrets', text, values: [clusterId, ids] }));
  }

  /** Those of these ids that were erased. */
  async erased(clusterId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const text = `SELECT ${COLUMNS} FROM cluster_secrets WHERE cluster_id = $1 AND id = ANY ($2::text[]) AND erased_at IS NOT NULL`;
    const rows = await this.read({ name: 'systole-erased-secrets', text, values: [clusterId, ids] });
    return new Set(rows.map(({ id }) => id));
  }

  /** In the order in which they were made. */
  async list(clusterId: string): Promise<readonly ListedSecret[]> {
    const text = `SELECT ${COLUMNS} FROM cluster_secrets WHERE cluster_id = $1 ORDER BY created_at, id`;
    const rows = await this.read({ name: 'systole-list-secrets', text, values: [clusterId] });
    return rows.map((row) => {
      const { id, owner, parameter, agents, created_by: createdBy, erased_at: at, erased_by: by } = row;
      const listed = { id, owner, parameter, agents, createdAt: row.created_at.toISOString(), createdBy };
      if (at !== null) return { ...listed, erased: { at: at.toISOString(), by: by ?? '' } };
      return this.valueOf(clusterId, row) === undefined ? { ...listed, locked: true } : listed;
    });
  }

  /** Secrets of all clusters that these keys do not open. */
  async locked(): Promise<number> {
    const text = 'SELECT count(*)::integer AS count FROM cluster_secrets WHERE key_id IS NOT NULL AND NOT key_id = ANY ($1::text[])';
    const { rows } = await this.pool.query<{ readonly count: number }>(text, [this.settings.keys.all.map(({ id }) => id)]);
    return rows[0]?.count ?? 0;
  }

  /**
   * Wraps the keys of all values with the present master key; the values stay as they are. Can be repeated, and go on while servers run that have both keys.
   *
   * @returns how many were wrapped anew, and how many none of the keys opens
   * @throws {Error} without a present key
   */
  async rotate(): Promise<{ readonly rewrapped: number; readonly locked: number }> {
    const { current } = this.settings.keys;
    if (current === undefined) throw new Error('there is no key to wrap secrets with');
    let rewrapped = 0;
    let locked = 0;
    let after: readonly [string, string] = ['', ''];
    for (;;) {
      const { rows } = await this.pool.query<Row & { readonly cluster_id: string }>(
        `SELECT cluster_id, ${COLUMNS} FROM cluster_secrets
         WHERE (cluster_id, id) > ($1, $2) AND key_id IS NOT NULL AND key_id <> $3 ORDER BY cluster_id, id LIMIT ${String(BATCH)}`,
        [...after, current.id],
      );
      for (const { cluster_id: clusterId, id, key_id: keyId, wrapped_key: wrappedKey } of rows) {
        after = [clusterId, id];
        if (keyId === null || wrappedKey === null) continue;
        const wrapped = rewrap({ keyId, wrappedKey }, placeOf(clusterId, id), this.settings.keys, current);
        if (wrapped === undefined) {
          locked += 1;
          continue;
        }
        // Who erased it meanwhile has erased it.
        const { rowCount } = await this.pool.query(
          'UPDATE cluster_secrets SET key_id = $4, wrapped_key = $5 WHERE cluster_id = $1 AND id = $2 AND key_id = $3',
          [clusterId, id, keyId, wrapped.keyId, wrapped.wrappedKey],
        );
        rewrapped += rowCount ?? 0;
      }
      if (rows.length < BATCH) return { rewrapped, locked };
    }
  }

  private async read(query: {
    readonly name: string;
    readonly text: string;
    readonly values: readonly unknown[];
  }): Promise<readonly Row[]> {
    const { rows } = await this.pool.query<Row>({ ...query, values: [...query.values] }).catch((error: unknown) => {
      throw storeError(error, 'read');
    });
    return rows;
  }

  private opened(clusterId: string, rows: readonly Row[]): Readonly<Record<string, HeldSecret>> {
    return Object.fromEntries(
      rows.map((row) => {
        const { id, owner, parameter, agents, erased_at: erasedAt } = row;
        const value = this.valueOf(clusterId, row);
        return [
          id,
          { owner, parameter, agents, ...(value === undefined ? {} : { value }), ...(erasedAt === null ? {} : { erased: true }) },
        ];
      }),
    );
  }

  private valueOf(clusterId: string, { id, ...row }: Row): string | undefined {
    const sealed = sealedIn(row);
    return sealed === undefined ? undefined : unseal(sealed, placeOf(clusterId, id), this.settings.keys);
  }
}

/** The same table within a transaction. */
export function secretsIn(client: Statements, { keys }: SecretsSettings): SecretTables {
  return {
    keep: async (clusterId, secrets, by) => {
      const { current } = keys;
      if (current === undefined) throw new Unstorable({ cause: new Error('there is no key to keep secrets with') });
      for (const { id, owner, parameter, agents, value } of secrets) {
        const sealed = seal(value, placeOf(clusterId, id), current);
        const values = [clusterId, id, owner, parameter, [...agents], by, sealed.keyId, sealed.wrappedKey, sealed.value];
        await client.query({ name: 'systole-keep-secret', text: KEEP, values });
      }
    },
    erase: async (clusterId, id, by) => {
      const text = `UPDATE cluster_secrets SET ${ERASED}, erased_by = $3 WHERE cluster_id = $1 AND id = $2 AND erased_at IS NULL`;
      const { rowCount } = await client.query({ text, values: [clusterId, id, by] });
      return rowCount === 1;
    },
    eraseAll: async (clusterId, by) => {
      const text = `UPDATE cluster_secrets SET ${ERASED}, erased_by = $2 WHERE cluster_id = $1 AND erased_at IS NULL`;
      await client.query({ text, values: [clusterId, by] });
    },
  };
}

/** What a value is bound to: copied to another row it does not open. */
function placeOf(clusterId: string, id: string): string {
  return JSON.stringify([clusterId, id]);
}

function sealedIn({ key_id: keyId, wrapped_key: wrappedKey, value }: Omit<Row, 'id'>): SealedValue | undefined {
  return keyId === null || wrappedKey === null || value === null ? undefined : { keyId, wrappedKey, value };
}
