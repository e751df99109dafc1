import { RateLimit, type Rate } from '@systole/access';
import { ReportBudgetSpent, type ReportBudgets, type ReportKind, type ReportSize, type SpentBudget } from '@systole/control-plane';

/** What one node may write into the log in a minute, and at once after a pause; and how many of its reports may call off what its cluster is about to do. */
export interface ReportLimits extends Readonly<Record<ReportKind, ReportSize>> {
  readonly disturbances: Rate;
  /** Reports that change the configuration: options that tools keep among those of the cluster, attributes for ever, what a node provides. */
  readonly configurations: Rate;
}

/** A node whose reports wait. */
export interface WaitingReports extends Pick<SpentBudget, 'kind' | 'of'> {
  readonly node: string;
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
  readonly #disturbances: RateLimit;
  readonly #configurations: RateLimit;
  readonly #refusals = new Map<string, Refusal>();

  /** @param monotonic ms @param onRefused told of each report that was refused; for whoever shows them elsewhere */
  constructor(
    private readonly perMinute: ReportLimits,
    private readonly monotonic: () => number,
    private readonly onRefused: (refused: RefusedReport) => void = () => undefined,
  ) {
    const limit = (each: number): RateLimit => new RateLimit({ perSecond: each / MINUTE_S, burst: each });
    const limits = ({ events, bytes }: ReportSize) => ({ events: limit(events), bytes: limit(bytes) });
    const {
      results,
      attributes,
      'unchanged-attributes': unchanged,
      joins,
      'refused-joins': refusedJoins,
      disturbances,
      configurations,
    } = perMinute;
    this.#disturbances = new RateLimit(disturbances);
    this.#configurations = new RateLimit(configurations);
    this.#limits = {
      results: limits(results),
      attributes: limits(attributes),
      'unchanged-attributes': limits(unchanged),
      joins: limits(joins),
      'refused-joins': limits(refusedJoins),
    };
  }

  /** Refuses whatever a node could report of a kind before it is read, while nothing of that budget is left. @throws {ReportBudgetSpent} */
  check(of: Reporter, kind: ReportKind): void {
    for (const size of SIZES) {
      const waitMs = this.#limits[kind][size].waitOf(keyOf(of), this.monotonic());
      if (waitMs > 0) this.#refuse(of, { kind, of: size, perMinute: this.perMinute[kind][size] }, waitMs);
    }
  }

  open(of: Reporter, kind: ReportKind, most: ReportSize) {
    this.check(of, kind);
    const limits = this.#limits[kind];
    const key = keyOf(of);
    const now = this.monotonic();
    for (const size of SIZES) limits[size].charge(key, now, most[size]);
    return (came: ReportSize): void => {
      for (const size of SIZES) limits[size].charge(key, this.monotonic(), came[size] - most[size]);
    };
  }

  disturb(by: Reporter, kind: ReportKind) {
    const key = `${keyOf(by)} ${kind}`;
    const waitMs = this.#disturbances.take(key, this.monotonic());
    const { perSecond } = this.perMinute.disturbances;
    if (waitMs > 0) this.#refuse(by, { kind: 'disturbances', of: 'reports', perMinute: perSecond * MINUTE_S }, waitMs);
    return (): void => {
      this.#disturbances.charge(key, this.monotonic(), -1);
    };
  }

  configure(by: Reporter) {
    const waitMs = this.#configurations.take(keyOf(by), this.monotonic());
    const { perSecond } = this.perMinute.configurations;
    if (waitMs > 0) this.#refuse(by, { kind: 'configurations', of: 'reports', perMinute: perSecond * MINUTE_S }, waitMs);
    return (): void => {
      this.#configurations.charge(keyOf(by), this.monotonic(), -1);
    };
  }

  calmIn(by: Reporter, kind: ReportKind): number {
    return this.#disturbances.waitOf(`${keyOf(by)} ${kind}`, this.monotonic());
  }

  #refuse({ clusterId, node }: Reporter, spent: SpentBudget, waitMs: number): never {
    const { kind, of } = spent;
    const refused: RefusedReport = { clusterId, node, kind, of, forMs: waitMs + SHOWN_MS };
    this.note(refused);
    this.onRefused(refused);
    throw new ReportBudgetSpent(node, spent, waitMs);
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

interface Reporter {
  readonly clusterId: string;
  readonly node: string;
}

function keyOf({ clusterId, node }: Reporter): string {
  return `${clusterId} ${node}`;
}
