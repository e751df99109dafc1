import type { components } from '@systole/api-client';
import { parseInterval } from '@systole/cib';
import { readVersionText } from '@systole/cluster';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { EXIT } from '../exit-code.js';
import { renderWriteResult } from '../render/write-result.js';
import type { Session } from '../session.js';

/** What every write takes. */
export interface WriteFlags {
  readonly dryRun?: boolean;
  /** Seconds, or true for the server's default. */
  readonly wait?: number | true;
  /** As `versionText` writes it. */
  readonly ifVersion?: string;
}

export function addWriteOptions(command: Command): Command {
  return command
    .option('--dry-run', 'change nothing; show the changes and what would follow')
    .option('--wait [seconds]', 'wait until the cluster has settled (60 s when not given)', wholeNumber)
    .addOption(ifVersionOption());
}

export function ifVersionOption(): Option {
  return new Option('--if-version <version>', 'only when the cluster is at this version').argParser(version);
}

/** What a write takes of which it is kept why. */
export interface ReasonFlags extends WriteFlags {
  readonly reason?: string;
}

/** What a write takes that may be refused for what is surely not meant. */
export interface ForceFlags {
  readonly force?: boolean;
}

/** The option of writes that carry a configuration. */
export function addForceOption(command: Command): Command {
  return command.option('--force', 'also with what is surely not meant (misspelt names, words that are none); recorded');
}

/** As queries take it. */
export function forced({ force }: ForceFlags): { readonly force?: boolean } {
  return force === true ? { force } : {};
}

/** The options of a write, and `--reason`. */
export function addReasonedWriteOptions(command: Command): Command {
  return addWriteOptions(command).option('--reason <text>', 'why; kept with the event');
}

/** The options of a write of configuration. */
export function addConfigurationWriteOptions(command: Command): Command {
  return addForceOption(addReasonedWriteOptions(command));
}

/** As bodies and queries take it. */
export function because({ reason }: ReasonFlags): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

/** A commander parser. @throws {InvalidArgumentError} */
function version(text: string): string {
  if (readVersionText(text) === undefined) throw new InvalidArgumentError('Give a version as status shows it, e.g. 28, or 28-3f2a8b1c.');
  return text;
}

/** A commander parser: a whole number from 1. @throws {InvalidArgumentError} */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(text);
}

/** A commander parser: a duration as CIBs have it, `10s`, `2min`; without a unit milliseconds, as fail counts have it. @throws {InvalidArgumentError} */
export function milliseconds(text: string): number {
  const found = /^\d{1,15}$/.test(text) ? Number(text) : parseInterval(text);
  if (found === undefined || found <= 0) throw new InvalidArgumentError('Give a duration, e.g. 10s, or milliseconds.');
  return found;
}

interface WriteParams {
  readonly query: { readonly dryRun?: boolean; readonly wait?: 'settled'; readonly timeout?: number };
  readonly header: { readonly 'If-Match'?: string };
}

/** The flags as the API takes them. */
export function writeParams({ dryRun, wait, ifVersion }: WriteFlags): WriteParams {
  return {
    query: {
      ...(dryRun === true ? { dryRun } : {}),
      ...(wait === undefined ? {} : { wait: 'settled' }),
      ...(typeof wait === 'number' ? { timeout: wait } : {}),
    },
    header: ifVersion === undefined ? {} : { 'If-Match': `"${ifVersion}"` },
  };
}

/**
 * Shows what a write did; a cluster that was not seen to settle, or in which something failed, makes the exit code.
 *
 * @param notes what people are told besides, right after the first line
 */
export function showWriteResult(
  session: Pick<Session, 'show' | 'paint' | 'end'>,
  result: components['schemas']['WriteResultDto'],
  notes: readonly string[] = [],
): void {
  session.show(result, () => renderWriteResult(result, session.paint).toSpliced(1, 0, ...notes));
  if (result.settled === undefined) return;
  const { outcome, notRunning, unseen } = result.settled;
  if (outcome === 'failed' || (outcome === 'settled' && notRunning.length > 0)) session.end(EXIT.failures);
  // Settled, and whether what was to run does nobody could look.
  else if (outcome !== 'settled' || unseen !== undefined) session.end(EXIT.unsettled);
}
