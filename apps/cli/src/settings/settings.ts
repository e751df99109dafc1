import { UsageError } from '../exit-code.js';
import type { StoredLogin } from './config-file.js';

/** The options that every command takes. */
export interface GlobalFlags {
  readonly server?: string;
  readonly token?: string;
  readonly cluster?: string;
  readonly ca?: string;
  readonly json?: boolean;
  /** How results are shown, where a command does not have forms of its own: `table`, `json` as with `--json`, or `yaml`. */
  readonly output?: string;
}

/** Which server, as whom, and about which cluster. */
export interface Settings {
  /** Without a slash at the end. */
  readonly server: string;
  readonly token: string;
  readonly cluster?: string;
  /** Path of the authorities by which the server is verified, and by no others. */
  readonly ca?: string;
}

/**
 * Flags win over the environment (`SYSTOLE_SERVER`, `SYSTOLE_TOKEN`, `SYSTOLE_CLUSTER`, `SYSTOLE_CA_FILE`), that wins over the logins. A login's token and cluster are
 * used with its server only: a token is never sent to a server that it was not made for.
 *
 * @param logins those that are kept; the first one's server counts where none is named
 * @throws {UsageError} naming what is missing and how to give it
 */
export function resolveSettings(flags: GlobalFlags, environment: NodeJS.ProcessEnv, logins: readonly StoredLogin[]): Settings {
  const server = flags.server ?? variable(environment, 'SYSTOLE_SERVER') ?? logins[0]?.server;
  if (server === undefined) throw new UsageError('no server is set: "systole login <url>", or give --server or SYSTOLE_SERVER');
  const url = serverUrl(server);
  const ours = logins.find((login) => login.server === url);
  const token = flags.token ?? variable(environment, 'SYSTOLE_TOKEN') ?? ours?.token;
  if (token === undefined) throw new UsageError(`no token for ${url}: "systole login ${url}", or give SYSTOLE_TOKEN or --token`);
  const cluster = flags.cluster ?? variable(environment, 'SYSTOLE_CLUSTER') ?? ours?.cluster;
  const ca = flags.ca ?? variable(environment, 'SYSTOLE_CA_FILE') ?? ours?.ca;
  return { server: url, token, ...(cluster === undefined ? {} : { cluster }), ...(ca === undefined ? {} : { ca }) };
}

/** @throws {UsageError} when it is not a URL of a web server */
export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`"${text}" is no server: give its URL, e.g. http://localhost:3000`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function variable(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = environment[name];
  return value === undefined || value === '' ? undefined : value;
}
