import { memberOf, UNKNOWN_RESOURCES, unknownActive, type ClusterState, type NodeTrouble } from '@systole/cluster';
import type { Clock } from '../ports/clock.js';
import { LingeringMap } from '../time/lingering-map.js';
import type { CallingNode } from './session.js';

/** How often it is looked at what a node names, ms. */
const LOOK_MS = 5_000;
/** So long the agent has to name it, ms: what was just removed, or is being probed, is told of in a moment. */
const LASTS_MS = 20_000;
/** Of so many the names are told. */
const NAMED = 10;

interface Seen {
  readonly lookedAt: number;
  /** When each that is unknown was seen first, monotonic ms. */
  readonly since: ReadonlyMap<string, number>;
}

/** What runs where nobody but the agent knows of it: see `unknownActive`. Nothing is done about it; who works with the cluster has to hear of it. */
export class UnknownResources {
  private readonly nodes: LingeringMap<Seen>;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.nodes = new LingeringMap(clock);
  }

  /**
   * A poll came.
   *
   * @param active history ids of what may run there by the agent's word; undefined: it does not say
   * @returns what is wrong, when that has lasted
   */
  heard({ clusterId, node }: CallingNode, state: ClusterState, active: readonly string[] | undefined): readonly NodeTrouble[] {
    const key = `${clusterId} ${node}`;
    const now = this.clock.monotonic();
    const known = this.nodes.get(key);
    const seen = known !== undefined && now - known.lookedAt < LOOK_MS ? known : this.look(state, node, active ?? [], known, now);
    this.nodes.set(key, seen);
    // Another server has seen it for long enough.
    const isTold = memberOf(state, node)?.troubles?.some(({ code }) => code === UNKNOWN_RESOURCES) === true;
    const lasting = [...seen.since].flatMap(([id, since]) => (isTold || now - since >= LASTS_MS ? [id] : []));
    return lasting.length === 0 ? [] : [{ code: UNKNOWN_RESOURCES, detail: unknownText(lasting) }];
  }

  private look(state: ClusterState, node: string, active: readonly string[], known: Seen | undefined, now: number): Seen {
    return { lookedAt: now, since: new Map(unknownActive(state, node, active).map((id) => [id, known?.since.get(id) ?? now])) };
  }
}

/** For people. */
function unknownText(ids: readonly string[]): string {
  const more = ids.length > NAMED ? ` and ${String(ids.length - NAMED)} others` : '';
  return `${ids.slice(0, NAMED).join(', ')}${more} may run there, of which neither the configuration nor the history of the node knows anything`;
}
