/**
 * What nodes report of their own accord, each with budgets of its own. Of joins those count that are let in; refused ones that are recorded count apart, so that a
 * copied machine takes nothing from the one that may join. Changes of attributes that turn out to be none leave nothing in the log, and count apart: to find that out takes time.
 */
export type ReportKind = 'results' | 'attributes' | 'unchanged-attributes' | 'joins' | 'refused-joins';

/** What a report makes of the log. */
export interface ReportSize {
  readonly events: number;
  readonly bytes: number;
}

/** Of which budget a report is too much. */
export interface SpentBudget {
  /** Disturbances are reports of any kind that call off what the cluster is about to do; configurations are reports that change the configuration. */
  readonly kind: ReportKind | 'disturbances' | 'configurations';
  /** `unheard`: joins in a row after which the node never polled. */
  readonly of: keyof ReportSize | 'reports' | 'unheard';
  readonly perMinute: number;
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
  /**
   * Counts one report, of any size, that calls off what the cluster is about to do or makes a plan obsolete. Each kind counts apart: a node whose attributes change all the time must be
   * heard when its resources fail.
   *
   * @returns takes it back
   * @throws {ReportBudgetSpent}
   */
  disturb(node: { readonly clusterId: string; readonly node: string }, kind: ReportKind): () => void;
  /**
   * Counts one report that changes the configuration, of any size: what an operator writes is for the configuration that was read, and holds no more after each.
   *
   * @returns takes it back
   * @throws {ReportBudgetSpent}
   */
  configure(node: { readonly clusterId: string; readonly node: string }): () => void;
  /** In how many ms another report that disturbs is taken; 0: now. Counts nothing. */
  calmIn(node: { readonly clusterId: string; readonly node: string }, kind: ReportKind): number;
}

/** A node reported more than its budget lets it. Nothing was recorded; the same report is taken later. */
export class ReportBudgetSpent extends Error {
  override readonly name = 'ReportBudgetSpent';

  constructor(
    readonly node: string,
    readonly spent: SpentBudget,
    readonly retryAfterMs: number,
  ) {
    super(`${node} ${tooMuch(spent)}: ${again(spent, `in ${String(Math.ceil(retryAfterMs / 1_000))} s`)}`);
  }
}

function again({ of }: SpentBudget, when: string): string {
  return of === 'unheard' ? `join again ${when}, and poll then` : `report the same again ${when}, and less often`;
}

function tooMuch({ kind, of, perMinute }: SpentBudget): string {
  const most = String(perMinute);
  if (of === 'unheard') return `joins again and again, and never polls, so that only ${most} of its joins a minute is let in`;
  if (kind === 'configurations') return `has changed the configuration more often than ${most} times a minute`;
  return kind === 'disturbances'
    ? `has called off what its cluster was about to do more often than ${most} times a minute`
    : `has reported more ${kind} than its budget of ${most} ${of} a minute`;
}
