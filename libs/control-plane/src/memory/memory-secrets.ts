import type { HeldSecret } from '@systole/cluster';
import type { SecretStore, SecretTables } from '../ports/secrets.js';
import type { MemoryDatabase } from './memory-database.js';

/** A secret of a cluster; by `<cluster> <id>`. */
export type StoredSecret = HeldSecret & { readonly clusterId: string; readonly id: string };

/** Twin of the table of secrets; keeps them as they are. */
export class MemorySecrets implements SecretStore {
  readonly mayKeep = true;
  readonly patterns = [];

  constructor(private readonly database: Pick<MemoryDatabase, 'tables'>) {}

  held(clusterId: string): Promise<Readonly<Record<string, HeldSecret>>> {
    const own = [...this.database.tables.secrets.values()].filter((secret) => secret.clusterId === clusterId);
    return Promise.resolve(Object.fromEntries(own.map((secret) => [secret.id, secret])));
  }

  async some(clusterId: string, ids: readonly string[]): Promise<Readonly<Record<string, HeldSecret>>> {
    return Object.fromEntries(Object.entries(await this.held(clusterId)).filter(([id]) => ids.includes(id)));
  }
}

export function memorySecretsIn(secrets: Map<string, StoredSecret>): SecretTables {
  const withoutValue = ({ value: _, ...rest }: StoredSecret): StoredSecret => ({ ...rest, erased: true });
  return {
    keep: (clusterId, made) => {
      for (const secret of made) secrets.set(`${clusterId} ${secret.id}`, { ...secret, clusterId });
      return Promise.resolve();
    },
    erase: (clusterId, id) => {
      const key = `${clusterId} ${id}`;
      const secret = secrets.get(key);
      if (secret === undefined || secret.erased === true) return Promise.resolve(false);
      secrets.set(key, withoutValue(secret));
      return Promise.resolve(true);
    },
    eraseAll: (clusterId) => {
      for (const [key, secret] of secrets) if (secret.clusterId === clusterId) secrets.set(key, withoutValue(secret));
      return Promise.resolve();
    },
  };
}
