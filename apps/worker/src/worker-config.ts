import type { SharedStates } from '@systole/control-plane-postgres';
import { InvalidTracing, tracingFrom as tracingIn, type TracingConfig } from '@systole/tracing';
import { addressRulesFrom, InvalidAddressRule, type AddressRules } from '@systole/webhooks';

/** How a worker is set up. Everything but the database has a default that suits production. */
export interface WorkerConfig {
  /** `postgres://user:password@host:port/database`, with the schema in place. */
  readonly databaseUrl: string;
  /** Connections to it in all; default 10, at least 8. */
  readonly databaseConnections?: number;
  /** `redis://…`: the queue lives there; absent: in the database. */
  readonly redisUrl?: string;
  /** pino level; default `info`. */
  readonly logLevel?: string;
  /** Port at which `/health/live`, `/health/ready` and `/metrics` are answered; absent: none. */
  readonly healthPort?: number;
  /** Address at which they are; default 127.0.0.1. */
  readonly healthHost?: string;
  /** Clusters moved at the same time; default 8. */
  readonly concurrency?: number;
  /** After which a run of the scheduler is given up, ms; default 120,000. */
  readonly scheduleTimeoutMs?: number;
  /** Whether the scheduler makes itself quick before there is something to plan; for programs that stay. Default: no. */
  readonly warmUp?: boolean;
  /** Memory for the states of clusters, bytes; default 384 MiB. */
  readonly cachedStatesBytes?: number;
  /** States that another part of this thread reads, too; absent: its own. */
  readonly states?: SharedStates;
  /** File of the Ed25519 key (PEM) with which the heads of the log are signed; absent: this worker signs nothing. */
  readonly signingKeyFile?: string;
  /** How often they are signed, ms; default 300,000. */
  readonly signEveryMs?: number;
  /** File of the keys that the secrets of webhooks are kept with, as the api has it; absent: those that were sealed can't be signed with. */
  readonly secretsKeyFile?: string;
  /** Which addresses webhooks may be sent to, where that is not what is usual. */
  readonly webhookAddresses?: AddressRules;
  /** How long a receiver of webhooks has to answer, ms; default 10,000. */
  readonly webhookTimeoutMs?: number;
  /** After which a receiver that fails all the time is asked no more, ms; default five days. */
  readonly webhookDisableAfterMs?: number;
  /** How long attempts to deliver webhooks are kept, ms; default seven days. */
  readonly keepDeliveriesMs?: number;
  /** Send traces to a collector; absent: none are made. */
  readonly tracing?: TracingConfig;
  /** How often expired leases are looked for, ms; default 500. */
  readonly leaseScanMs?: number;
  /** How often clusters are looked over for something that no trigger announced, ms; default 30,000. */
  readonly sweepMs?: number;
}

/** With fewer, one cluster that waits for a lock would hold up all others, and this worker's word that it is there. */
const LEAST_CONNECTIONS = 8;

const DAY_MS = 86_400_000;

/** A setting in the environment is not usable. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

/**
 * Reads `DATABASE_URL`, `SYSTOLE_DATABASE_CONNECTIONS`, `REDIS_URL`, `LOG_LEVEL`, `HEALTH_PORT`, `HEALTH_HOST`, `WORKER_CONCURRENCY`, `SCHEDULE_TIMEOUT_MS`, `SYSTOLE_STATES_MIB`, `SYSTOLE_SIGNING_KEY_FILE`, `SYSTOLE_SIGN_EVERY_S`, `SYSTOLE_SECRETS_KEY_FILE`, `SYSTOLE_WEBHOOK_…`, `SYSTOLE_KEEP_DELIVERIES_DAYS` and OpenTelemetry's `OTEL_…` (`tracingFrom` of `@systole/tracing`).
 * @throws InvalidSetting naming the variable
 */
