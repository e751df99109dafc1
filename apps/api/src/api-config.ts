import type { SharedStates } from '@systole/control-plane-postgres';
import { LEAST_CONNECTIONS } from './database-connections.js';
import type { MetricValues } from './metrics/http-metrics.js';
import { InvalidSetting, setting, switchedOn, wholeNumber } from './environment.js';
import type { OidcConfig } from '@systole/access';
import { InvalidTracing, tracingFrom as tracingIn, type TracingConfig } from '@systole/tracing';
import { addressRulesFrom, InvalidAddressRule, type AddressRules } from '@systole/webhooks';
import type { TlsConfig } from './tls/server-tls.js';
import { requestLimitsFrom, type RequestLimits } from './request-limits.js';

/** How an api is set up. Everything but the database has a default. */
export interface ApiConfig {
  /** `postgres://user:password@host:port/database`; the account may create tables (the migrations run at start). */
  readonly databaseUrl: string;
  /** Connections to it in all; default 20, at least 13. */
  readonly databaseConnections?: number;
  /** `redis://…`: the work queue lives there; absent: in the database. */
  readonly redisUrl?: string;
  /** Default 3000; 0: any free one. */
  readonly port?: number;
  /** Address to listen on; default 127.0.0.1. Agents on other machines need another, e.g. 0.0.0.0. */
  readonly host?: string;
  /** pino level; default `info`. */
  readonly logLevel?: string;
  /** Secret of an admin token to be stored; absent: one is made at the first start. */
  readonly adminToken?: string;
  /** Gets the secret of the admin token that was made at the first start; default: prints it to stdout. */
  readonly onAdminToken?: (secret: string) => void;
  /** Length of the leases that agents get, ms; default 10,000. */
  readonly leaseMs?: number;
  /** Longest wait of an agent's poll, ms; at most (and by default) a third of the lease. */
  readonly pollMs?: number;
  /** How often an idle event stream shows that it lives, ms; default 15,000. */
  readonly heartbeatMs?: number;
  /** Directory of the dashboard's files; default: where the workspace builds them. */
  readonly dashboardDirectory?: string;
  /** Memory for the states of clusters, bytes, in each of the threads that read them; default 384 MiB. */
  readonly cachedStatesBytes?: number;
  /** States that another part of this thread reads, too; absent: its own. A thread for operators has its own in any case. */
  readonly states?: SharedStates;
  /** Instead of some of the default limits. */
  readonly limits?: Partial<RequestLimits>;
  /** Origins whose pages may use the API from a browser, e.g. `https://ops.example`; `*`: all; absent: none but its own. */
  readonly corsOrigins?: readonly string[];
  /** Reverse proxies before this server, whose word on the client's address counts; default 0. */
  readonly trustedProxies?: number;
  /**
   * Serve operators in a thread of its own, so that nothing they ask for delays an agent's lease; this one keeps what leases depend on, and passes on the rest.
   * Default false: all in this thread.
   */
  readonly operatorsApart?: boolean;
  /** A thread that serves operators and says nothing for so long hangs, and is replaced, ms; default 30,000. Longer than the largest CIB keeps it busy. */
  readonly operatorsHangAfterMs?: number;
  /** Path of the Unix socket at which to listen, instead of an address: this is the thread for operators, behind the front that passes on to it. */
  readonly frontedAt?: string;
  /** What else this process does in numbers, as `prom-client` has them: shown with the api's own at `/metrics`. What has the same name and labels is added up. */
  readonly otherMetrics?: () => Promise<MetricValues>;
  /** Speak HTTPS; absent: plain HTTP, for where a proxy speaks it, or nobody else can listen. */
  readonly tls?: TlsConfig;
  /** Users who bring a token of this OpenID provider; absent: there are tokens of this server only. */
  readonly oidc?: OidcConfig;
  /** File with the keys that secrets are kept with, the present one first; absent: none can be kept, and what brings one in clear is refused. */
  readonly secretsKeyFile?: string;
  /** Parameters that are secret besides those whose names say so; `*` stands for anything. */
  readonly secretParameters?: readonly string[];
  /** Which addresses webhooks may be sent to, where that is not what is usual: those that can't are refused at once. What counts is the workers' setting. */
  readonly webhookAddresses?: AddressRules;
  /** Send traces to a collector; absent: none are made. */
  readonly tracing?: TracingConfig;
  /** Whether it makes itself quick in the time that it has to spare; for programs that stay. Default: no. */
  readonly warmUp?: boolean;
  /** Id of the installation that the front serves; given to the thread for operators. */
  readonly installation?: string;
}

export const DEFAULT_LEASE_MS = 10_000;

