import { parseJoinRequest, refusalOf, spokenVersion, type JoinRequest } from '@systole/protocol';
import { HttpProblem } from '../http/problem.js';

/**
 * Reads a join. The version is judged first: what a newer agent adds to its join is not known here.
 * @throws {HttpProblem} 426 when server and agent don't understand each other
 * @throws {import('@systole/protocol').ProtocolError}
 */
export function joinBody(body: unknown): JoinRequest {
  const refused = refusalOf(spokenVersion(body));
  if (refused !== undefined) throw new HttpProblem(426, refused.code, refused.detail);
  return parseJoinRequest(body);
}
