import type { ScoreEntry } from '@systole/scheduler';

const INFINITY = 1_000_000;

/** A score as text: ±INFINITY by name. */
export function scoreText(score: number): string {
  if (score >= INFINITY) return 'INFINITY';
  return score <= -INFINITY ? '-INFINITY' : String(score);
}

/** A line of the score listing, without bullet (specification 08 §5.1). */
export function scoreLine({ phase, resource, node, score }: ScoreEntry): string {
  if (phase !== 'promotion') return `${phase}: ${resource} allocation score on ${node}: ${scoreText(score)}`;
  return `${resource} promotion score ${node === '' ? '(inactive)' : `on ${node}`}: ${scoreText(score)}`;
}