/** Shortest secret that is taken as a token, in characters. */
const SHORTEST_SECRET = 20;
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * Reads `DATABASE_URL`, `SYSTOLE_DATABASE_CONNECTIONS`, `REDIS_URL`, `PORT`, `HOST`, `LOG_LEVEL`, `SYSTOLE_ADMIN_TOKEN`, `SYSTOLE_LEASE_MS`, `SYSTOLE_TRUSTED_PROXIES`, `SYSTOLE_CORS_ORIGINS`, `SYSTOLE_STATES_MIB`, `SYSTOLE_OPERATORS_HANG_MS`, `SYSTOLE_WEBHOOK_ALLOW`, `SYSTOLE_WEBHOOK_REFUSE`, `SYSTOLE_TLS_…`, `SYSTOLE_OIDC_…`, `SYSTOLE_SECRETS_KEY_FILE`, `SYSTOLE_SECRET_PARAMETERS`, `SYSTOLE_WARM_UP`, the limits and OpenTelemetry's `OTEL_…` (`tracingFrom` of `@systole/tracing`). An empty value counts as unset.
 *
 * @throws {InvalidSetting} naming the variable and what it may be
 */
export function apiConfigFrom(environment: NodeJS.ProcessEnv): ApiConfig {
  const databaseUrl = setting(environment, 'DATABASE_URL');
  if (databaseUrl === undefined) {
    throw new InvalidSetting('DATABASE_URL is not set: give the PostgreSQL database, e.g. postgres://systole:secret@db:5432/systole');
  }
  checkUrl('DATABASE_URL', databaseUrl, ['postgres:', 'postgresql:']);
  const redisUrl = setting(environment, 'REDIS_URL');
  if (redisUrl !== undefined) checkUrl('REDIS_URL', redisUrl, ['redis:', 'rediss:']);
  const port = wholeNumber(environment, 'PORT', 0, 65_535);
  const host = setting(environment, 'HOST');
  const logLevel = setting(environment, 'LOG_LEVEL');
  if (logLevel !== undefined && !LEVELS.includes(logLevel)) {
    throw new InvalidSetting(`LOG_LEVEL is "${logLevel}": give one of ${LEVELS.join(', ')}`);
  }
  const adminToken = setting(environment, 'SYSTOLE_ADMIN_TOKEN');
  if (adminToken !== undefined && (adminToken.length < SHORTEST_SECRET || !/^[\x21-\x7e]+$/.test(adminToken))) {
    throw new InvalidSetting(`SYSTOLE_ADMIN_TOKEN is not usable: give at least ${SHORTEST_SECRET} printable characters without spaces`);
  }
  const warmUp = switchedOn(environment, 'SYSTOLE_WARM_UP');
  const leaseMs = wholeNumber(environment, 'SYSTOLE_LEASE_MS', 500, 3_600_000);
  const trustedProxies = wholeNumber(environment, 'SYSTOLE_TRUSTED_PROXIES', 0, 10);
  const corsOrigins = setting(environment, 'SYSTOLE_CORS_ORIGINS')
    ?.split(',')
    .map((origin) => originIn(origin.trim()));
  const cachedStatesMib = wholeNumber(environment, 'SYSTOLE_STATES_MIB', 1, 1_000_000);
  const databaseConnections = wholeNumber(environment, 'SYSTOLE_DATABASE_CONNECTIONS', LEAST_CONNECTIONS, 1_000);
  const operatorsHangAfterMs = wholeNumber(environment, 'SYSTOLE_OPERATORS_HANG_MS', 5_000, 3_600_000);
  return {
    databaseUrl,
    limits: requestLimitsFrom(environment),
    ...webhookAddressesFrom(environment),
    ...(databaseConnections === undefined ? {} : { databaseConnections }),
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
    ...(corsOrigins === undefined ? {} : { corsOrigins }),
    ...(cachedStatesMib === undefined ? {} : { cachedStatesBytes: cachedStatesMib * 1024 * 1024 }),
    ...(operatorsHangAfterMs === undefined ? {} : { operatorsHangAfterMs }),
    ...(redisUrl === undefined ? {} : { redisUrl }),
    ...(warmUp === undefined ? {} : { warmUp }),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    ...(logLevel === undefined ? {} : { logLevel }),
    ...(adminToken === undefined ? {} : { adminToken }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
    ...tlsFrom(environment),
    ...secretsFrom(environment),
    ...oidcFrom(environment),
    ...tracingFrom(environment),
  };
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
function tracingFrom(environment: NodeJS.ProcessEnv): Pick<ApiConfig, 'tracing'> {
  try {
    const tracing = tracingIn(environment);
    return tracing === undefined ? {} : { tracing };
  } catch (error) {
    throw error instanceof InvalidTracing ? new InvalidSetting(error.message) : error;
  }
}

/** @throws {InvalidSetting} when one of the settings misses another one */
function tlsFrom(environment: NodeJS.ProcessEnv): Pick<ApiConfig, 'tls'> {
  const certificateFile = setting(environment, 'SYSTOLE_TLS_CERT_FILE');
  const keyFile = setting(environment, 'SYSTOLE_TLS_KEY_FILE');
  const clientAuthoritiesFile = setting(environment, 'SYSTOLE_TLS_CLIENT_CA_FILE');
  const agentCertificates = setting(environment, 'SYSTOLE_TLS_AGENT_CERTIFICATES');
  if (agentCertificates !== undefined && agentCertificates !== 'optional' && agentCertificates !== 'required') {
    throw new InvalidSetting(`SYSTOLE_TLS_AGENT_CERTIFICATES is "${agentCertificates}": give optional or required`);
  }
  if (agentCertificates !== undefined && clientAuthoritiesFile === undefined) {
    throw new InvalidSetting('SYSTOLE_TLS_AGENT_CERTIFICATES needs SYSTOLE_TLS_CLIENT_CA_FILE: by which authorities they are verified');
  }
  if (certificateFile === undefined || keyFile === undefined) {
    if (certificateFile === undefined && keyFile === undefined && clientAuthoritiesFile === undefined) return {};
    throw new InvalidSetting('TLS needs both SYSTOLE_TLS_CERT_FILE and SYSTOLE_TLS_KEY_FILE: paths of PEM files');
  }
  const clients = clientAuthoritiesFile === undefined ? {} : { clientAuthoritiesFile };
  return { tls: { certificateFile, keyFile, ...clients, ...(agentCertificates === undefined ? {} : { agentCertificates }) } };
}

function secretsFrom(environment: NodeJS.ProcessEnv): Pick<ApiConfig, 'secretsKeyFile' | 'secretParameters'> {
  const secretsKeyFile = setting(environment, 'SYSTOLE_SECRETS_KEY_FILE');
  const secretParameters = setting(environment, 'SYSTOLE_SECRET_PARAMETERS')
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return { ...(secretsKeyFile === undefined ? {} : { secretsKeyFile }), ...(secretParameters === undefined ? {} : { secretParameters }) };
}

const OIDC_OTHERS = ['AUDIENCE', 'JWKS_URL', 'ROLE_CLAIM', 'CLUSTERS_CLAIM', 'SECRETS_CLAIM', 'NAME_CLAIM', 'CLOCK_SKEW_S'] as const;

/** @throws {InvalidSetting} when one of the settings misses another one, or is no address of a provider */
function oidcFrom(environment: NodeJS.ProcessEnv): Pick<ApiConfig, 'oidc'> {
  const given = (name: (typeof OIDC_OTHERS)[number]): string | undefined => setting(environment, `SYSTOLE_OIDC_${name}`);
  const issuer = setting(environment, 'SYSTOLE_OIDC_ISSUER');
  if (issuer === undefined) {
    const other = OIDC_OTHERS.find((name) => given(name) !== undefined);
    if (other === undefined) return {};
    throw new InvalidSetting(`SYSTOLE_OIDC_${other} needs SYSTOLE_OIDC_ISSUER: whose users they are`);
  }
  const audience = given('AUDIENCE');
  if (audience === undefined) {
    throw new InvalidSetting('SYSTOLE_OIDC_AUDIENCE is not set: without it a token that was made for any other service would be good here');
  }
  const keysUrl = given('JWKS_URL');
  checkProvider('SYSTOLE_OIDC_ISSUER', issuer);
  if (keysUrl !== undefined) checkProvider('SYSTOLE_OIDC_JWKS_URL', keysUrl);
  const [clustersClaim, secretsClaim] = [given('CLUSTERS_CLAIM'), given('SECRETS_CLAIM')];
  const oidc = {
    ...{ issuer, audience },
    roleClaim: given('ROLE_CLAIM') ?? 'systole_role',
    nameClaim: given('NAME_CLAIM') ?? 'sub',
    clockSkewS: wholeNumber(environment, 'SYSTOLE_OIDC_CLOCK_SKEW_S', 0, 600) ?? 60,
    ...(keysUrl === undefined ? {} : { keysUrl }),
    ...(clustersClaim === undefined ? {} : { clustersClaim }),
    ...(secretsClaim === undefined ? {} : { secretsClaim }),
  };
  return { oidc };
}

/** Whoever answers there says who is an administrator: it has to be the one who is meant. */
function checkProvider(name: string, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const ownMachine = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && ownMachine)) return;
  throw new InvalidSetting(`${name} is "${text}": give an https:// URL`);
}

/** An origin as browsers send it: what is written otherwise would never be the same. @throws {InvalidSetting} */
function originIn(text: string): string {
  if (text === '*' || (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text)) return text;
  throw new InvalidSetting(
    `SYSTOLE_CORS_ORIGINS has "${text}": give origins separated by commas, each as https://ops.example or http://localhost:8080, without a slash at the end; or *`,
  );
}

/** The value is not repeated in the message: it may hold a password. */
function checkUrl(name: string, text: string, protocols: readonly string[]): void {
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined;
  if (protocol === undefined || !protocols.includes(protocol)) {
    throw new InvalidSetting(`${name} is not usable: give a URL that begins with ${protocols.map((known) => `${known}//`).join(' or ')}`);
  }
}
