import { cibFromJson, CibJsonError, serializeXml } from '@systole/cib';
import type { Request } from 'express';
import { HttpProblem } from '../http/problem.js';

/**
 * The CIB in a request's body as XML text, whether it was sent as XML or as JSON.
 *
 * @throws {HttpProblem} 415 without a body, 422 for JSON that is no tree with an XML form
 */
export function cibIn(request: Request): string {
  const body: unknown = request.body;
  if (typeof body === 'string' && request.is('application/json') === false) return body;
  if (body === undefined) {
    throw new HttpProblem(415, 'unsupported-media-type', 'a CIB is needed: send it as application/xml or application/json');
  }
  try {
    return serializeXml(cibFromJson(body));
  } catch (error) {
    if (!(error instanceof CibJsonError)) throw error;
    throw new HttpProblem(422, 'invalid-request', error.message, { errors: [{ pointer: error.pointer, detail: error.message }] });
  }
}
