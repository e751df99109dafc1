import { readInteger } from './integer.js';

/** The score that beats every other: `INFINITY` in a CIB (specification 01 §10.1). Scores are integers within ±INFINITY. */
export const INFINITY_SCORE = 1_000_000;

/** What the words red, yellow and green are worth as scores (specification 01 §3.3). */
export interface HealthWords {
  readonly red: number;
  readonly yellow: number;
  readonly green: number;
}

/** Their worth while no health strategy is in force. */
export const NEUTRAL_HEALTH_WORDS: HealthWords = { red: 0, yellow: 0, green: 0 };

/**
 * Reads a score: `INFINITY`, `+INFINITY`, `-INFINITY` (case-sensitive), a health word (case ignored), or a text that starts with an integer,
 * clamped. Undefined for a missing or invalid text (specification 01 §10.1).
 */
export function parseScore(text: string | undefined, words: HealthWords = NEUTRAL_HEALTH_WORDS): number | undefined {
  switch (text) {
    case undefined:
      return undefined;
    case 'INFINITY':
    case '+INFINITY':
      return INFINITY_SCORE;
    case '-INFINITY':
      return -INFINITY_SCORE;
    default:
  }
  const integer = readInteger(text);
  if (integer !== undefined) return clampScore(integer.value);
  switch (text.toLowerCase()) {
    case 'red':
      return words.red;
    case 'yellow':
      return words.yellow;
    case 'green':
      return words.green;
    default:
      return undefined;
  }
}

/** Confines a number to -INFINITY … INFINITY. */
export function clampScore(score: number): number {
  if (score >= INFINITY_SCORE) return INFINITY_SCORE;
  return score <= -INFINITY_SCORE ? -INFINITY_SCORE : score;
}

/** Adds scores: -INFINITY beats INFINITY, both beat every number, sums saturate (specification 01 §10.1). Not associative. */
export function addScores(a: number, b: number): number {
  if (a <= -INFINITY_SCORE || b <= -INFINITY_SCORE) return -INFINITY_SCORE;
  if (a >= INFINITY_SCORE || b >= INFINITY_SCORE) return INFINITY_SCORE;
  return clampScore(a + b);
}

/** The text of a score: `INFINITY`, `-INFINITY` or decimal digits. */
export function formatScore(score: number): string {
  if (score >= INFINITY_SCORE) return 'INFINITY';
  return score <= -INFINITY_SCORE ? '-INFINITY' : String(score);
}
