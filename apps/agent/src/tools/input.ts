import { readFile, stat } from 'node:fs/promises';
import { EXIT, ToolFailure, type ToolCall } from './tool.js';

const LONGEST_BYTES = 128 * 1024 * 1024;

/**
 * A file that a caller named, relative to where it is.
 *
 * @param missing the exit code where there is none to be read
 * @throws {ToolFailure}
 */
export async function fileOf(
  { cwd, isReader }: Pick<ToolCall, 'cwd' | 'isReader'>,
  path: string,
  missing: number = EXIT.NO_INPUT,
): Promise<string> {
  // It would be read by the agent's account, not by the caller's.
  if (isReader === true) throw new ToolFailure(EXIT.DENIED, `${path}: only root has files read`);
  const whole = path.startsWith('/') || cwd === undefined ? path : `${cwd}/${path}`;
  try {
    const { size } = await regular(whole);
    if (size > LONGEST_BYTES) throw new Error(`larger than ${LONGEST_BYTES} bytes`);
    return await readFile(whole, 'utf8');
  } catch (error) {
    throw new ToolFailure(missing, `${path} can't be read: ${error instanceof Error ? error.message : String(error)}`);
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
  return caller.stdin();
}
