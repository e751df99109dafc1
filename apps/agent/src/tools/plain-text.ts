import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

/** Whether all that this process was called with is text: Node puts other characters in the place of what is none. */
export function isCalledWithText(): boolean {
  return !process.argv.some((arg) => arg.includes('\uFFFD')) || isUtf8(readFileSync('/proc/self/cmdline'));
}
