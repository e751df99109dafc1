import { readJson, RepeatedKey } from '@systole/cib';
import { excessOf } from './json-shape.js';
import { HttpProblem } from './problem.js';

/** Several times what the largest sensible request holds. */
const BOUNDS = { values: 50_000, levels: 32, fields: 1_000 };

/**
 * A body that is to be JSON, of a shape that can be read and checked in no time: small in bytes may still be a million values.
 *
 * @throws {HttpProblem} 400 for what is no JSON, or has a key twice, 422 for what is too much or too deep
 */
export function jsonValue(text: string): unknown {
  const excess = excessOf(text, BOUNDS);
  if (excess !== undefined)
    throw new HttpProblem(422, 'invalid-request', `the body ${excess}`, { errors: [{ pointer: '', detail: excess }] });
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof RepeatedKey) throw repeatedKey(error);
    throw new HttpProblem(400, 'malformed-json', `the body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** That a key of the body is there twice. */
export function repeatedKey({ pointer, message }: Pick<RepeatedKey, 'pointer' | 'message'>): HttpProblem {
  return new HttpProblem(400, 'malformed-json', message, { errors: [{ pointer, detail: message }] });
}
