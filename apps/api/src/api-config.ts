import type { SharedStates } from '@systole/control-plane-postgres';
import type { MetricValues } from './metrics/http-metrics.js';
import type { OidcConfig } from '@systole/access';
import { API_SETTINGS, databaseUrlIn, InvalidSetting, present, readSettings, type Settings } from '@systole/settings';
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

type Given = Settings<typeof API_SETTINGS>;

/**
 * Reads {@link API_SETTINGS}, and OpenTelemetry's `OTEL_…` (`tracingFrom` of `@systole/tracing`). An empty value counts as unset.
 *
 * @throws {InvalidSetting} naming the variable and what it may be
 */
export function apiConfigFrom(environment: NodeJS.ProcessEnv): ApiConfig {
  const given = readSettings(API_SETTINGS, environment);
  const corsOrigins = given.SYSTOLE_CORS_ORIGINS?.map(originIn);
  const cachedStatesMib = given.SYSTOLE_STATES_MIB;
  return {
    databaseUrl: databaseUrlIn(given),
    limits: requestLimitsFrom(given),
    ...webhookAddressesFrom(environment),
    ...present('databaseConnections', given.SYSTOLE_DATABASE_CONNECTIONS),
    ...present('trustedProxies', given.SYSTOLE_TRUSTED_PROXIES),
    ...present('corsOrigins', corsOrigins),
    ...present('cachedStatesBytes', cachedStatesMib === undefined ? undefined : cachedStatesMib * 1024 * 1024),
    ...present('operatorsHangAfterMs', given.SYSTOLE_OPERATORS_HANG_MS),
    ...present('redisUrl', given.REDIS_URL),
    ...present('port', given.PORT),
    ...present('host', given.HOST),
    ...present('logLevel', given.LOG_LEVEL),
    ...present('adminToken', given.SYSTOLE_ADMIN_TOKEN),
    ...present('leaseMs', given.SYSTOLE_LEASE_MS),
    ...present('warmUp', given.SYSTOLE_WARM_UP),
    ...present('secretsKeyFile', given.SYSTOLE_SECRETS_KEY_FILE),
    ...present('secretParameters', given.SYSTOLE_SECRET_PARAMETERS),
    ...tlsFrom(given),
    ...oidcFrom(given),
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
function tlsFrom(given: Given): Pick<ApiConfig, 'tls'> {
  const certificateFile = given.SYSTOLE_TLS_CERT_FILE;
  const keyFile = given.SYSTOLE_TLS_KEY_FILE;
  const clientAuthoritiesFile = given.SYSTOLE_TLS_CLIENT_CA_FILE;
  const agentCertificates = given.SYSTOLE_TLS_AGENT_CERTIFICATES;
  if (agentCertificates !== undefined && clientAuthoritiesFile === undefined) {
    throw new InvalidSetting('SYSTOLE_TLS_AGENT_CERTIFICATES needs SYSTOLE_TLS_CLIENT_CA_FILE: by which authorities they are verified');
  }
  if (certificateFile === undefined || keyFile === undefined) {
    if (certificateFile === undefined && keyFile === undefined && clientAuthoritiesFile === undefined) return {};
    throw new InvalidSetting('TLS needs both SYSTOLE_TLS_CERT_FILE and SYSTOLE_TLS_KEY_FILE: paths of PEM files');
  }
  return {
    tls: {
      ...{ certificateFile, keyFile },
      ...present('clientAuthoritiesFile', clientAuthoritiesFile),
      ...present('agentCertificates', agentCertificates),
    },
  };
}

const OIDC_OTHERS = ['AUDIENCE', 'JWKS_URL', 'ROLE_CLAIM', 'CLUSTERS_CLAIM', 'SECRETS_CLAIM', 'NAME_CLAIM', 'CLOCK_SKEW_S'] as const;

/** @throws {InvalidSetting} when one of the settings misses another one, or is no address of a provider */
function oidcFrom(given: Given): Pick<ApiConfig, 'oidc'> {
  const issuer = given.SYSTOLE_OIDC_ISSUER;
  if (issuer === undefined) {
    const other = OIDC_OTHERS.find((name) => given[`SYSTOLE_OIDC_${name}`] !== undefined);
    if (other === undefined) return {};
    throw new InvalidSetting(`SYSTOLE_OIDC_${other} needs SYSTOLE_OIDC_ISSUER: whose users they are`);
  }
  const audience = given.SYSTOLE_OIDC_AUDIENCE;
  if (audience === undefined) {
    throw new InvalidSetting('SYSTOLE_OIDC_AUDIENCE is not set: without it a token that was made for any other service would be good here');
  }
  const keysUrl = given.SYSTOLE_OIDC_JWKS_URL;
  checkProvider('SYSTOLE_OIDC_ISSUER', issuer);
  if (keysUrl !== undefined) checkProvider('SYSTOLE_OIDC_JWKS_URL', keysUrl);
  const oidc = {
    ...{ issuer, audience },
    roleClaim: given.SYSTOLE_OIDC_ROLE_CLAIM ?? 'systole_role',
    nameClaim: given.SYSTOLE_OIDC_NAME_CLAIM ?? 'sub',
    clockSkewS: given.SYSTOLE_OIDC_CLOCK_SKEW_S ?? 60,
    ...present('keysUrl', keysUrl),
    ...present('clustersClaim', given.SYSTOLE_OIDC_CLUSTERS_CLAIM),
    ...present('secretsClaim', given.SYSTOLE_OIDC_SECRETS_CLAIM),
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
