import { statSync } from 'node:fs';

/**
 * What is to be said of a file of a token that every account of this machine may read: whoever has the token is this node. Undefined where only its owner and its group may.
 *
 * @throws what the file system says
 */
export function tokenExposure(file: string): string | undefined {
  return (statSync(file).mode & 0o004) === 0 ? undefined : `every account of this machine may read the token in ${file}: chmod 600 ${file}`;
}
