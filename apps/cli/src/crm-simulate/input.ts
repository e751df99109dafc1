import { readFileSync } from 'node:fs';
import { type Cib, CibRefused, parseXml, readCib, type XmlElement, XmlError } from '@systole/cib';
import { EXIT, ProgramError } from './exit-codes.js';

const STDIN = 0;

/**
 * Reads the CIB from a file, or from standard input without one (specification 08 §11 for the messages).
 *
 * @throws {ProgramError} when it can't be read or isn't valid.
 */
export function readInput(file: string | undefined): Cib {
  let document: XmlElement;
  try {
    // The user's own file: the status of a large cluster may well be larger than what a server takes in.
    document = parseXml(readFileSync(file ?? STDIN, 'utf8'), { maxBytes: Number.POSITIVE_INFINITY });
  } catch (error) {
    const reason = error instanceof XmlError ? `${file ?? 'standard input'}: ${error.message}` : reasonOf(error);
    throw new ProgramError(EXIT.data, `${reason}\ncrm_simulate: Could not read input XML: Bad input value provided`);
  }
  try {
    return readCib(document, { strict: true });
  } catch (error) {
    if (error instanceof CibRefused) throw new ProgramError(EXIT.config, `${error.message}\n${refusal(document)}`);
    throw error;
  }
}

function refusal(document: XmlElement): string {
  const schema = document.attributes['validate-with'] ?? 'unknown';
  return (
    `Cannot upgrade configuration (claiming ${schema} schema) to at least pacemaker-4.0 because it does not validate ` +
    `with any schema from ${schema} to the latest`
  );
}

/** The system's reason for a failed file operation. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
