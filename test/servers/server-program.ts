import { join } from 'node:path';
import { checkout } from '@systole/examples';

export type ServerProgram = 'api' | 'worker';

/** How a production set-up is started: the servers that it needs are there already. */
export interface ServerProgramOptions {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  readonly adminToken: string;
  readonly leaseMs?: number;
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** How an api or a worker is started as a process of its own, as in production: that of the package in the directory SYSTOLE_SERVER_PROGRAMS, where that is set; else as compiled in this checkout. */
export function serverProgram(
  program: ServerProgram,
  { databaseUrl, redisUrl, adminToken, leaseMs, settings = {} }: ServerProgramOptions,
): { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> } {
  const packaged = process.env['SYSTOLE_SERVER_PROGRAMS'];
  return {
    command: [process.execPath, packaged === undefined ? join(checkout, `apps/${program}/dist/main.js`) : join(packaged, `${program}.js`)],
    environment: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      ...(leaseMs === undefined ? {} : { SYSTOLE_LEASE_MS: String(leaseMs) }),
      SYSTOLE_ADMIN_TOKEN: adminToken,
      LOG_LEVEL: 'warn',
      ...settings,
    },
  };
}
