import { memberOf, planningHold, type ClusterState, type JoinNode } from '@systole/cluster';
import type { Clock } from '../ports/clock.js';
import { Elapsed } from '../time/elapsed.js';
import type { CallingNode } from './session.js';

/** What this process knows of the life of a node that a join would follow. */
export type Silence = Pick<JoinNode, 'silentMs' | 'lostMs' | 'fencingHeld'>;

/** For how long nodes have been silent, by this process's own clock: of what others heard, or it heard before it was started, it knows nothing. */
export class Silences {
  private readonly elapsed: Elapsed;
  /** When each node was last heard of, monotonic ms. */
  private readonly lastHeard = new Map<string, { readonly incarnation: number; readonly at: number }>();

  constructor(private readonly clock: Pick<Clock, 'monotonic' | 'timeOfDay'>) {
    this.elapsed = new Elapsed(() => clock.monotonic());
  }

  /** A poll came; it counts as long as its incarnation holds the lease. */
  heard({ clusterId, node }: CallingNode, state: ClusterState, incarnation: number): void {
    const member = memberOf(state, node);
    if (member?.incarnation !== incarnation || member.membership !== 'joined') return;
    this.lastHeard.set(nameOf(clusterId, node), { incarnation, at: this.clock.monotonic() });
  }

  /** @param state before the join */
  of({ clusterId, node }: CallingNode, state: ClusterState): Silence {
    const member = memberOf(state, node);
    if (member === undefined) return {};
    const witnessed = (cause: string, moment: number): number => this.elapsed.witnessed(clusterId, cause, moment);
    const heard = this.lastHeard.get(nameOf(clusterId, node));
    return {
      ...(heard?.incarnation === member.incarnation ? { silentMs: Math.round(this.clock.monotonic() - heard.at) } : {}),
      ...(member.membership === 'lost' ? { lostMs: Math.round(witnessed(`loss of ${node}`, Date.parse(member.since))) } : {}),
      ...(planningHold(state, witnessed, this.clock.timeOfDay()) === undefined ? {} : { fencingHeld: true }),
    };
  }
}

function nameOf(clusterId: string, node: string): string {
  return `${clusterId} ${node}`;
}
