import { clampScore, parseScore } from '@systole/cib';

/** What somebody wants an attribute to be. */
export type WantedValue = { readonly type: 'text'; readonly text: string } | { readonly type: 'sum'; readonly add: number };

/**
 * Reads `value++`, `value+=N`, and the same with the attribute's own name, as counting up; anything else is meant as it stands (specification 12 §3). N is a score: `INFINITY` is one,
 * what is none counts as 0.
 */
export function wantedValue(text: string, name: string): WantedValue {
  const counting = ['value', name].find((word) => word !== '' && (text.startsWith(`${word}++`) || text.startsWith(`${word}+=`)));
  if (counting === undefined) return { type: 'text', text };
  const rest = text.slice(counting.length);
  return { type: 'sum', add: rest.startsWith('++') ? 1 : (parseScore(rest.slice(2)) ?? 0) };
}

/** The value of an attribute that was counted up. */
export function sumOf(present: string | undefined, add: number): string {
  return String(clampScore((parseScore(present) ?? 0) + add));
}
