import type { ScoreEntry, UtilizationEntry } from '@systole/scheduler';

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

/** The function that the reference names where a resource takes its share of a node. */
export const UTILIZATION_FUNCTION = 'pcmk__assign_resource';

/** A line of the utilization listing, without bullet (specification 08 §5.3). */
export function utilizationLine({ moment, resource, node, amounts }: UtilizationEntry): string {
  const list = amounts.map(({ name, value }) => ` ${name}=${value}`).join('');
  if (moment === 'assigned') return `${UTILIZATION_FUNCTION}: ${resource ?? ''} utilization on ${node}:${list}`;
  return `${moment === 'original' ? 'Original' : 'Remaining'}: ${node} capacity:${list}`;
}
