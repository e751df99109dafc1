import { parseArgs } from 'node:util';
import { calledAs, isPackaged } from './called-as.js';
import type { EmbeddedOptions } from './embedded.js';

/** The command line or the environment is not usable; the message says what to change. */
export class InvalidUsage extends Error {
  override readonly name = 'InvalidUsage';
}

/** Of the parts that a package's program starts alone (bin/package-server.js). */
const PARTS = `
       systole-server api | worker | migrate     one part of it, which takes its settings from the environment
       systole-server --version`;

export const USAGE = `Usage: ${calledAs()} [--port <port>] [--host <address>] [--data-dir <directory>] [--new-admin-token]${isPackaged() ? PARTS : ''}

  --port <port>            HTTP port (default: PORT, else 3000; 0: any free one)
  --host <address>         address to listen on (default: HOST, else 127.0.0.1)
  --data-dir <directory>   data of the embedded PostgreSQL (default: SYSTOLE_DATA_DIR, else ./data)
  --new-admin-token        makes another admin token and prints it, when yours is lost; those that there are stay valid
  --help                   this text

Environment: DATABASE_URL and REDIS_URL use servers of your own instead; LOG_LEVEL (default warn);
SYSTOLE_ADMIN_TOKEN sets the admin token; SYSTOLE_LEASE_MS the length of the agents' leases;
SYSTOLE_DATABASE_CONNECTIONS how many connections to PostgreSQL all of it has (default 30, at least 21).
What an api and a worker of their own read, this reads, too: docs/guide/settings.md.`;

/**
 * What is started, from the command line, then the environment.
 * @returns undefined when only the usage was asked for
 * @throws InvalidUsage
 */
export function startOptions(args: readonly string[], environment: NodeJS.ProcessEnv): EmbeddedOptions | undefined {
  const { port, host, 'data-dir': dataDir, 'new-admin-token': newAdminToken, help } = parse(args);
  if (help === true) return undefined;
  const from = (name: string): string | undefined => (environment[name] === '' ? undefined : environment[name]);
  const portText = port ?? from('PORT');
  const leaseText = from('SYSTOLE_LEASE_MS');
  return defined({
    port: portText === undefined ? undefined : wholeNumber('the port', portText, 65_535),
    host: host ?? from('HOST'),
    dataDir: dataDir ?? from('SYSTOLE_DATA_DIR'),
    databaseUrl: from('DATABASE_URL'),
    redisUrl: from('REDIS_URL'),
    logLevel: from('LOG_LEVEL') ?? 'warn',
    adminToken: from('SYSTOLE_ADMIN_TOKEN'),
    newAdminToken,
    leaseMs: leaseText === undefined ? undefined : wholeNumber('SYSTOLE_LEASE_MS', leaseText, 3_600_000),
  });
}

interface Arguments {
  readonly port?: string;
  readonly host?: string;
  readonly 'data-dir'?: string;
  readonly 'new-admin-token'?: boolean;
  readonly help?: boolean;
}

function parse(args: readonly string[]): Arguments {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        'data-dir': { type: 'string' },
        'new-admin-token': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new InvalidUsage(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function wholeNumber(what: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new InvalidUsage(`${what} is "${text}": give a whole number from 0 to ${most}`);
  }
  return value;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}