export function workerConfigFrom(environment: NodeJS.ProcessEnv): WorkerConfig {
  const databaseUrl = environment['DATABASE_URL'];
  if (databaseUrl === undefined || databaseUrl === '') {
    throw new InvalidSetting('DATABASE_URL is not set: give the PostgreSQL database, e.g. postgres://systole:secret@db:5432/systole');
  }
  const databaseConnections = wholeNumber(environment, 'SYSTOLE_DATABASE_CONNECTIONS', LEAST_CONNECTIONS, 1_000);
  const healthPort = wholeNumber(environment, 'HEALTH_PORT', 1, 65_535);
  const concurrency = wholeNumber(environment, 'WORKER_CONCURRENCY', 1, 1_000);
  const scheduleTimeoutMs = wholeNumber(environment, 'SCHEDULE_TIMEOUT_MS', 1, 3_600_000);
  const cachedStatesMib = wholeNumber(environment, 'SYSTOLE_STATES_MIB', 1, 1_000_000);
  const signEveryS = wholeNumber(environment, 'SYSTOLE_SIGN_EVERY_S', 1, 86_400);
  const signingKeyFile = environment['SYSTOLE_SIGNING_KEY_FILE'];
  if (signEveryS !== undefined && (signingKeyFile === undefined || signingKeyFile === '')) {
    throw new InvalidSetting('SYSTOLE_SIGN_EVERY_S is set, and SYSTOLE_SIGNING_KEY_FILE is not: nothing would be signed');
  }
  const webhookTimeoutS = wholeNumber(environment, 'SYSTOLE_WEBHOOK_TIMEOUT_S', 1, 30);
  const webhookDisableAfterDays = wholeNumber(environment, 'SYSTOLE_WEBHOOK_DISABLE_AFTER_DAYS', 1, 365);
  const keepDeliveriesDays = wholeNumber(environment, 'SYSTOLE_KEEP_DELIVERIES_DAYS', 1, 3_650);
  const secretsKeyFile = environment['SYSTOLE_SECRETS_KEY_FILE'];
  const healthHost = environment['HEALTH_HOST'];
  const redisUrl = environment['REDIS_URL'];
  const logLevel = environment['LOG_LEVEL'];
  return {
    databaseUrl,
    ...(databaseConnections === undefined ? {} : { databaseConnections }),
    ...(redisUrl === undefined || redisUrl === '' ? {} : { redisUrl }),
    ...(logLevel === undefined || logLevel === '' ? {} : { logLevel }),
    ...(signingKeyFile === undefined || signingKeyFile === '' ? {} : { signingKeyFile }),
    ...(secretsKeyFile === undefined || secretsKeyFile === '' ? {} : { secretsKeyFile }),
    ...(signEveryS === undefined ? {} : { signEveryMs: signEveryS * 1_000 }),
    ...webhookAddressesFrom(environment),
    ...tracingFrom(environment),
    ...(webhookTimeoutS === undefined ? {} : { webhookTimeoutMs: webhookTimeoutS * 1_000 }),
    ...(webhookDisableAfterDays === undefined ? {} : { webhookDisableAfterMs: webhookDisableAfterDays * DAY_MS }),
    ...(keepDeliveriesDays === undefined ? {} : { keepDeliveriesMs: keepDeliveriesDays * DAY_MS }),
    ...(healthPort === undefined ? {} : { healthPort }),
    ...(healthHost === undefined || healthHost === '' ? {} : { healthHost }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(scheduleTimeoutMs === undefined ? {} : { scheduleTimeoutMs }),
    ...(cachedStatesMib === undefined ? {} : { cachedStatesBytes: cachedStatesMib * 1024 * 1024 }),
  };
}

function wholeNumber(environment: NodeJS.ProcessEnv, name: string, least: number, most: number): number | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new InvalidSetting(`${name} is "${text}": give a whole number from ${least} to ${most}`);
  }
  return value;
}

/** @throws {InvalidSetting} */
function webhookAddressesFrom(environment: NodeJS.ProcessEnv): { readonly webhookAddresses?: AddressRules } {
  try {
    const webhookAddresses = addressRulesFrom(environment);
    return webhookAddresses === undefined ? {} : { webhookAddresses };
  } catch (error) {
    throw error instanceof InvalidAddressRule ? new InvalidSetting(error.message) : error;
  }
}

/** @throws {InvalidSetting} */
function tracingFrom(environment: NodeJS.ProcessEnv): Pick<WorkerConfig, 'tracing'> {
  try {
    const tracing = tracingIn(environment);
    return tracing === undefined ? {} : { tracing };
  } catch (error) {
    throw error instanceof InvalidTracing ? new InvalidSetting(error.message) : error;
  }
}
