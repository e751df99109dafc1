import { findingsOf, parseXml, readCib, XmlError, CibRefused, type XmlElement } from '@systole/cib';
import { flag, type OptionSpec, parseArguments, value } from './arguments.js';
import { fileOf, standardInput } from './input.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('live', '-L', '--live-check'),
  value('file', '-x', '--xml-file'),
  value('text', '-X', '--xml-text'),
  flag('pipe', '-p', '--xml-pipe'),
  flag('quiet', '-q', '-Q', '--quiet'),
  flag('verbose', '-V', '--verbose'),
];

const NOT_VALID = 'crm_verify: Errors found during check: config not valid\n';

/** `crm_verify`: what is wrong with a configuration (exit code 78), and with `-V` what is surely not meant in one that is valid. */
export async function crmVerify(call: ToolCall, cluster: ToolCluster): Promise<ToolResult> {
  const { options } = parseArguments(call.args, OPTIONS);
  const isVerbose = options['verbose'] !== undefined;
  const mistakes = mistakesIn(await sourceOf(call, options, cluster));
  if (mistakes.kind === 'unreadable') throw new ToolFailure(EXIT.ERROR, `Couldn't parse input: ${mistakes.reason}`);
  const told = isVerbose || mistakes.kind === 'refused' ? mistakes.lines.map((line) => `${line}\n`).join('') : '';
  if (mistakes.kind === 'valid') return { stdout: '', stderr: told, exitCode: EXIT.OK };
  const hint = isVerbose ? '' : '-V may provide more details\n';
  return { stdout: '', stderr: options['quiet'] === undefined ? `${told}${NOT_VALID}${hint}` : '', exitCode: EXIT.CONFIG };
}

async function sourceOf(call: ToolCall, options: Readonly<Partial<Record<string, string>>>, cluster: ToolCluster): Promise<string> {
  const { file, text } = options;
  if (options['live'] !== undefined) return cluster.cib();
  if (file !== undefined) return fileOf(call, file);
  if (text !== undefined) return text;
  if (options['pipe'] !== undefined) return standardInput(call);
  throw new ToolFailure(EXIT.ERROR, 'No configuration source specified: -L, -x FILE, -X TEXT or -p');
}

type Mistakes =
  { readonly kind: 'valid' | 'refused'; readonly lines: readonly string[] } | { readonly kind: 'unreadable'; readonly reason: string };

function mistakesIn(xml: string): Mistakes {
  let document: XmlElement;
  try {
    document = parseXml(xml);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return { kind: 'unreadable', reason: error.message };
  }
  try {
    const { document: upgraded } = readCib(document);
    return { kind: 'valid', lines: findingsOf(upgraded).map(({ path, message }) => `warning: ${path}: ${message}`) };
  } catch (error) {
    if (!(error instanceof CibRefused)) throw error;
    const problems = error.problems.map(
      ({ path, line, message }) => `error: ${line === undefined ? '' : `line ${line}: `}${path}: ${message}`,
    );
    return { kind: 'refused', lines: problems.length > 0 ? problems : [`error: ${error.message}`] };
  }
}
