import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '@systole/examples';
import { parse } from 'yaml';

/** A service of ours, as the compose file and the image describe it. */
export interface ComposeService {
  /** Program and arguments, from the image's CMD. */
  readonly command: readonly string[];
  /** With the values of `.env` put in. */
  readonly environment: Readonly<Record<string, string>>;
}

interface ComposeDocument {
  readonly services: Readonly<
    Record<string, { readonly build?: { readonly target: string }; readonly environment?: Readonly<Record<string, string>> }>
  >;
}

const VARIABLE = /\$\{(\w+)(?::([-?+])([^}]*))?\}/g;

/**
 * A service of docker-compose.yml that is built from this repository.
 *
 * @param settings what `.env` would hold
 * @throws {Error} as `docker compose` does, for a variable that has to be set and is not
 */
export function composeService(name: string, settings: Readonly<Record<string, string>>): ComposeService {
  const document = parse(readFileSync(join(checkout, 'docker-compose.yml'), 'utf8'), { merge: true }) as ComposeDocument;
  const service = document.services[name];
  if (service?.build === undefined) throw new Error(`docker-compose.yml builds no ${name}`);
  const filled = (text: string): string =>
    text.replace(VARIABLE, (_, variable: string, kind: string | undefined, rest: string | undefined) => {
      const value = settings[variable];
      const isSet = value !== undefined && value !== '';
      if (kind === '+') return isSet ? (rest ?? '') : '';
      if (isSet) return value;
      if (kind === '-') return rest ?? '';
      throw new Error(`${variable}: ${rest ?? 'is not set'}`);
    });
  return {
    command: commandOf(service.build.target),
    environment: Object.fromEntries(Object.entries(service.environment ?? {}).map(([key, value]) => [key, filled(value)])),
  };
}

/** The CMD of a stage of the image. */
function commandOf(target: string): readonly string[] {
  const stages = readFileSync(join(checkout, 'deploy/Dockerfile'), 'utf8').split(/^FROM /m);
  const stage = stages.find((text) => text.split('\n')[0]?.endsWith(` AS ${target}`) === true);
  const command = /^CMD (\[.*\])$/m.exec(stage ?? '')?.[1];
  if (command === undefined) throw new Error(`deploy/Dockerfile has no CMD for ${target}`);
  return JSON.parse(command) as readonly string[];
}
