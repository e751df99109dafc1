import { momentIn } from './moment-in.js';
import { HttpProblem, type ProblemIssue } from './problem.js';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const AGE = /^(\d{1,9})([smhdw])$/;

/** A moment (ISO 8601), or how long ago it was, e.g. `90s`, `2h`, `7d`. */
export const MOMENT_OR_AGE = /^(?:\d{1,9}[smhdw]|\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?)$/;

/**
 * @param place where it stands in the request
 * @param now epoch ms, from which ages count
 * @returns ISO 8601
 * @throws {HttpProblem} 400 for what is no moment
 */
export function momentOf(text: string, place: Pick<ProblemIssue, 'parameter' | 'pointer'>, now: number): string {
  const [, count, unit] = AGE.exec(text) ?? [];
  const at = count === undefined || unit === undefined ? momentIn(text) : now - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  const year = at === undefined ? NaN : new Date(at).getUTCFullYear();
  if (at !== undefined && year >= 1 && year <= 9_999) return new Date(at).toISOString();
  if (year < 1) return new Date(0).toISOString();
  throw noMoment(place, 'must be a date and time that exists (ISO 8601), e.g. 2026-01-31T12:00:00Z, or an age, e.g. 2h');
}

/** Says of a time in a request why it will not do. */
export function noMoment(place: Pick<ProblemIssue, 'parameter' | 'pointer'>, detail: string): HttpProblem {
  return new HttpProblem(400, 'invalid-parameter', `${place.parameter ?? place.pointer ?? ''} ${detail}`, {
    errors: [{ ...place, detail }],
  });
}

/** From when, and to when not any more, a query asks for things by `since` and `until`; ISO 8601. @param now epoch ms @throws {HttpProblem} 400 */
export function periodOf(
  { since, until }: { readonly since?: string; readonly until?: string },
  now: number,
): { readonly from?: string; readonly to?: string } {
  return {
    ...(since === undefined ? {} : { from: momentOf(since, { parameter: 'since' }, now) }),
    ...(until === undefined ? {} : { to: momentOf(until, { parameter: 'until' }, now) }),
  };
}
