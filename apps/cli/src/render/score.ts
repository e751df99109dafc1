const INFINITY_SCORE = 1_000_000;

/** A score as Pacemaker's tools write it. */
export function scoreText(score: number): string {
  if (score >= INFINITY_SCORE) return 'INFINITY';
  return score <= -INFINITY_SCORE ? '-INFINITY' : String(score);
}
