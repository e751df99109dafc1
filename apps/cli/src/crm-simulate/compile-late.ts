import { setFlagsFromString } from 'node:v8';

/** Releases of the engine that are known to have the setting: Node.js 20 to 24. */
const KNOWN = /^1[1-3]\./;

/**
 * Lets the engine compile only what runs for long. By default it begins so early that a run of less than a second spends a third of its CPU time on
 * optimised code that it hardly uses; long runs take as long as before.
 */
export function compileLate(): void {
  if (KNOWN.test(process.versions.v8)) setFlagsFromString('--interrupt-budget=600000');
}
