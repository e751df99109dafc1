import { unseenIn } from '@systole/cib';
import { HttpProblem } from './problem.js';

/**
 * Refuses to make something of a name that can't be told from others by whoever looks at it. What has such a name can be read and deleted.
 *
 * @param parameter of the path
 * @throws {HttpProblem} 400
 */
export function requireSeenName(parameter: string, name: string): void {
  const unseen = unseenIn(name);
  if (unseen === undefined) return;
  const detail = `"${unseen.shown}" holds ${unseen.character}, which can't be seen: write it without`;
  throw new HttpProblem(400, 'invalid-parameter', `${parameter} ${detail}`, { errors: [{ parameter, detail }] });
}
