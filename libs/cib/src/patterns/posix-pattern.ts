import { RE2JS, RE2JSException } from 're2js';
import { stepsBeyondText } from './pattern-size.js';

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
/** What is kept of patterns, their characters and their steps together: those of a large configuration, and some ten megabytes. */
const MOST_KEPT = 200_000;

/**
 * Compiles a pattern of a configuration: a POSIX extended regular expression, `[[:digit:]]` and the like included, which finds the leftmost longest match anywhere in a text
 * (specification 01 §5.6, 04 §4.1 rule 4). Its time grows linearly with the text, whatever the pattern. Undefined for what is no such expression, for
 * what can't be told in linear time (`\1`), and for what is too large; that is seen before it is compiled, and what came of a pattern is kept, as the loops that serve everybody ask for the same again and again.
 */
export function posixPattern(pattern: string, { ignoreCase = false }: PatternOptions = {}): MatchPattern | undefined {
  if (pattern.length > MOST_CHARACTERS) return undefined;
  const kept = ignoreCase ? keptWhateverCase : keptAsWritten;
  const known = kept.get(pattern);
  if (known !== undefined) return known.match;
  const compiled = compile(pattern, ignoreCase);
  kept.set(pattern, compiled);
  return compiled.match;
}

interface Compiled {
  /** Undefined: refused. */
  readonly match: MatchPattern | undefined;
  readonly steps: number;
}

const REFUSED: Compiled = { match: undefined, steps: 0 };

function compile(pattern: string, ignoreCase: boolean): Compiled {
  if (stepsBeyondText(pattern, ignoreCase) > MOST_STEPS) return REFUSED;
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(pattern, ignoreCase ? RE2JS.LONGEST_MATCH | RE2JS.CASE_INSENSITIVE : RE2JS.LONGEST_MATCH);
  } catch (error) {
    if (error instanceof RE2JSException) return REFUSED;
    throw error;
  }
  const steps = expression.programSize();
  if (steps > MOST_STEPS) return REFUSED;
  const match: MatchPattern = (text) => {
    const matcher = expression.matcher(text);
    if (!matcher.find()) return undefined;
    return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined);
  };
  return { match, steps };
}

/** What came of patterns, refusals included; whichever was not asked for the longest goes first. */
class KeptPatterns {
  readonly #byText = new Map<string, Compiled>();
  #size = 0;

  get(pattern: string): Compiled | undefined {
    const found = this.#byText.get(pattern);
    if (found === undefined) return undefined;
    this.#byText.delete(pattern);
    this.#byText.set(pattern, found);
    return found;
  }

  /** @param pattern one that is not kept yet */
  set(pattern: string, compiled: Compiled): void {
    this.#byText.set(pattern, compiled);
    this.#size += sizeOf(pattern, compiled);
    for (const [oldest, { steps }] of this.#byText) {
      if (this.#size <= MOST_KEPT) return;
      this.#byText.delete(oldest);
      this.#size -= sizeOf(oldest, { steps });
    }
  }
}

function sizeOf({ length }: string, { steps }: Pick<Compiled, 'steps'>): number {
  return length + steps;
}

const keptAsWritten = new KeptPatterns();
const keptWhateverCase = new KeptPatterns();
