import { UsageError } from './exit-code.js';
import type { SystoleClient } from '@systole/api-client';
import { Option, type Command } from 'commander';
import { printable, printableJson, printableLine } from '@systole/protocol';
import { written } from './configuration/file.js';
import { mostBytesIn } from './bounded-answer.js';
import { clusterOf, connect } from './connection.js';
import type { ExitCode } from './exit-code.js';
import { coloured, uncoloured, type Paint } from './render/paint.js';
import { configFilePath, readLogins } from './settings/config-file.js';
import { resolveSettings, type GlobalFlags, type Settings } from './settings/settings.js';
import type { Terminal } from './terminal.js';
import { PATIENCE, type Patience } from './lost-answers.js';

/** What the commands are built with. */
export interface Surroundings {
  readonly terminal: Terminal;
  /** Sets the exit code of a command that ran to its end. */
  readonly end: (code: ExitCode) => void;
}

/** How a command shows what it has. */
export interface Output {
  /** Whether a program reads it: JSON or YAML, without what is only for people. */
  readonly json: boolean;
  readonly paint: Paint;
  /** With `--json` the value, on one line; with `--output yaml` as a document; else the lines. */
  readonly show: (value: unknown, lines: () => readonly string[]) => void;
}

/** A command at work: connected, and knowing how to answer. */
export interface Session extends Surroundings, Output {
  readonly client: SystoleClient;
  readonly settings: Settings;
  /** Id or name of the cluster that the command is for. @throws {UsageError} when that is not clear */
  readonly cluster: () => Promise<string>;
}

const GENERAL_FORMS = ['table', 'json', 'yaml'];

/** What every command takes that has no forms of its own to show what it has. */
export function generalOutputOption(): Option {
  return new Option('--output <format>', 'how it is shown; json: as with --json').choices(GENERAL_FORMS);
}

/** The flags of a command, without an `--output` that is its own. */
function generalFlags(command: Command): GlobalFlags {
  const { output, ...flags } = command.optsWithGlobals<GlobalFlags>();
  const isGeneral = command.options.some(({ long, argChoices }) => long === '--output' && argChoices?.includes('table') === true);
  return isGeneral && output !== undefined ? { ...flags, output } : flags;
}

export function outputOf(terminal: Terminal, { json = false, output }: GlobalFlags): Output {
  const format = json || output === 'json' ? 'json' : output === 'yaml' ? 'yaml' : 'table';
  return {
    json: format !== 'table',
    paint: terminal.interactive ? coloured : uncoloured,
    show: (value, lines) => {
      if (format === 'json') showJson({ terminal }, value);
      else if (format === 'yaml')
        terminal.write(`---\n${terminal.interactive ? printable(written(value, 'yaml')) : written(value, 'yaml')}`);
      else
        terminal.write(
          lines()
            .map((line) => `${printableLine(line)}\n`)
            .join(''),
        );
    },
  };
}

/** Writes a value on one line, whichever way it was asked for as JSON. */
export function showJson({ terminal }: Pick<Surroundings, 'terminal'>, value: unknown): void {
  terminal.write(`${printableJson(JSON.stringify(value))}\n`);
}

/** Writes a document as it is, but for what a terminal would obey where one shows it. */
export function showDocument({ terminal }: Surroundings, document: string): void {
  const text = document === '' || document.endsWith('\n') ? document : `${document}\n`;
  terminal.write(terminal.interactive ? printable(text) : text);
}

/** @throws {UsageError} for a `SYSTOLE_TIMEOUT` that is no number of seconds */
function patienceIn({ SYSTOLE_TIMEOUT: given = '' }: NodeJS.ProcessEnv): Patience {
  if (given === '') return PATIENCE;
  const seconds = Number(given);
  if (!(seconds > 0 && seconds <= 3_600)) throw new UsageError('SYSTOLE_TIMEOUT must be a number of seconds, at most 3600');
  return { ...PATIENCE, readWithinMs: seconds * 1_000 };
}

/** @throws {UsageError} when server or token are not set */
async function openSession(flags: GlobalFlags, surroundings: Surroundings): Promise<Session> {
  const { terminal } = surroundings;
  const logins = await readLogins(configFilePath(terminal.environment, terminal.home));
  const settings = resolveSettings(flags, terminal.environment, logins);
  const client = connect(settings, {
    ...terminal,
    patience: patienceIn(terminal.environment),
    mostBytes: mostBytesIn(terminal.environment),
  });
  return { ...surroundings, ...outputOf(terminal, flags), client, settings, cluster: () => clusterOf(client, settings) };
}

/** What commander calls an action with: the operands, the command's own options, the command. */
type Given<Flags> = readonly [...operands: string[], flags: Flags, command: Command];

/** An action that talks to the server. @typeParam Flags the command's own options */
export function inSession<Flags extends object>(
  surroundings: Surroundings,
  action: (session: Session, flags: Flags, operands: readonly string[]) => Promise<void>,
): (...given: Given<Flags>) => Promise<void> {
  return async (...given) => {
    const command = given[given.length - 1] as Command;
    const flags = given[given.length - 2] as Flags;
    const session = await openSession(generalFlags(command), surroundings);
    await action(session, flags, given.slice(0, -2) as string[]);
  };
}
