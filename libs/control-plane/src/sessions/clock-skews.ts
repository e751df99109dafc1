import { CLOCK_SKEW, memberOf, type ClusterState, type NodeTrouble } from '@systole/cluster';
import type { Clock } from '../ports/clock.js';
import { LingeringMap } from '../time/lingering-map.js';
import type { CallingNode } from './session.js';

/** By less than that clocks may differ, ms; below the second that is told is over: one at the limit must not be told of again and again. */
const TOLD_FROM_MS = 10_000;
const OVER_BELOW_MS = 5_000;
/** So long every poll has to show it, ms: of what waited on its way, or in a process that stood still, nobody knows when it was sent. */
const LASTS_MS = 20_000;

/** Whose clocks are wrong. Nothing is decided by them; but people read them, and whatever on the node goes by the time of day. */
export class ClockSkews {
  /** Since when each node has shown one, monotonic ms. */
  private readonly since: LingeringMap<number>;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.since = new LingeringMap(clock);
  }

  /**
   * A poll came.
   *
   * @param shownMs what the node's clock showed as it was sent, epoch ms; undefined: its agent does not say
   * @param nowMs when it came, epoch ms by the clock of the database
   * @returns what is wrong, when that has lasted, or was told before
   */
  heard({ clusterId, node }: CallingNode, state: ClusterState, shownMs: number | undefined, nowMs: number): readonly NodeTrouble[] {
    const key = `${clusterId} ${node}`;
    const isTold = memberOf(state, node)?.troubles?.some(({ code }) => code === CLOCK_SKEW) === true;
    const aheadMs = shownMs === undefined ? 0 : shownMs - nowMs;
    if (Math.abs(aheadMs) < (isTold ? OVER_BELOW_MS : TOLD_FROM_MS)) {
      this.since.delete(key);
      return [];
    }
    const now = this.clock.monotonic();
    const since = this.since.get(key) ?? now;
    this.since.set(key, since);
    return isTold || now - since >= LASTS_MS ? [{ code: CLOCK_SKEW, detail: skewText(aheadMs) }] : [];
  }
}

/** For people. */
function skewText(aheadMs: number): string {
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return `its clock is ${String(Math.round(Math.abs(aheadMs) / 1_000))} s ${where} that of the database, by which everything is dated`;
}
