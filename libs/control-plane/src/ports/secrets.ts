import type { HeldSecret, NewSecret, SecretPatterns } from '@systole/cluster';

/** A secret as it is listed: everything but its value. */
export interface ListedSecret {
  readonly id: string;
  /** Of the resource that it was given for. */
  readonly owner: string;
  readonly parameter: string;
  readonly agents: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
  readonly createdBy: string;
  readonly erased?: { readonly at: string; readonly by: string };
  /** The server's keys do not open it. */
  readonly locked?: true;
}

/** The values of secrets that configurations refer to. */
export interface SecretStore {
  /** False: there is no key to keep values with. */
  readonly mayKeep: boolean;
  /** What else is secret than what its name says. */
  readonly patterns: SecretPatterns;
  /** All of a cluster, by id, with their values as far as they can be read. */
  held(clusterId: string): Promise<Readonly<Record<string, HeldSecret>>>;
  /** Those of these ids that are the cluster's. */
  some(clusterId: string, ids: readonly string[]): Promise<Readonly<Record<string, HeldSecret>>>;
}

/** The same in the transaction that the events which refer to them are appended in. */
export interface SecretTables {
  keep(clusterId: string, secrets: readonly NewSecret[], by: string): Promise<void>;
  /** Forgets the value. @returns false when it is none of the cluster's, or was erased before */
  erase(clusterId: string, id: string, by: string): Promise<boolean>;
  /** Of a cluster that is no more. */
  eraseAll(clusterId: string, by: string): Promise<void>;
}
