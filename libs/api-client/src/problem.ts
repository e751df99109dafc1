import type { components } from './schema.js';

/** A refusal (RFC 9457). */
export type Problem = components['schemas']['ProblemDto'];

/** A refusal as an error: its message is the problem's detail. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly status: number,
    /** Absent when something else than the server answered, e.g. a proxy. */
    readonly problem: Problem | undefined,
  ) {
    super(problem?.detail ?? `the server answered ${status} without saying why`);
  }
}

const NO_CONTENT = 204;

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'type' in value && 'status' in value && 'detail' in value;
}

/**
 * The data of an answer of the client; undefined where the answer has no content (204).
 *
 * @throws {ProblemError} for every other status than a success
 */
export function unwrap<T>(answer: { readonly data?: T; readonly error?: unknown; readonly response: Response }): T {
  const { data, error, response } = answer;
  const empty = response.status === NO_CONTENT;
  if (!response.ok || (data === undefined && !empty)) throw new ProblemError(response.status, isProblem(error) ? error : undefined);
  // Without content the type of the data is `undefined` already.
  return data as T;
}

/**
 * The same of what can be had as a text, too (`Accept`), and was asked for as JSON.
 *
 * @throws {ProblemError} for every other status than a success
 * @throws {TypeError} for a text
 */
export function unwrapJson<T>(answer: { readonly data?: T; readonly error?: unknown; readonly response: Response }): Exclude<T, string> {
  const data = unwrap(answer);
  if (typeof data === 'string') throw new TypeError('the server answered with a text where JSON was asked for');
  return data as Exclude<T, string>;
}
