/** In front of each line; as wide as one another. */
const MARKS = { done: 'done    ', failed: 'FAILED  ', open: 'not done' } as const;

/** The lines of a transition's summary, and where it ended before all was done, what became of each. */
export function summaryLines({
  summary,
  steps,
}: {
  readonly summary: readonly string[];
  readonly steps?: readonly (keyof typeof MARKS)[];
}): readonly string[] {
  return summary.map((line, index) => {
    const state = steps?.[index];
    return state === undefined ? `  ${line}` : `  ${MARKS[state]}  ${line}`;
  });
}
