import { isBlank } from '@systole/cib';
import { isCarriable } from '@systole/protocol';
import { HttpProblem } from '../http/problem.js';

/** DEL and the C1 controls, which terminals obey, and what turns the direction of all that follows it. Marks that say how one word is written (U+200E, U+200F) belong to prose of some languages. */
const STEERS = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** What is wrong with a reason, which auditors read wherever it is shown; undefined: nothing, or that it can't be stored, which is told of every text. */
export function reasonFault(reason: string): string | undefined {
  if (!isCarriable(reason)) return undefined;
  const [steering] = STEERS.exec(reason) ?? [];
  if (steering !== undefined) {
    const code = steering.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `holds U+${code}, which steers what shows it: leave it out`;
  }
  return isBlank(reason) ? 'must say something: leave it out where there is no reason' : undefined;
}

/** @throws {HttpProblem} 422 for a body whose reason nobody could read */
export function requireReadableReason({ reason }: { readonly reason?: string }): void {
  const detail = reason === undefined ? undefined : reasonFault(reason);
  if (detail !== undefined)
    throw new HttpProblem(422, 'invalid-request', `/reason ${detail}`, { errors: [{ pointer: '/reason', detail }] });
}
