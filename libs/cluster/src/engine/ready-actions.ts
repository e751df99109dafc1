import { MinHeap } from './min-heap.js';

/** Those that wait for room on one node, for room for a migration there, or for room for what is large. */
interface Room {
  readonly node: string;
  readonly migration: boolean;
  readonly large: boolean;
  readonly waiting: MinHeap;
}

type HasRoom = (node: string, migration: boolean, large: boolean) => boolean;

/**
 * Positions of the synapses that have all their inputs and are not begun, ordered so that a look costs what can go on, not what waits: those that have no room stand in a queue for
 * each node, of which only the first is looked at, and what waits for something else than room is left alone.
 */
export class ReadyActions {
  /** Not looked at yet. */
  private fresh: number[];
  /** Wait for what does not come while the engine stands as it does. */
  private kept: number[] = [];
  private readonly rooms = new Map<string, Room>();
  /** Taken from the front of a queue in this look. */
  private readonly heads = new Map<number, Room>();

  constructor(positions: readonly number[]) {
    this.fresh = positions.slice();
  }

  get size(): number {
    return this.fresh.length + this.kept.length + this.waitingForRoom;
  }

  /** How many wait for nothing but room; costs what there are nodes. */
  get waitingForRoom(): number {
    let waiting = 0;
    for (const room of this.rooms.values()) waiting += room.waiting.size;
    return waiting;
  }

  /** All of them, ascending. */
  positions(): readonly number[] {
    return [...this.fresh, ...this.kept, ...[...this.rooms.values()].flatMap(({ waiting }) => waiting.toArray())].sort((a, b) => a - b);
  }

  add(positions: readonly number[]): void {
    for (const position of positions) this.fresh.push(position);
  }

  /** It is looked at again only with {@link lookAtAll}. */
  keep(position: number): void {
    this.kept.push(position);
  }

  waitForRoom(position: number, node: string, migration: boolean, large: boolean): void {
    const key = `${migration ? 'm' : 'a'}${large ? 'l' : ''} ${node}`;
    let room = this.rooms.get(key);
    if (room === undefined) {
      room = { node, migration, large, waiting: new MinHeap() };
      this.rooms.set(key, room);
    }
    room.waiting.push(position);
  }

  /** What to look at now, the least first: what was added since the last look, and the first of each queue for which there is room. */
  begin(hasRoom: HasRoom): MinHeap {
    const queue = new MinHeap(this.fresh);
    this.fresh = [];
    this.heads.clear();
    for (const room of this.rooms.values()) {
      const head = this.headOf(room, hasRoom);
      if (head !== undefined) queue.push(head);
    }
    return queue;
  }

  /** The one behind a position that was first in a queue and was looked at, as long as there is room for it; each is given once. */
  followerOf(position: number, hasRoom: HasRoom): number | undefined {
    const room = this.heads.get(position);
    return room && this.heads.delete(position) ? this.headOf(room, hasRoom) : undefined;
  }

  /** The next look is at everything. */
  lookAtAll(): void {
    this.fresh = [...this.positions()];
    this.kept = [];
    this.rooms.clear();
  }

  private headOf(room: Room, hasRoom: HasRoom): number | undefined {
    if (room.waiting.size === 0 || !hasRoom(room.node, room.migration, room.large)) return undefined;
    const head = room.waiting.pop();
    if (head !== undefined) this.heads.set(head, room);
    return head;
  }
}
