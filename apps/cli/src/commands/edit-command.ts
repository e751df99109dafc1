import type { Command } from 'commander';
import type { ElementEdit } from '@systole/cib';
import { edit, type EditFlags } from '../configuration/requests.js';
import { inSession, type Session, type Surroundings } from '../session.js';
import { addConfigurationWriteOptions, showWriteResult } from './write-options.js';

/** What a command does to the configuration, and the tag of what it was worked out from; none where it holds whatever that is. */
export interface Plan {
  readonly edits: readonly ElementEdit[];
  readonly tag?: string | undefined;
  /** What people are told that the command has made of what they said. */
  readonly notes?: readonly string[];
}

/** Operands of a command, each word its own. */
export type Operands = readonly string[];

/**
 * Makes a command one that edits the configuration, with all that such commands take.
 *
 * @param plan works out the edits; what it throws is told, and nothing is changed
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- commander gives what was declared: the caller says what that is
export function editing<Flags extends object>(
  command: Command,
  surroundings: Surroundings,
  plan: (given: { readonly session: Session; readonly flags: Flags; readonly operands: Operands }) => Plan | Promise<Plan>,
): Command {
  return addConfigurationWriteOptions(command).action(
    inSession<Flags & EditFlags>(surroundings, async (session, flags, given) => {
      // Commander gives the rest of the operands as one list, and leaves out what was not given.
      const operands = given.flat().filter((operand) => (operand as string | undefined) !== undefined);
      const { edits, tag, notes } = await plan({ session, flags, operands });
      showWriteResult(session, await edit(session, edits, flags, tag), notes);
    }),
  );
}

/** An option that can be given several times. */
export function collected(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Fields of which those that are not given are left out. */
export function given(fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
