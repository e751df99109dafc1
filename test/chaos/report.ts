import type { FaultKind } from './faults/fault.js';

/** Something that must not happen. */
export interface Violation {
  readonly at: number;
  readonly round: number;
  readonly text: string;
  /** What happened around it. */
  readonly story: readonly string[];
}

/** How a round ended. */
export interface Recovery {
  readonly kinds: readonly FaultKind[];
  /** From the end of the last fault until all was well, ms. */
  readonly ms: number;
}

export interface Outcome {
  readonly seed: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly recoveries: readonly Recovery[];
  readonly violations: readonly Violation[];
  /** One line each. */
  readonly figures: readonly string[];
}

/** Faults by kind with the time that the cluster took until all was well again, then what was wrong. */
export function renderOutcome({ seed, rounds, seconds, recoveries, violations, figures }: Outcome): string {
  const kinds = [...new Set(recoveries.flatMap((recovery) => recovery.kinds))].toSorted();
  const rows = kinds.map((kind) => {
    const times = recoveries
      .filter((recovery) => recovery.kinds.includes(kind))
      .map(({ ms }) => ms / 1000)
      .toSorted((a, b) => a - b);
    const count = recoveries.flatMap((recovery) => recovery.kinds).filter((one) => one === kind).length;
    const median = times[Math.floor((times.length - 1) / 2)] ?? 0;
    return [kind.padEnd(18), String(count).padStart(6), median.toFixed(1).padStart(9), (times.at(-1) ?? 0).toFixed(1).padStart(9)].join(
      ' ',
    );
  });
  const head = ['fault'.padEnd(18), 'count'.padStart(6), 'median s'.padStart(9), 'worst s'.padStart(9)].join(' ');
  const told = violations.flatMap(({ round, text, story }, index) => [
    '',
    `violation ${index + 1}, round ${round}: ${text}`,
    ...story.map((line) => `  ${line}`),
  ]);
  return [
    `seed ${seed}: ${rounds} rounds in ${Math.round(seconds)} s; ${violations.length} violations`,
    ...figures,
    head,
    ...rows,
    ...told,
  ].join('\n');
}
