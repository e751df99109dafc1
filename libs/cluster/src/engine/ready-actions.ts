import { MinHeap } from './min-heap.js';

/** Whether more may be handed out at present. */
export interface Room {
  /** In the cluster as a whole. @param large of what carries more than is free to each (`bulkOf`) */
  inAll(large: boolean): boolean;
  on(node: string, migration: boolean): boolean;
}

/** Those that wait for room on one node, for room for a migration there, or for room for what is large. */
interface Queue {
  readonly node: string;
  readonly migration: boolean;
  readonly waiting: MinHeap;
  readonly heads: Heads;
  /** The position under which it stands in `heads`; undefined while its node has no room for it. */
  listed: number | undefined;
}

/** The first of each queue for which its node has room: they wait for nothing but room in the cluster as a whole. */
interface Heads {
  readonly large: boolean;
  /** All of them, and some that are first no longer, or for which their node has no room any more. */
  readonly positions: MinHeap;
  readonly queueOf: Map<number, Queue>;
}

/**
 * Positions of the synapses that have all their inputs and are not begun, ordered so that a look costs what can go on, not what waits: those that have no room stand in a queue for
 * each node, of which only the first is looked at, and only once something was over on that node; what waits for something else than room is left alone.
 */
export class ReadyActions {
  /** Not looked at yet. */
  private fresh: MinHeap;
  /** Wait for what does not come while the engine stands as it does. */
  private kept: number[] = [];
  private readonly queues = new Map<string, Queue>();
  private readonly ofNode = new Map<string, Queue[]>();
  private readonly small = headsFor(false);
  private readonly large = headsFor(true);

  constructor(
    positions: readonly number[],
    private readonly room: Room,
  ) {
    this.fresh = new MinHeap(positions);
  }

  get size(): number {
    return this.fresh.size + this.kept.length + this.waitingForRoom;
  }

  /** How many wait for nothing but room; costs what there are nodes. */
  get waitingForRoom(): number {
    let waiting = 0;
    for (const queue of this.queues.values()) waiting += queue.waiting.size;
    return waiting;
  }

  /** All of them, ascending. */
  positions(): readonly number[] {
    const waiting = [...this.queues.values()].flatMap((queue) => queue.waiting.toArray());
    return [...this.fresh.toArray(), ...this.kept, ...waiting].sort((a, b) => a - b);
  }

  add(position: number): void {
    this.fresh.push(position);
  }

  /** It is looked at again only with {@link lookAtAll}. */
  keep(position: number): void {
    this.kept.push(position);
  }

  waitForRoom(position: number, node: string, migration: boolean, large: boolean): void {
    const queue = this.queueOf(node, migration, large ? this.large : this.small);
    queue.waiting.push(position);
    if (this.room.on(node, migration)) list(queue);
  }

  /** Something is over on that node. */
  roomOn(node: string): void {
    for (const queue of this.ofNode.get(node) ?? []) list(queue);
  }

  /** Takes out what to look at next, the least of what was added and of the first of each queue for which there is room. Whoever asks for all of it has looked. */
  next(): number | undefined {
    const queue = firstOf(this.leastOf(this.small), this.leastOf(this.large));
    const { least } = this.fresh;
    if (queue?.listed === undefined || (least !== undefined && least < queue.listed)) return this.fresh.pop();
    const position = queue.waiting.pop();
    list(queue);
    return position;
  }

  /** The next look is at everything. */
  lookAtAll(): void {
    this.fresh = new MinHeap(this.positions());
    this.kept = [];
    this.queues.clear();
    this.ofNode.clear();
    for (const heads of [this.small, this.large]) {
      heads.positions.clear();
      heads.queueOf.clear();
    }
  }

  private queueOf(node: string, migration: boolean, heads: Heads): Queue {
    const key = `${migration ? 'm' : 'a'}${heads.large ? 'l' : ''} ${node}`;
    const known = this.queues.get(key);
    if (known !== undefined) return known;
    const queue: Queue = { node, migration, heads, waiting: new MinHeap(), listed: undefined };
    this.queues.set(key, queue);
    this.ofNode.set(node, [...(this.ofNode.get(node) ?? []), queue]);
    return queue;
  }

  /** Of the queues for which there is room that with the least position. */
  private leastOf({ large, positions, queueOf }: Heads): Queue | undefined {
    if (!this.room.inAll(large)) return undefined;
    for (;;) {
      const position = positions.least;
      if (position === undefined) return undefined;
      const queue = queueOf.get(position);
      const isFirst = queue?.listed === position;
      if (isFirst && this.room.on(queue.node, queue.migration)) return queue;
      if (isFirst) queue.listed = undefined;
      positions.pop();
      queueOf.delete(position);
    }
  }
}

/** Sees to it that the first of a queue stands in the list of heads. */
function list(queue: Queue): void {
  const head = queue.waiting.least;
  if (head === queue.listed) return;
  queue.listed = head;
  if (head === undefined) return;
  queue.heads.positions.push(head);
  queue.heads.queueOf.set(head, queue);
}

function firstOf(one: Queue | undefined, other: Queue | undefined): Queue | undefined {
  if (one?.listed === undefined || other?.listed === undefined) return one ?? other;
  return one.listed < other.listed ? one : other;
}

function headsFor(large: boolean): Heads {
  return { large, positions: new MinHeap(), queueOf: new Map() };
}
