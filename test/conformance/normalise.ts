import type { Output } from './corpus.js';

/** Brings an output to the form in which it is compared (specification 08 §1). */
export function normalise(output: Output, text: string): string {
  switch (output) {
    case 'summary':
      return text;
    case 'scores':
      return sorted(lines(text)).join('');
    case 'dot':
      return normaliseDot(text);
    case 'exp':
      return text.replace(/crm_feature_set="[^"]*"/g, '').replace(/batch-limit="[0-9]*"/g, '');
  }
}

/** First and last line stay where they are, those between are made unique and sorted. */
function normaliseDot(text: string): string {
  const all = lines(text);
  if (all.length < 2) return text;
  return [all[0], ...sorted([...new Set(all.slice(1, -1))]), all.at(-1)].join('');
}

/** With their newlines. */
function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** By code point. */
function sorted(list: readonly string[]): string[] {
  return [...list].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
