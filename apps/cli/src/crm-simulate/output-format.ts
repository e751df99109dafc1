import type { CommandLine } from './command-line.js';
import { EXIT, ProgramError } from './exit-codes.js';

const FORMATS = ['text', 'xml', 'json'] as const;

export type OutputFormat = (typeof FORMATS)[number];

/**
 * What `--output-as` asks for; text without it.
 *
 * @throws {ProgramError} when there is no such format.
 */
export function formatOf(options: CommandLine): OutputFormat {
  const wanted = options.last('output-as') ?? 'text';
  const format = FORMATS.find((name) => name === wanted);
  if (format !== undefined) return format;
  throw new ProgramError(
    EXIT.noSuchObject,
    `Error creating output format ${wanted}: Unknown output format: choose ${FORMATS.slice(0, -1).join(', ')} or ${FORMATS.at(-1) ?? ''}`,
  );
}
