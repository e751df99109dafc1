import { readFile, stat } from 'node:fs/promises';
import { documentText, parseXml, XmlError, type XmlElement } from '@systole/cib';
import { EXIT, ToolFailure, type ToolCall } from './tool.js';

const LONGEST_BYTES = 128 * 1024 * 1024;

/**
 * A file that a caller named, relative to where it is; `-` is its standard input, as crmsh calls `crm_diff`.
 *
 * @param unreadable exit code when there is none to be read
 * @throws {ToolFailure}
 */
export async function fileOf(
  { cwd, caller, isReader }: Pick<ToolCall, 'cwd' | 'caller' | 'isReader'>,
  path: string,
  unreadable: number = EXIT.NO_INPUT,
): Promise<string> {
  if (path === '-') return standardInput(caller === undefined ? {} : { caller });
  // It would be read by the agent's account, not by the caller's.
  if (isReader === true && caller === undefined) throw new ToolFailure(EXIT.DENIED, `${path}: only root has files read`);
  if (!path.startsWith('/') && cwd === undefined && caller === undefined)
    throw new ToolFailure(EXIT.USAGE, `an absolute path is needed here, not ${path}`);
  const whole = path.startsWith('/') ? path : `${cwd ?? ''}/${path}`;
  try {
    if (caller !== undefined) return await caller.read(path);
    const { size } = await regular(whole);
    if (size > LONGEST_BYTES) throw new Error(`larger than ${LONGEST_BYTES} bytes`);
    return documentText(await readFile(whole));
  } catch (error) {
    throw new ToolFailure(unreadable, `${path} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What is none, such as a pipe, may never end. */
async function regular(path: string): Promise<{ readonly size: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error('not a file');
  return found;
}

/** @throws {ToolFailure} where there is nobody to ask for it */
export async function standardInput({ caller }: Pick<ToolCall, 'caller'>): Promise<string> {
  if (caller === undefined) throw new ToolFailure(EXIT.NO_INPUT, 'there is no standard input here');
  try {
    return await caller.stdin();
  } catch (error) {
    throw new ToolFailure(EXIT.DATA, error instanceof Error ? error.message : String(error));
  }
}

/**
 * XML that a caller gave.
 *
 * @param unreadable exit code when it is none
 * @throws {ToolFailure}
 */
export function parsedXml(text: string, unreadable: number, saying = "Couldn't parse input"): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof XmlError) throw new ToolFailure(unreadable, `${saying}: ${error.message}`);
    throw error;
  }
}

/** Relative to where the caller is: the agent is elsewhere. */
export function inDirectory({ cwd }: Pick<ToolCall, 'cwd'>, path: string): string {
  if (path.startsWith('/')) return path;
  if (cwd === undefined) throw new ToolFailure(EXIT.USAGE, `give ${path} as an absolute path`);
  return `${cwd}/${path}`;
}
