/**
 * What nodes report of their own accord, each with budgets of its own. Of joins those count that are let in; refused ones that are recorded count apart, so that a
 * copied machine takes nothing from the one that may join.
 */
export type ReportKind = 'results' | 'attributes' | 'joins' | 'refused-joins';

/** What a report makes of the log. */
export interface ReportSize {
  readonly events: number;
  readonly bytes: number;
}

/** How much each node may write into the log of its cluster. Times are of one monotonic clock. */
export interface ReportBudgets {
  /**
   * Counts what a report may come to, before it is taken: reports that arrive together know of one another.
   *
   * @returns told what it did come to; the difference is given back
   * @throws {ReportBudgetSpent}
   */
  open(node: { readonly clusterId: string; readonly node: string }, kind: ReportKind, most: ReportSize): (came: ReportSize) => void;
}

/** A node reported more than its budget lets it. Nothing was recorded; the same report is taken later. */
export class ReportBudgetSpent extends Error {
  override readonly name = 'ReportBudgetSpent';

  constructor(
    readonly node: string,
    readonly kind: ReportKind,
    /** Which of the budgets. */
    readonly of: keyof ReportSize,
    readonly perMinute: number,
    readonly retryAfterMs: number,
  ) {
    super(
      `${node} has reported more ${kind} than its budget of ${String(perMinute)} ${of} a minute: report the same again in ${String(Math.ceil(retryAfterMs / 1_000))} s, and less often`,
    );
  }
}
