import { list, oneOf, onOrOff, text, whole } from '../setting.js';
import type { Schema } from '../read-settings.js';
import { AGENT_SETTINGS } from './agent.js';
import { ADMIN_TOKEN, DATABASE_URL, SERVER_SETTINGS } from './database.js';
import { LIMIT_SETTINGS } from './limits.js';

/** With fewer, one cluster that waits for a lock would keep the reports of all others waiting. */
export const LEAST_API_CONNECTIONS = 13;
/** With fewer, one cluster that waits for a lock would hold up all others, and a worker's word that it is there. */
export const LEAST_WORKER_CONNECTIONS = 8;

const STATES_MIB = whole(1, 1_000_000, 'memory for the states of clusters, MiB, in each thread that reads them; 384');
const WARM_UP = onOrOff('whether a program that has just begun makes itself [quick](limits.md) in the time that it has to spare; on');

export const API_SETTINGS = {
  ...SERVER_SETTINGS,
  SYSTOLE_DATABASE_CONNECTIONS: whole(LEAST_API_CONNECTIONS, 1_000, 'connections to the database in all; 20'),
  PORT: whole(0, 65_535, 'port to listen on; 3000; 0: any free one'),
  HOST: text('an address', 'to listen on; 127.0.0.1. Agents on other machines need another, e.g. 0.0.0.0'),
  SYSTOLE_ADMIN_TOKEN: ADMIN_TOKEN,
  SYSTOLE_LEASE_MS: whole(500, 3_600_000, 'length of the leases that agents get, ms; 10000'),
  SYSTOLE_TRUSTED_PROXIES: whole(0, 10, "reverse proxies before the api, whose word on the client's address counts; 0"),
  SYSTOLE_CORS_ORIGINS: list(
    'origins, each as https://ops.example',
    'whose pages may use the API from a browser; `*`: all; otherwise none but its own',
  ),
  SYSTOLE_STATES_MIB: STATES_MIB,
  SYSTOLE_WARM_UP: WARM_UP,
  SYSTOLE_OPERATORS_HANG_MS: whole(5_000, 3_600_000, 'after which the thread for operators that says nothing is replaced, ms; 30000'),
  SYSTOLE_SECRET_PARAMETERS: list(
    'names of parameters; `*` stands for anything',
    'that are [secret](secrets.md) besides those whose names say so',
  ),
  SYSTOLE_TLS_CERT_FILE: text('path of a PEM file', 'speak HTTPS ([TLS](tls.md)), with this certificate'),
  SYSTOLE_TLS_KEY_FILE: text('path of a PEM file', 'its key'),
  SYSTOLE_TLS_CLIENT_CA_FILE: text('path of a PEM file', 'authorities by which certificates of agents are verified'),
  SYSTOLE_TLS_AGENT_CERTIFICATES: oneOf(['optional', 'required'], 'whether agents have to show one'),
  SYSTOLE_OIDC_ISSUER: text('an https:// URL', 'users bring tokens of this OpenID provider ([access](access.md))'),
  SYSTOLE_OIDC_AUDIENCE: text('a name', 'for which its tokens have to be made'),
  SYSTOLE_OIDC_JWKS_URL: text('an https:// URL', 'of its keys; otherwise as the provider says'),
  SYSTOLE_OIDC_ROLE_CLAIM: text('a claim', 'with the role; systole_role'),
  SYSTOLE_OIDC_NAME_CLAIM: text('a claim', 'with the name that events have; sub'),
  SYSTOLE_OIDC_CLUSTERS_CLAIM: text('a claim', 'with the clusters that a user may see; otherwise all'),
  SYSTOLE_OIDC_SECRETS_CLAIM: text('a claim', 'that says whether a user sees secrets; otherwise none does'),
  SYSTOLE_OIDC_CLOCK_SKEW_S: whole(0, 600, "by which the provider's clock may be off, seconds; 60"),
  ...LIMIT_SETTINGS,
} as const;

