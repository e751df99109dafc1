import { apiConfigFrom, type ApiConfig } from '@systole/api';
import { InvalidSetting, LEAST_API_CONNECTIONS, LEAST_WORKER_CONNECTIONS } from '@systole/settings';
import { workerConfigFrom, type WorkerConfig } from '@systole/worker';

/** What all of one process has in common, and its start gives: the address at which it listens, where its database and its queue are. */
const IN_COMMON = ['databaseUrl', 'redisUrl', 'port', 'host', 'logLevel', 'adminToken', 'leaseMs'] as const;
const IN_COMMON_WITH_WORKER = ['databaseUrl', 'redisUrl', 'logLevel', 'healthPort'] as const;

/** Settings of the api and the worker that run in this process, beside those that all of it has in common: whatever else they read as processes of their own. */
export interface PartSettings {
  readonly api: Omit<ApiConfig, (typeof IN_COMMON)[number]>;
  readonly worker: Omit<WorkerConfig, (typeof IN_COMMON_WITH_WORKER)[number]>;
}

/** As many as the api and the worker need at least, together. */
const LEAST_CONNECTIONS = LEAST_API_CONNECTIONS + LEAST_WORKER_CONNECTIONS;

/**
 * Reads what each part reads of its environment when it is a process of its own. `SYSTOLE_DATABASE_CONNECTIONS` is what both have in all: a third of them, at least eight, are the worker's.
 *
 * @throws an error that names the variable and says what it may be
 */
export function partSettings(environment: NodeJS.ProcessEnv): PartSettings {
  const { DATABASE_URL: databaseUrl, SYSTOLE_DATABASE_CONNECTIONS: inAll } = environment;
  const common = {
    ...environment,
    DATABASE_URL: databaseUrl === undefined || databaseUrl === '' ? 'postgres://embedded' : databaseUrl,
  };
  const [ofApi, ofWorker] = inAll === undefined || inAll === '' ? ['', ''] : shares(inAll);
  const api = apiConfigFrom({ ...common, PORT: '', SYSTOLE_DATABASE_CONNECTIONS: ofApi });
  const worker = workerConfigFrom({ ...common, SYSTOLE_DATABASE_CONNECTIONS: ofWorker });
  return { api: without(api, IN_COMMON), worker: without(worker, IN_COMMON_WITH_WORKER) };
}

function shares(text: string): readonly [api: string, worker: string] {
  const inAll = Number(text);
  if (!Number.isInteger(inAll) || inAll < LEAST_CONNECTIONS || inAll > 1_000) {
    throw new InvalidSetting(
      `SYSTOLE_DATABASE_CONNECTIONS is "${text}": give a whole number from ${LEAST_CONNECTIONS} to 1000, for the api and the worker together`,
    );
  }
  const ofWorker = Math.max(LEAST_WORKER_CONNECTIONS, Math.floor(inAll / 3));
  return [String(inAll - ofWorker), String(ofWorker)];
}

function without<T extends object, K extends keyof T>(settings: T, names: readonly K[]): Omit<T, K> {
  const common = new Set<PropertyKey>(names);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !common.has(name))) as Omit<T, K>;
}
