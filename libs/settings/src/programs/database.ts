import { checked, InvalidSetting, oneOf, text, url, type Setting } from '../setting.js';

/** Levels of pino. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const DATABASE_URL = url(
  ['postgres:', 'postgresql:'],
  'the PostgreSQL database, `postgres://user:password@host:port/database`; without it only the one process with everything brings its own',
);

/** What the servers have in common. */
export const SERVER_SETTINGS = {
  DATABASE_URL,
  REDIS_URL: url(['redis:', 'rediss:'], 'where the work queue lives; otherwise it lives in the database'),
  LOG_LEVEL: oneOf(LOG_LEVELS, 'what is logged; `info`, of the one process with everything `warn`'),
  LOG_FORMAT: oneOf(['json', 'text'], 'of what is no line of the log ([logs](logs.md)); text'),
  SYSTOLE_SECRETS_KEY_FILE: text(
    'a path',
    'file with the keys that [secrets](secrets.md) are kept with, the present one first; without it none can be kept',
  ),
  SYSTOLE_WEBHOOK_ALLOW: text('addresses, networks and hosts, separated by commas', 'to which [webhooks](webhooks.md) may be sent besides'),
  SYSTOLE_WEBHOOK_REFUSE: text('addresses and networks, separated by commas', 'to which they may not'),
} as const;

/** @throws {InvalidSetting} */
export function databaseUrlIn({ DATABASE_URL: given }: { readonly DATABASE_URL: string | undefined }): string {
  if (given !== undefined) return given;
  throw new InvalidSetting('DATABASE_URL is not set: give the PostgreSQL database, e.g. postgres://systole:secret@db:5432/systole');
}

/** Shortest secret that is taken as a token, in characters. */
const SHORTEST_SECRET = 20;

export const ADMIN_TOKEN: Setting<string> = checked(
  text(
    `at least ${String(SHORTEST_SECRET)} printable characters without spaces`,
    'secret of an admin token; otherwise the first start makes one, and shows it',
  ),
  (secret) =>
    secret.length >= SHORTEST_SECRET && /^[\x21-\x7e]+$/.test(secret)
      ? undefined
      : `is not usable: give at least ${String(SHORTEST_SECRET)} printable characters without spaces`,
);
