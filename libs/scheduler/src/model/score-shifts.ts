import type { CandidateTable } from './candidates.js';
import { INFINITY } from './score.js';

/**
 * What the addition of one score after another does to any score, for each node of the cluster. Scores stick to both infinities, and
 * still any number of additions comes down to this: up to some score the result is -INFINITY, from another one on INFINITY, and between the two
 * a sum is added.
 */
export class ScoreShifts {
  /** Highest score that becomes -INFINITY. */
  private readonly lost: Int32Array;
  /** Lowest score that becomes INFINITY; INFINITY + 1 where all are lost. */
  private readonly full: Int32Array;
  /** What is added between. */
  private readonly sums: Int32Array;
  /** Lowest score that never falls below 0 on the way; INFINITY + 1 where all do. */
  private readonly needed: Int32Array;

  /** Leaves all scores as they are. */
  constructor(nodes: number) {
    this.lost = new Int32Array(nodes).fill(-INFINITY);
    this.full = new Int32Array(nodes).fill(INFINITY);
    this.sums = new Int32Array(nodes);
    this.needed = new Int32Array(nodes).fill(-INFINITY);
  }

  /** Adds a score of a node after all others. */
  add(node: number, amount: number): void {
    if (amount <= -INFINITY) this.follow(node, INFINITY, INFINITY + 1, 0, INFINITY + 1);
    else if (amount >= INFINITY) this.follow(node, -INFINITY, 1 - INFINITY, 0, 1 - INFINITY);
    else {
      const lost = Math.max(-INFINITY, -INFINITY - amount);
      const full = Math.min(INFINITY, INFINITY - amount);
      this.follow(node, lost, full, amount, Math.min(full, Math.max(lost + 1, -amount)));
    }
  }

  /** Does what others do after all that was there. */
  append(others: ScoreShifts): void {
    for (let node = 0; node < this.sums.length; node++) {
      this.follow(node, others.lost[node] ?? 0, others.full[node] ?? 0, others.sums[node] ?? 0, others.needed[node] ?? 0);
    }
  }

  /** Whether every score of a node becomes -INFINITY. */
  losesAll(node: number): boolean {
    return this.lost[node] === INFINITY;
  }

  /** Whether a score of a node stays at 0 or above all the way. */
  keeps(node: number, score: number): boolean {
    return score >= (this.needed[node] ?? 0);
  }

  /** Changes the scores of a table's candidates; for tables that aren't traced. */
  applyTo(table: CandidateTable): void {
    for (let node = 0; node < table.capacity; node++) {
      if (!table.has(node)) continue;
      const score = table.score(node);
      const shifted =
        score <= (this.lost[node] ?? 0) ? -INFINITY : score >= (this.full[node] ?? 0) ? INFINITY : score + (this.sums[node] ?? 0);
      table.mark(node, shifted);
    }
  }

  private follow(node: number, lostThen: number, fullThen: number, sumThen: number, neededThen: number): void {
    const lost = this.lost[node] ?? 0;
    const full = this.full[node] ?? 0;
    const sum = this.sums[node] ?? 0;
    if (neededThen > -INFINITY) {
      const needed = neededThen > INFINITY ? INFINITY + 1 : Math.min(full, Math.max(lost + 1, neededThen - sum));
      this.needed[node] = Math.max(this.needed[node] ?? 0, needed);
    }
    const lostNow = lostThen >= INFINITY ? INFINITY : Math.max(lost, Math.min(lostThen - sum, full - 1));
    const fullNow = lostThen >= INFINITY ? INFINITY + 1 : Math.min(full, Math.max(fullThen - sum, lost + 1));
    this.lost[node] = lostNow;
    this.full[node] = fullNow;
    // Where there is nothing between, the sum of many could grow beyond all bounds.
    this.sums[node] = fullNow - lostNow > 1 ? sum + sumThen : 0;
  }
}
