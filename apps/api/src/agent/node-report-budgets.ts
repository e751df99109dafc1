import { RateLimit } from '@systole/access';
import { ReportBudgetSpent, type ReportBudgets, type ReportKind, type ReportSize } from '@systole/control-plane';

/** What one node may write into the log in a minute, and at once after a pause. */
export type ReportLimits = Readonly<Record<ReportKind, ReportSize>>;

/** A node whose reports wait. */
export interface WaitingReports {
  readonly node: string;
  readonly kind: ReportKind;
  readonly of: keyof ReportSize;
}

/** A report that was refused. */
export interface RefusedReport extends WaitingReports {
  readonly clusterId: string;
  /** So long the node counts as waiting, ms. */
  readonly forMs: number;
}

interface Refusal extends RefusedReport {
  /** Monotonic ms at which it counts as over. */
  readonly until: number;
}

const MINUTE_S = 60;
const SIZES: readonly (keyof ReportSize)[] = ['events', 'bytes'];
/** An agent whose report was refused has time to come again, and to be refused again, before nothing is said of it any more, ms. */
const SHOWN_MS = 10_000;

/** The budgets of nodes in one api process. A report is taken as long as anything is left, so that none is too large for ever; what it takes too much is paid back first. */
export class NodeReportBudgets implements ReportBudgets {
  readonly #limits: Readonly<Record<ReportKind, Readonly<Record<keyof ReportSize, RateLimit>>>>;
  readonly #refusals = new Map<string, Refusal>();

  /** @param monotonic ms @param onRefused told of each report that was refused; for whoever shows them elsewhere */
  constructor(
    private readonly perMinute: ReportLimits,
    private readonly monotonic: () => number,
    private readonly onRefused: (refused: RefusedReport) => void = () => undefined,
  ) {
    const limit = (each: number): RateLimit => new RateLimit({ perSecond: each / MINUTE_S, burst: each });
    const limits = ({ events, bytes }: ReportSize) => ({ events: limit(events), bytes: limit(bytes) });
    const { results, attributes, joins, 'refused-joins': refusedJoins } = perMinute;
    this.#limits = {
      results: limits(results),
      attributes: limits(attributes),
      joins: limits(joins),
      'refused-joins': limits(refusedJoins),
    };
  }

  open({ clusterId, node }: { readonly clusterId: string; readonly node: string }, kind: ReportKind, most: ReportSize) {
    const limits = this.#limits[kind];
    const key = `${clusterId} ${node}`;
    const now = this.monotonic();
    for (const of of SIZES) {
      const waitMs = limits[of].waitOf(key, now);
      if (waitMs === 0) continue;
      const refused: RefusedReport = { clusterId, node, kind, of, forMs: waitMs + SHOWN_MS };
      this.note(refused);
      this.onRefused(refused);
      throw new ReportBudgetSpent(node, kind, of, this.perMinute[kind][of], waitMs);
    }
    for (const of of SIZES) limits[of].charge(key, now, most[of]);
    return (came: ReportSize): void => {
      for (const of of SIZES) limits[of].charge(key, this.monotonic(), came[of] - most[of]);
    };
  }

  /** Remembers a report that was refused, here or in another thread of this process. */
  note(refused: RefusedReport): void {
    const { clusterId, node, kind, of, forMs } = refused;
    const now = this.monotonic();
    this.#forgetOver(now);
    this.#refusals.set(`${clusterId} ${node} ${kind} ${of}`, { ...refused, until: now + forMs });
  }

  /** Nodes of a cluster whose reports were refused a moment ago. */
  waiting(clusterId: string): readonly WaitingReports[] {
    this.#forgetOver(this.monotonic());
    return [...this.#refusals.values()].filter((refusal) => refusal.clusterId === clusterId);
  }

  #forgetOver(now: number): void {
    for (const [key, { until }] of this.#refusals) if (until <= now) this.#refusals.delete(key);
  }
}
