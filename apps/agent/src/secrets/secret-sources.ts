import { createHash } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { secretReferenceIn, type SecretReference } from '@systole/cib';
import { inheritableEnvironment, runProcess, type ProcessEnd } from '@systole/ocf';
import type { GivenSecrets } from './given-secrets.js';
import type { SecretValue } from './secret-value.js';

/** Where this node's own settings let secrets be taken from. */
export interface SecretSettings {
  /** Files are taken from below these directories only. */
  readonly directories: readonly string[];
  /** Programs by the names that references call them. */
  readonly commands: Readonly<Record<string, string>>;
  /** Where `cibsecret` keeps its files. */
  readonly cibsecretDirectory: string;
}

export const DEFAULT_SECRET_DIRECTORY = '/etc/systole/secrets';
export const CIBSECRET_DIRECTORY = '/var/lib/pacemaker/lrm/secrets';

/** What of the agent's environment references may name: nothing else of it, as its token is there, too. */
const VARIABLE_PREFIX = 'SYSTOLE_SECRET_';
/** Longest value, bytes. */
const LONGEST_BYTES = 64 * 1024;
/** A command that takes longer has failed, ms. */
const COMMAND_TIMEOUT_MS = 10_000;

const NOT_GIVEN =
  'the server has not given it: its keys may not open it (systole secret list says so), or this node was started since (refresh the resource)';

/** Whose parameter is asked for. */
export interface SecretAsked {
  /** Id of the resource or fence device. */
  readonly resource: string;
  readonly parameter: string;
  /** Nobody waits for it any longer, ms. */
  readonly withinMs: number;
  readonly abort: AbortSignal;
}

/** Finds what references stand for, on this node, each time that it is asked. */
export class SecretSources {
  constructor(
    private readonly settings: SecretSettings,
    private readonly given: Pick<GivenSecrets, 'find'>,
    private readonly environment: NodeJS.ProcessEnv = process.env,
  ) {}

  /** @returns undefined for a value that is no reference. Never rejects. */
  async find(text: string, asked: SecretAsked): Promise<SecretValue | undefined> {
    const reference = secretReferenceIn(text);
    if (reference === undefined) return undefined;
    if (reference === 'malformed') return problem('this is no reference to a secret');
    try {
      const value = await this.read(reference, text, asked);
      return value.ok && value.value.includes('\0') ? problem('its value holds a NUL') : value;
    } catch (error) {
      return problem(reasonOf(error));
    }
  }

  private async read(reference: SecretReference, text: string, asked: SecretAsked): Promise<SecretValue> {
    switch (reference.kind) {
      case 'held':
        return this.given.find(text) ?? problem(NOT_GIVEN);
      case 'file':
        return this.readFile(reference.path);
      case 'environment': {
        const value = this.environment[`${VARIABLE_PREFIX}${reference.name}`];
        return value === undefined ? problem(`${VARIABLE_PREFIX}${reference.name} is not set for the node agent`) : { ok: true, value };
      }
      case 'command':
        return this.run(reference.name, asked);
      case 'cibsecret':
        return this.readCibsecret(asked);
    }
  }

  private async readFile(path: string): Promise<SecretValue> {
    const { directories } = this.settings;
    const real = await realpath(path);
    const allowed = await Promise.all(directories.map((directory) => realpath(directory).catch(() => directory)));
    if (!allowed.some((directory) => real.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`))) {
      return problem(`${path} is not below ${directories.join(', ')}, which the node agent's --secret-dir names`);
    }
    return { ok: true, value: withoutLastNewline(await contentOf(real)) };
  }

  private async run(name: string, { resource, parameter, withinMs, abort }: SecretAsked): Promise<SecretValue> {
    const { commands } = this.settings;
    const file = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (file === undefined) return problem(`the node agent's --secret-command names no command ${name}`);
    const { end, stdout } = await runProcess({
      file,
      args: [],
      env: { ...inheritableEnvironment(this.environment), SECRET_RESOURCE: resource, SECRET_PARAMETER: parameter },
      timeoutMs: Math.max(1, Math.min(COMMAND_TIMEOUT_MS, withinMs)),
      killGraceMs: 1_000,
      maxOutputBytes: LONGEST_BYTES + 1,
      abort,
    });
    // What it printed may be a part of the secret: it is not told.
    if (end.kind !== 'exited' || end.code !== 0) return problem(`the command ${name} failed: ${endText(end)}`);
    if (Buffer.byteLength(stdout) > LONGEST_BYTES) return problem(`the command ${name} printed more than ${String(LONGEST_BYTES)} bytes`);
    return { ok: true, value: withoutLastNewline(stdout) };
  }

  /** Beside each value lies its MD5 sum: a file that was cut off or changed by hand counts as none. */
  private async readCibsecret({ resource, parameter }: SecretAsked): Promise<SecretValue> {
    const names = [resource.replace(/:\d+$/, ''), parameter];
    if (names.some((name) => !/^[A-Za-z0-9_.-]+$/.test(name) || /^\.+$/.test(name))) return problem('lrm:// has no file of that name');
    const path = join(this.settings.cibsecretDirectory, ...names);
    const content = await contentOf(path);
    const value = withoutLastNewline(content);
    const sum = /^[0-9a-f]{32}/i.exec(await contentOf(`${path}.sign`))?.[0].toLowerCase();
    if (![content, value].some((text) => createHash('md5').update(text).digest('hex') === sum)) {
      return problem(`${path} is not what ${path}.sign says: see cibsecret check`);
    }
    return { ok: true, value };
  }
}

async function contentOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat().then((stat) => (stat.isFile() ? stat : Promise.reject(new Error(`${path} is no regular file`))));
    if (size > LONGEST_BYTES) throw new Error(`${path} has more than ${String(LONGEST_BYTES)} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function withoutLastNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function problem(text: string): SecretValue {
  return { ok: false, problem: text };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function endText(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `exit code ${String(end.code)}`;
    case 'signalled':
      return `ended by ${end.signal}`;
    case 'timeout':
      return 'it took too long';
    case 'aborted':
      return 'it was ended';
    case 'not-started':
      return `it could not be started (${end.code})`;
  }
}
