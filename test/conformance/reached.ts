import { readFileSync, writeFileSync } from 'node:fs';
import { type Output, OUTPUTS } from './corpus.js';

/** How many cases of a corpus are identical, by output; `all` counts the cases in which all four are. */
export interface Counts extends Readonly<Record<Output | 'all' | 'cases', number>> {
  /** Documents that are only accepted or refused, and how many of them rightly; missing where a corpus has none. */
  readonly documents?: number;
  readonly judged?: number;
}

/** The numbers by corpus. */
export type Reached = Readonly<Record<string, Counts>>;

const COUNTED = [...OUTPUTS, 'all'] as const;

/** @throws {SyntaxError} when the file is no JSON. */
export function readReached(file: string): Reached {
  return JSON.parse(readFileSync(file, 'utf8')) as Reached;
}

export function writeReached(file: string, reached: Reached): void {
  writeFileSync(file, `${JSON.stringify(reached, undefined, 2)}\n`);
}

/** What fell below the recorded numbers, in words. */
export function falls(before: Reached, now: Reached): string[] {
  return Object.entries(now).flatMap(([corpus, counts]) => {
    const recorded = before[corpus];
    const judged = fell(corpus, 'judged', recorded?.documents === counts.documents ? recorded?.judged : undefined, counts.judged);
    // Another number of cases is another corpus, which no record speaks of.
    if (recorded?.cases !== counts.cases) return judged;
    return [...COUNTED.flatMap((output) => fell(corpus, output, recorded[output], counts[output])), ...judged];
  });
}

function fell(corpus: string, what: string, before: number | undefined, now: number | undefined): string[] {
  return before !== undefined && now !== undefined && now < before ? [`${corpus}: ${what} fell from ${before} to ${now}`] : [];
}
