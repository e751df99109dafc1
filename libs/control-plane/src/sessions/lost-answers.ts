import type { LogHead, NodeTrouble } from '@systole/cluster';
import type { Clock } from '../ports/clock.js';
import { LingeringMap } from '../time/lingering-map.js';
import type { CallingNode } from './session.js';

/** The trouble of a node that does not hear what it is answered: said by the server. */
export const ANSWERS_LOST = 'answers-lost';

/** For so long an agent may show no newer head than before, ms, though it was told some. */
const LONGEST_MS = 20_000;

interface Listening {
  readonly incarnation: number;
  /** The newest head that the agent showed. */
  readonly shown: LogHead | undefined;
  /** When it was first told a newer one than that, monotonic ms. */
  readonly behindSince?: number;
}

/**
 * Agents that poll, and so keep their lease, but show no sign of the answers: what they are to do never reaches them, and nobody would know why. Every answer names
 * the log's head, and every poll the newest head that arrived.
 */
export class LostAnswers {
  private readonly nodes: LingeringMap<Listening>;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.nodes = new LingeringMap(clock);
  }

  /** A poll came. @returns what is wrong, when that has lasted for long */
  heard(agent: CallingNode, incarnation: number, shown: LogHead | undefined): readonly NodeTrouble[] {
    const key = keyOf(agent);
    const known = this.nodes.get(key);
    if (known === undefined || known.incarnation !== incarnation || !isSame(known.shown, shown)) {
      this.nodes.set(key, { incarnation, shown });
      return [];
    }
    const { behindSince } = known;
    if (behindSince === undefined || this.clock.monotonic() - behindSince < LONGEST_MS) return [];
    const detail = `the answers to its polls do not arrive, or it can not keep them: it keeps its lease, but nothing that it is to do reaches it. Look at the network between it and the servers, and at its disk`;
    return [{ code: ANSWERS_LOST, detail }];
  }

  /** An answer is about to be given. */
  answered(agent: CallingNode, incarnation: number, head: LogHead): void {
    const key = keyOf(agent);
    const known = this.nodes.get(key);
    if (known?.incarnation !== incarnation || known.shown === undefined || known.behindSince !== undefined) return;
    if (isNewer(head, known.shown)) this.nodes.set(key, { ...known, behindSince: this.clock.monotonic() });
  }
}

function keyOf({ clusterId, node }: CallingNode): string {
  return `${clusterId} ${node}`;
}

function isNewer(one: LogHead, other: LogHead): boolean {
  return one.epoch !== other.epoch || one.version > other.version;
}

function isSame(one: LogHead | undefined, other: LogHead | undefined): boolean {
  return one?.epoch === other?.epoch && one?.version === other?.version;
}
