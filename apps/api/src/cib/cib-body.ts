import type { Request } from 'express';
import type { CibText } from '../computing/task.js';
import { HttpProblem } from '../http/problem.js';

/**
 * The CIB in a request's body, as it was sent.
 *
 * @throws {HttpProblem} 415 without a body
 */
export function cibIn(request: Request): CibText {
  const body = request.body as CibText | undefined;
  if (body === undefined || body.text === '') {
    throw new HttpProblem(415, 'unsupported-media-type', 'a CIB is needed: send it as application/xml or application/json');
  }
  return body;
}
