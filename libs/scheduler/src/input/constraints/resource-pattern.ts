import { RE2JS, RE2JSException } from 're2js';

/** The groups of a match, the whole match first; undefined when the id does not match. */
export type MatchPattern = (id: string) => readonly (string | undefined)[] | undefined;

/**
 * Compiles the `rsc-pattern` of a location constraint: a POSIX extended regular expression, which finds the leftmost longest match anywhere in an id
 * (specification 01 §5.6, 04 §4.1 rule 4). Its time grows linearly with the id, whatever the pattern. Undefined for what is no such expression.
 */
export function resourcePattern(pattern: string): MatchPattern | undefined {
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(pattern, RE2JS.LONGEST_MATCH);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
  return (id) => {
    const matcher = expression.matcher(id);
    if (!matcher.find()) return undefined;
    return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined);
  };
}