export const WORKER_SETTINGS = {
  ...SERVER_SETTINGS,
  SYSTOLE_DATABASE_CONNECTIONS: whole(LEAST_WORKER_CONNECTIONS, 1_000, 'connections to the database in all; 10'),
  HEALTH_PORT: whole(1, 65_535, 'port at which `/health/live`, `/health/ready` and `/metrics` are answered; otherwise none'),
  HEALTH_HOST: text('an address', 'at which they are; 127.0.0.1. Where they are asked for from elsewhere, as in a container: 0.0.0.0'),
  WORKER_CONCURRENCY: whole(1, 1_000, 'clusters that are moved at the same time; 8'),
  SCHEDULE_TIMEOUT_MS: whole(1, 3_600_000, 'after which a run of the scheduler is given up, ms; 120000'),
  SYSTOLE_STATES_MIB: STATES_MIB,
  SYSTOLE_WARM_UP: WARM_UP,
  SYSTOLE_SIGNING_KEY_FILE: text(
    'path of a PEM file',
    'Ed25519 key with which [heads of the log](evidence.md) are signed; otherwise this worker signs nothing',
  ),
  SYSTOLE_SIGN_EVERY_S: whole(1, 86_400, 'how often, seconds; 300'),
  SYSTOLE_WEBHOOK_TIMEOUT_S: whole(1, 30, 'for which a receiver of webhooks may take to answer, seconds; 10'),
  SYSTOLE_WEBHOOK_DISABLE_AFTER_DAYS: whole(1, 365, 'after which a receiver that fails all the time is asked no more; 5'),
  SYSTOLE_KEEP_DELIVERIES_DAYS: whole(1, 3_650, 'for which attempts to deliver webhooks are kept; 7'),
} as const;

export const MIGRATION_SETTINGS = {
  DATABASE_URL,
  SYSTOLE_DATABASE_ROLE: text('a role of PostgreSQL', 'under which the servers run: it is given its rights'),
  SYSTOLE_DATABASE_PASSWORD: text('a password', 'makes that role, or gives it this password'),
} as const;

/** What of a program's settings no other reader has; the rest is that of its parts. */
const EVERYTHING_SETTINGS = {
  SYSTOLE_DATA_DIR: text('a directory', 'data of the embedded PostgreSQL, where DATABASE_URL is not set; ./data'),
} as const;

/** The programs that take settings, by what they are called in the guide. */
export const PROGRAMS: Readonly<Record<string, { readonly about: string; readonly schema: Schema }>> = {
  api: { about: '`systole-server api`, and the api of the one process with everything.', schema: API_SETTINGS },
  worker: { about: '`systole-server worker`, and the worker of the one process with everything.', schema: WORKER_SETTINGS },
  migrations: { about: '`systole-server migrate`.', schema: MIGRATION_SETTINGS },
  'everything in one process': {
    about:
      '`systole-server` and `npm start` take all that an api and a worker take; `SYSTOLE_DATABASE_CONNECTIONS` counts for both together (30, at least 21). Besides:',
    schema: EVERYTHING_SETTINGS,
  },
  agent: {
    about: '`systole-agent`. Each is an option of its command line as well ([the agent](agent.md)), which goes before.',
    schema: AGENT_SETTINGS,
  },
};

/** Names that begin as settings do, and are others' to read; `_…`: all that begin so. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  SYSTOLE_CLUSTER: 'the command line',
  SYSTOLE_CONFIG: 'the command line',
  SYSTOLE_TIMEOUT: 'the command line',
  SYSTOLE_MAX_ANSWER_MIB: 'the command line',
  SYSTOLE_LISTEN: 'docker-compose.yml',
  SYSTOLE_MAINTENANCE_DATABASE: 'systole-restore',
  SYSTOLE_AGENT_FORCE: "the agent's Debian package",
  SYSTOLE_AGENT_SOCKET: "the agent's tools",
  SYSTOLE_REASON: "the agent's tools",
  SYSTOLE_CIB_FOR: "the agent's tools",
  SYSTOLE_TOOL_AGAIN: "the agent's tools",
  SYSTOLE_ACTION_ID: 'what an agent runs',
  SYSTOLE_TRIAL_ID: 'what an agent tries',
  'SYSTOLE_SECRET_…': 'secrets for what an agent runs',
  SYSTOLE_AGENT_PROGRAM: 'tests',
  SYSTOLE_SERVER_PROGRAMS: 'tests',
  SYSTOLE_TEMPLATE_DATABASE: 'tests',
  SYSTOLE_TEMPLATE_STRATEGY: 'tests',
  SYSTOLE_PACKAGES: 'tests',
  SYSTOLE_UPGRADE_FROM: 'tests',
};
