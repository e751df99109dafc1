import { apiConfigFrom, InvalidSetting, type ApiConfig } from '@systole/api';
import { workerConfigFrom, type WorkerConfig } from '@systole/worker';

/** What an api and a worker read of their environment, but for what all of this process has in common. */
const OF_API = [
  ...(['limits', 'trustedProxies', 'corsOrigins', 'databaseConnections', 'cachedStatesBytes', 'operatorsHangAfterMs'] as const),
  ...(['tls', 'oidc', 'webhookAddresses'] as const),
] as const satisfies readonly (keyof ApiConfig)[];
const OF_WORKER = [
  ...(['databaseConnections', 'concurrency', 'scheduleTimeoutMs', 'cachedStatesBytes', 'signingKeyFile', 'signEveryMs'] as const),
  ...(['webhookAddresses', 'webhookTimeoutMs', 'webhookDisableAfterMs', 'keepDeliveriesMs'] as const),
] as const satisfies readonly (keyof WorkerConfig)[];

/** Settings of the api and the worker that run in this process, beside those that all of it has in common. */
export interface PartSettings {
  readonly api: Pick<ApiConfig, (typeof OF_API)[number]>;
  readonly worker: Pick<WorkerConfig, (typeof OF_WORKER)[number]>;
}

/** As many as the api and the worker need at least, together. */
const LEAST_CONNECTIONS = 21;
const LEAST_OF_WORKER = 8;

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
  return {
    api: only(api, OF_API),
    worker: only(worker, OF_WORKER),
  };
}

function shares(text: string): readonly [api: string, worker: string] {
  const inAll = Number(text);
  if (!Number.isInteger(inAll) || inAll < LEAST_CONNECTIONS || inAll > 1_000) {
    throw new InvalidSetting(
      `SYSTOLE_DATABASE_CONNECTIONS is "${text}": give a whole number from ${LEAST_CONNECTIONS} to 1000, for the api and the worker together`,
    );
  }
  const ofWorker = Math.max(LEAST_OF_WORKER, Math.floor(inAll / 3));
  return [String(inAll - ofWorker), String(ofWorker)];
}

function only<T extends object, K extends keyof T>(settings: T, names: readonly K[]): Pick<T, K> {
  const wanted = new Set<PropertyKey>(names);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => wanted.has(name))) as Pick<T, K>;
}
