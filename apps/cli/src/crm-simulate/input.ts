import { type Cib, CibRefused, parseXml, readCib, type XmlElement, XmlError } from '@systole/cib';
import { EXIT, ProgramError } from './exit-codes.js';
import { reasonOf } from './file-errors.js';
import { readSource, type Source, sourceName } from './source.js';

/** Problems of an invalid CIB that are listed. */
const MAX_PROBLEMS = 20;

/**
 * Reads a CIB (specification 08 §11 for the messages).
 *
 * @throws {ProgramError} when it can't be read or isn't valid.
 */
export function readInput(source: Source): Cib {
  const document = readDocument(source);
  try {
    return readCib(document, { strict: true });
  } catch (error) {
    if (error instanceof CibRefused) throw new ProgramError(EXIT.config, [...problemLines(error, source), refusal(document)].join('\n'));
    throw error;
  }
}

function readDocument(source: Source): XmlElement {
  try {
    // The user's own file: the status of a large cluster may well be larger than what a server takes in.
    return parseXml(readSource(source), { maxBytes: Number.POSITIVE_INFINITY });
  } catch (error) {
    const reason = error instanceof XmlError ? error.message : reasonOf(error);
    const message = `${sourceName(source)}: ${reason}\ncrm_simulate: Could not read input XML: Bad input value provided`;
    throw new ProgramError(EXIT.data, message);
  }
}

/** Each problem with its place; of very many the first ones. */
function problemLines({ problems, message }: CibRefused, source: Source): string[] {
  if (problems.length === 0) return [`${sourceName(source)}: ${message}`];
  const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => {
    const place = problem.line === undefined ? sourceName(source) : `${sourceName(source)}:${problem.line}`;
    return `${place}: ${problem.path}: ${problem.message}`;
  });
  return problems.length > MAX_PROBLEMS ? [...lines, `... and ${problems.length - MAX_PROBLEMS} more`] : lines;
}

function refusal(document: XmlElement): string {
  const schema = document.attributes['validate-with'] ?? 'unknown';
  return (
    `Cannot upgrade configuration (claiming ${schema} schema) to at least pacemaker-4.0 because it does not validate ` +
    `with any schema from ${schema} to the latest`
  );
}
