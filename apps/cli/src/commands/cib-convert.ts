import {
  CibRefused,
  findingsOf,
  parseXml,
  readCib,
  serializeXml,
  XmlError,
  type CibProblem,
  type ConfigurationFinding,
  type UpgradeChange,
  type XmlElement,
} from '@systole/cib';
import type { Command } from 'commander';
import { EXIT, UsageError } from '../exit-code.js';
import { upgradeLine } from '../render/upgrade.js';
import { outputOf, showDocument, type Surroundings } from '../session.js';
import type { GlobalFlags } from '../settings/settings.js';
import { writeWhole } from '../whole-file.js';
import { readDocument } from './cluster.js';

interface ConvertFlags extends GlobalFlags {
  readonly output?: string;
}

/** What became of a document: the converted one, or why there is none. */
interface Converted {
  readonly document: string | undefined;
  readonly changes: readonly UpgradeChange[];
  readonly problems: readonly CibProblem[];
  /** Valid, and surely not meant: an import is refused for it, unless it is forced. */
  readonly doubts: readonly ConfigurationFinding[];
}

/** `systole cib convert`: needs no server. */
export function addConvertCommand(cib: Command, surroundings: Surroundings): void {
  const { terminal, end } = surroundings;
  cib
    .command('convert <file>')
    .description('bring a document of an older schema, or of Heartbeat 2, to the current one (- for standard input); needs no server')
    .option('-o, --output <file>', 'write it to this file')
    .action(async (file: string, _: ConvertFlags, command: Command) => {
      const { output, ...flags } = command.optsWithGlobals<ConvertFlags>();
      const { json, paint, show } = outputOf(terminal, flags);
      const converted = convert(parsed(await readDocument(file, terminal)));
      const { document, changes, problems, doubts } = converted;
      if (document !== undefined && output !== undefined) await writeWhole(output, (put) => put(document));
      if (json) show(output === undefined ? converted : { changes, problems, doubts }, () => []);
      else {
        for (const change of changes) terminal.complain(upgradeLine(change, paint));
        for (const problem of problems) terminal.complain(`${paint('red', 'refused')}: ${placeOf(problem)}: ${problem.message}`);
        for (const doubt of doubts) {
          terminal.complain(
            `${paint('red', 'error')}: ${placeOf(doubt)}: ${doubt.message}; meanwhile ${doubt.meanwhile}. An import needs --force`,
          );
        }
        if (document === undefined) terminal.complain('systole: not converted: mend what is refused, and convert it again');
        else if (output === undefined) showDocument(surroundings, document);
      }
      if (document === undefined) end(EXIT.failed);
    });
}

/** @throws {UsageError} */
function parsed(text: string): XmlElement {
  try {
    // The user's own file: the status in it may be large.
    return parseXml(text, { maxBytes: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new UsageError(`the document cannot be read: ${error.message}`);
  }
}

/** @throws {UsageError} for what is no CIB, or names no known schema */
function convert(source: XmlElement): Converted {
  const changes: UpgradeChange[] = [];
  const onChange = (change: UpgradeChange): void => {
    changes.push(change);
  };
  try {
    const { document } = readCib(source, { strict: true, mistakes: 'refuse', old: 'convert', onChange });
    const doubts = findingsOf(document).filter(({ level }) => level === 'error');
    return { document: serializeXml(document), changes, problems: [], doubts };
  } catch (error) {
    if (!(error instanceof CibRefused)) throw error;
    if (error.problems.length === 0) throw new UsageError(error.message);
    return { document: undefined, changes, problems: error.problems, doubts: [] };
  }
}

function placeOf({ line, path }: { readonly line?: number | undefined; readonly path: string }): string {
  return line === undefined ? path : `line ${line}, ${path}`;
}
