import type { Clock } from '../ports/clock.js';
import { ReportBudgetSpent } from '../ports/report-budgets.js';
import { LingeringMap } from '../time/lingering-map.js';
import type { CallingNode } from './session.js';

/** So many joins in a row that no poll follows are let in as they come: an agent may be restarted before it polls, now and then. */
const LET_IN = 3;
/** After that one is let in so often, ms: longer than a lease, so that it runs out in between, and no longer than a machine can wait that does poll then. */
const EVERY_MS = 60_000;
const PER_MINUTE = 1;

/** What is known of a node that has not polled since it joined. */
interface Unheard {
  /** Joins in a row that began a life of which no poll came. */
  readonly joins: number;
  /** When the last of them was let in, monotonic ms. */
  readonly at: number;
}

type Node = Pick<CallingNode, 'clusterId' | 'node'>;

/**
 * Joins of nodes that never poll. Each of them calls off the transition that runs and renews the lease: without a bound such a node would never be lost, nor fenced, and nothing else would be
 * recovered. As it is refused, its lease runs out. By what this process was asked: of joins and polls at others it knows nothing.
 */
export class UnheardJoins {
  private readonly nodes: LingeringMap<Unheard>;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.nodes = new LingeringMap(clock);
  }

  /** Counts nothing. @throws {ReportBudgetSpent} a join that begins another life is too much now */
  check({ clusterId, node }: Node): void {
    const unheard = this.nodes.get(nameOf(clusterId, node));
    if (unheard === undefined || unheard.joins < LET_IN) return;
    const waitMs = unheard.at + EVERY_MS - this.clock.monotonic();
    if (waitMs > 0) throw new ReportBudgetSpent(node, { kind: 'joins', of: 'unheard', perMinute: PER_MINUTE }, waitMs);
  }

  /**
   * Counts a join that is about to begin another life.
   *
   * @returns takes it back: it began none
   * @throws {ReportBudgetSpent} it is too much now
   */
  count(of: Node): () => void {
    this.check(of);
    const name = nameOf(of.clusterId, of.node);
    const before = this.nodes.get(name);
    const counted: Unheard = { joins: (before?.joins ?? 0) + 1, at: this.clock.monotonic() };
    this.nodes.set(name, counted);
    return () => {
      // Another one that was counted meanwhile, or a poll, knows better.
      if (this.nodes.get(name) !== counted) return;
      if (before === undefined) this.nodes.delete(name);
      else this.nodes.set(name, before);
    };
  }

  /** A poll of the node's present life came, and is believed. */
  heard({ clusterId, node }: Node): void {
    this.nodes.delete(nameOf(clusterId, node));
  }
}

function nameOf(clusterId: string, node: string): string {
  return `${clusterId} ${node}`;
}
