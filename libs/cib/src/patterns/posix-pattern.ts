import { RE2JS, RE2JSException } from 're2js';

/** The groups of a match, the whole match first; undefined when the text does not match. */
export type MatchPattern = (text: string) => readonly (string | undefined)[] | undefined;

/** How a pattern is compared. */
export interface PatternOptions {
  /** Letters match whatever their case. */
  readonly ignoreCase?: boolean;
}

/** Longest pattern, in characters: compiling takes time with its length. */
const MOST_CHARACTERS = 2_000;
/** Largest program that a pattern may become: each character of a text may be looked at by each of its steps, and a few letters (`(a?){1000}`) make thousands. */
const MOST_STEPS = 1_500;

/**
 * Compiles a pattern of a configuration: a POSIX extended regular expression, `[[:digit:]]` and the like included, which finds the leftmost longest match anywhere in a text
 * (specification 01 §5.6, 04 §4.1 rule 4). Its time grows linearly with the text, whatever the pattern. Undefined for what is no such expression, for
 * what can't be told in linear time (`\1`), and for what is too large.
 */
export function posixPattern(pattern: string, { ignoreCase = false }: PatternOptions = {}): MatchPattern | undefined {
  if (pattern.length > MOST_CHARACTERS) return undefined;
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(pattern, ignoreCase ? RE2JS.LONGEST_MATCH | RE2JS.CASE_INSENSITIVE : RE2JS.LONGEST_MATCH);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
  if (expression.programSize() > MOST_STEPS) return undefined;
  return (text) => {
    const matcher = expression.matcher(text);
    if (!matcher.find()) return undefined;
    return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined);
  };
}
