import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_RUN_DIR, DEFAULT_STATE_DIR } from '../configuration.js';

/** Where everything of an installed agent is. */
export interface Places {
  /** The package's files. */
  readonly library: string;
  /** What is called from anywhere. */
  readonly program: string;
  readonly unit: string;
  /** Settings: servers, token, and whatever else `SYSTOLE_*` says. */
  readonly settings: string;
  readonly token: string;
  readonly configuration: string;
  readonly stateDir: string;
  readonly runDir: string;
}

/** Where systemd looks for programs, first to last. */
export const SERVICE_PATH: readonly string[] = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

export const UNIT = 'systole-agent.service';

/** @param root what is the root of the machine that it is installed on; `/` but for who makes an image */
export function placesBelow(root: string): Places {
  const at = (path: string): string => join(root, path);
  return {
    library: at('/usr/lib/systole-agent'),
    program: at('/usr/bin/systole-agent'),
    unit: at(`/etc/systemd/system/${UNIT}`),
    settings: at('/etc/systole/agent.env'),
    token: at('/etc/systole/agent-token'),
    configuration: at('/etc/systole'),
    stateDir: at(DEFAULT_STATE_DIR),
    runDir: at(DEFAULT_RUN_DIR),
  };
}

/** The same of an agent that is installed, with what its settings say of its directories (systemd's `EnvironmentFile=`: a line each, quotes as in a shell). */
export function installedPlaces(root = '/'): Places {
  const places = placesBelow(root);
  const set = settingsIn(places.settings);
  return { ...places, stateDir: set.get('SYSTOLE_STATE_DIR') ?? places.stateDir, runDir: set.get('SYSTOLE_RUN_DIR') ?? places.runDir };
}

function settingsIn(file: string): ReadonlyMap<string, string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, name = '', quoted = ''] = /^\s*([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      const value = quoted.trim().replace(/^(["'])(.*)\1$/, '$2');
      return value === '' ? [] : [[name, value] as const];
    }),
  );
}

/** The unpacked package that this program is of: `lib/agent` lies in it. */
export function ownPackage(): string {
  return fileURLToPath(new URL('../../', import.meta.url));
}
