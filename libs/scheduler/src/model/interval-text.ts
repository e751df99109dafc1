const UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
];

/**
 * An interval as notes name it, e.g. `1m30.500s` (specification 08 §5.5).
 *
 * @param interval milliseconds.
 */
export function intervalText(interval: number): string {
  if (interval === 0) return '0s';
  let text = '';
  let rest = interval;
  for (const [unit, ms] of UNITS) {
    // A single unit is left to the next smaller one: 60m, not 1h.
    if (rest <= ms) continue;
    text += `${Math.floor(rest / ms)}${unit}`;
    rest %= ms;
  }
  if (rest === 0) return text;
  if (rest <= 1000) return `${text}${rest}ms`;
  const fraction = rest % 1000;
  return `${text}${Math.floor(rest / 1000)}${fraction === 0 ? '' : `.${String(fraction).padStart(3, '0')}`}s`;
}
