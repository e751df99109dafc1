import { applyPatch, parseXml, patchBetween, serializeXml, XmlError, type XmlElement } from '@systole/cib';
import { flag, type OptionSpec, parseArguments, type ParsedArguments, undone, value } from './arguments.js';
import { fileOf, standardInput } from './input.js';
import { EXIT, ToolFailure, type ToolCall, type ToolResult } from './tool.js';

const OPTIONS: readonly OptionSpec[] = [
  value('original', '-o', '--original'),
  value('originalText', '-O', '--original-string'),
  value('new', '-n', '--new'),
  value('newText', '-N', '--new-string'),
  value('patch', '-p', '--patch'),
  flag('asCib', '-c', '--cib'),
  flag('standardInput', '-s', '--stdin'),
  flag('noVersion', '-u', '--no-version'),
  undone('patches are of format 2 always', '-f', '--filter'),
  flag('verbose', '-V', '--verbose'),
];

/** `crm_diff`: the patch that leads from one document to another, or a document with a patch applied. It asks no cluster. 1: they differ. */
export async function crmDiff(call: ToolCall): Promise<ToolResult> {
  const { options } = parseArguments(call.args, OPTIONS);
  const original = parsed(await given(options, 'original', 'originalText', call), 'first');
  const isFromInput = options['standardInput'] !== undefined;
  if (options['patch'] !== undefined) {
    const patched = applyPatch(original, parsed(await fileOf(call, options['patch'], EXIT.DATA), 'second'));
    if (patched.kind !== 'element') throw new ToolFailure(EXIT.ERROR, patched.message);
    return { stdout: serializeXml(patched), stderr: '', exitCode: EXIT.OK };
  }
  const other = parsed(isFromInput ? await standardInput(call) : await given(options, 'new', 'newText', call), 'second');
  const patch = patchBetween(original, other, { version: options['noVersion'] === undefined });
  return patch === undefined
    ? { stdout: '', stderr: '', exitCode: EXIT.OK }
    : { stdout: serializeXml(patch), stderr: '', exitCode: EXIT.ERROR };
}

async function given(options: ParsedArguments['options'], file: string, text: string, call: ToolCall): Promise<string | undefined> {
  const path = options[file];
  return options[text] ?? (path === undefined ? undefined : fileOf(call, path, EXIT.DATA));
}

function parsed(text: string | undefined, which: string): XmlElement {
  try {
    if (text !== undefined) return parseXml(text);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
  }
  throw new ToolFailure(EXIT.DATA, `Could not parse the ${which} XML fragment`);
}
