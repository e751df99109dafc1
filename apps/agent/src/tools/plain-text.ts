import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

/**
 * What a caller gives as text. Bytes that are none would arrive as others, and be written so.
 *
 * @param what it is, for people
 * @throws where it is no UTF-8
 */
export function textIn(bytes: Buffer, what: string): string {
  if (!isUtf8(bytes)) throw new Error(`${what} is no UTF-8 text`);
  return bytes.toString('utf8');
}

/** Whether all that this process was called with is text: Node puts other characters in the place of what is none. */
export function isCalledWithText(): boolean {
  return !process.argv.some((arg) => arg.includes('\uFFFD')) || isUtf8(readFileSync('/proc/self/cmdline'));
}
