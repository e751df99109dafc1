import { HttpProblem } from './problem.js';

/** Most values (texts, numbers, lists, objects …) in a body: several times what the largest sensible request holds. */
const MOST_VALUES = 50_000;
/** Deepest nesting. */
const DEEPEST = 32;

/**
 * A body that is to be JSON, of a shape that can be checked in no time: small in bytes may still be a million values.
 *
 * @throws {HttpProblem} 400 for what is no JSON, 422 for what is too much or too deep
 */
export function jsonValue(text: string): unknown {
  const value = parsed(text);
  let values = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (values > MOST_VALUES) throw tooMuch(`holds more than ${MOST_VALUES} values`);
    if (depth > DEEPEST) throw tooMuch(`is nested more than ${DEEPEST} levels deep`);
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one as Readonly<Record<string, unknown>>) : [],
    );
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpProblem(400, 'malformed-json', `the body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function tooMuch(what: string): HttpProblem {
  return new HttpProblem(422, 'invalid-request', `the body ${what}`, { errors: [{ pointer: '', detail: what }] });
}
