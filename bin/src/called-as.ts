import { basename } from 'node:path';

/** The program of the package, by which it is told from a checkout. */
const PACKAGED = 'systole-server';

/**
 * What whoever runs this program has typed, for texts that say what to type: the program of a package, or `npm start --` in a checkout.
 *
 * @param program path under which Node.js was given it; default: that of this process
 */
export function calledAs(program = process.argv[1] ?? ''): string {
  return isPackaged(program) ? PACKAGED : 'npm start --';
}

/** Whether this is the program of a package. @param program as for {@link calledAs} */
export function isPackaged(program = process.argv[1] ?? ''): boolean {
  return basename(program, '.js') === PACKAGED;
}
