import { comebackHold, memberOf, type ClusterState, type ElapsedSince, type JoinNode } from '@systole/cluster';
import type { Clock } from '../ports/clock.js';
import { Elapsed } from '../time/elapsed.js';
import { LingeringMap } from '../time/lingering-map.js';
import type { CallingNode } from './session.js';

/** What this process knows of the life of a node that a join would follow. */
export type Silence = Pick<JoinNode, 'silentMs' | 'lostMs' | 'fencingHeld'>;

/**
 * Of a process that did nothing for so long, ms, nobody knows whether it stood still: what it is told next may have been said as long ago. Less than what messages
 * may be late (`joinedElsewhere`), and longer than agents of a small cluster let it wait.
 */
const STOOD_STILL_MS = 30_000;
/** By then it has been told what waited for it meanwhile, ms. */
const CAUGHT_UP_MS = 10_000;

/** For how long nodes have been silent, by this process's own clock: of what others heard, or it heard before it was started, it knows nothing. */
export class Silences {
  /** How long ago whatever may hold a cluster's fencing back was first seen, by cluster. */
  private readonly holds: LingeringMap<Elapsed>;
  /** How long ago a node's loss was first seen, by node. */
  private readonly losses: LingeringMap<Elapsed>;
  /** When each node was last heard of, monotonic ms. */
  private readonly lastHeard: LingeringMap<{ readonly incarnation: number; readonly at: number }>;
  private awake: { readonly monotonic: number; readonly timeOfDay: number } | undefined;
  /** What is said before is of no known age, monotonic ms. */
  private deafUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Pick<Clock, 'monotonic' | 'timeOfDay'>) {
    this.holds = new LingeringMap(clock);
    this.losses = new LingeringMap(clock);
    this.lastHeard = new LingeringMap(clock);
  }

  /** A poll came; it counts as long as its incarnation holds the lease. */
  heard({ clusterId, node }: CallingNode, state: ClusterState, incarnation: number): void {
    this.wake();
    const member = memberOf(state, node);
    if (member?.incarnation !== incarnation || member.membership !== 'joined' || this.clock.monotonic() < this.deafUntil) return;
    this.lastHeard.set(nameOf(clusterId, node), { incarnation, at: this.clock.monotonic() });
  }

  /** @param state before the join */
  of({ clusterId, node }: CallingNode, state: ClusterState): Silence {
    this.wake();
    const member = memberOf(state, node);
    if (member === undefined) return {};
    const now = this.clock.timeOfDay();
    // Whoever sees it for the first time must not take it for new: a hold that may be over holds nobody's fencing.
    const atMost: ElapsedSince = (cause, moment, version) =>
      Math.max(this.witnessed(this.holds, clusterId, cause, moment, version), now - moment);
    const name = nameOf(clusterId, node);
    const lostMs = (): number => Math.round(this.witnessed(this.losses, name, 'loss', Date.parse(member.since), member.lostVersion));
    const heard = this.lastHeard.get(name);
    return {
      ...(heard?.incarnation === member.incarnation ? { silentMs: Math.round(this.clock.monotonic() - heard.at) } : {}),
      ...(member.membership === 'lost' ? { lostMs: lostMs() } : {}),
      ...(comebackHold(state, atMost, now) === undefined ? {} : { fencingHeld: true }),
    };
  }

  private witnessed(seen: LingeringMap<Elapsed>, name: string, cause: string, moment: number, version: number | undefined): number {
    const elapsed = seen.get(name) ?? new Elapsed(() => this.clock.monotonic());
    seen.set(name, elapsed);
    return elapsed.witnessed(name, cause, moment, version);
  }

  /** After a freeze, or a suspension, in which monotonic clocks stand still. */
  private wake(): void {
    const { awake } = this;
    const [monotonic, timeOfDay] = [this.clock.monotonic(), this.clock.timeOfDay()];
    this.awake = { monotonic, timeOfDay };
    if (awake === undefined || Math.max(monotonic - awake.monotonic, timeOfDay - awake.timeOfDay) < STOOD_STILL_MS) return;
    this.lastHeard.clear();
    this.deafUntil = monotonic + CAUGHT_UP_MS;
  }
}

function nameOf(clusterId: string, node: string): string {
  return `${clusterId} ${node}`;
}
