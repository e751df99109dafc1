import type { SharedStates } from '@systole/control-plane-postgres';
import { databaseUrlIn, InvalidSetting, present, readSettings, WORKER_SETTINGS } from '@systole/settings';
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
  /** Whether the scheduler makes itself quick before there is something to plan; for programs that stay, which call `warmUp` when they are ready besides. Default: no. */
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

const DAY_MS = 86_400_000;

/**
 * Reads {@link WORKER_SETTINGS}, and OpenTelemetry's `OTEL_…` (`tracingFrom` of `@systole/tracing`).
 * @throws {InvalidSetting} naming the variable
 */
export function workerConfigFrom(environment: NodeJS.ProcessEnv): WorkerConfig {
  const given = readSettings(WORKER_SETTINGS, environment);
  if (given.SYSTOLE_SIGN_EVERY_S !== undefined && given.SYSTOLE_SIGNING_KEY_FILE === undefined) {
    throw new InvalidSetting('SYSTOLE_SIGN_EVERY_S is set, and SYSTOLE_SIGNING_KEY_FILE is not: nothing would be signed');
  }
  return {
    databaseUrl: databaseUrlIn(given),
    ...present('databaseConnections', given.SYSTOLE_DATABASE_CONNECTIONS),
    ...present('redisUrl', given.REDIS_URL),
    ...present('logLevel', given.LOG_LEVEL),
    ...present('signingKeyFile', given.SYSTOLE_SIGNING_KEY_FILE),
    ...present('secretsKeyFile', given.SYSTOLE_SECRETS_KEY_FILE),
    ...present('signEveryMs', times(given.SYSTOLE_SIGN_EVERY_S, 1_000)),
    ...webhookAddressesFrom(environment),
    ...tracingFrom(environment),
    ...present('webhookTimeoutMs', times(given.SYSTOLE_WEBHOOK_TIMEOUT_S, 1_000)),
    ...present('webhookDisableAfterMs', times(given.SYSTOLE_WEBHOOK_DISABLE_AFTER_DAYS, DAY_MS)),
    ...present('keepDeliveriesMs', times(given.SYSTOLE_KEEP_DELIVERIES_DAYS, DAY_MS)),
    ...present('healthPort', given.HEALTH_PORT),
    ...present('healthHost', given.HEALTH_HOST),
    ...present('warmUp', given.SYSTOLE_WARM_UP),
    ...present('concurrency', given.WORKER_CONCURRENCY),
    ...present('scheduleTimeoutMs', given.SCHEDULE_TIMEOUT_MS),
    ...present('cachedStatesBytes', times(given.SYSTOLE_STATES_MIB, 1024 * 1024)),
  };
}

function times(value: number | undefined, unit: number): number | undefined {
  return value === undefined ? undefined : value * unit;
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
