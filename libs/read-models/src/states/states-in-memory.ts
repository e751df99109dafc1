import type { ClusterState } from '@systole/cluster';
import { jsonWeight } from '@systole/event-store';

/** Memory that a unit of weight (`jsonWeight`) of a state takes, bytes; as measured, with clusters of 3 nodes as of 100. */
const BYTES = 25;
/** Heaviest state that is weighed; a millisecond or two. What is heavier has snapshots, whose length tells. */
const WEIGHED = 10_000;
/** Most states that are weighed for one that needs room. */
const WEIGHED_AT_ONCE = 4;

/** Most that leave at once for not being used: each is weighed first. */
const LEAVING_AT_ONCE = 20;

/** What is kept of a cluster. */
export interface Kept {
  readonly state: ClusterState;
  /** How heavy the state is at most, as far as it was counted (`jsonWeight`). */
  weight: number;
}

interface Place<E> {
  readonly entry: E;
  /** Its part of the sum. */
  counted: number;
  /** Version at which it was weighed; 0: never. */
  weighedAt: number;
  /** Monotonic ms. */
  usedAt: number;
}

/**
 * What a process keeps of clusters, within a number of bytes: who was not used for longest leaves first. What states weigh is added up from their events, which is
 * too much where events take the place of others; before one has to leave, those that would leave first are weighed. The one in use stays, however large it is.
 */
export class StatesInMemory<E extends Kept> {
  /** Least recently used first. */
  readonly #places = new Map<string, Place<E>>();
  #weight = 0;

  constructor(
    readonly mostBytes: number,
    /** Hears of those that had to leave. */
    private readonly onLeft: (clusterId: string, entry: E) => void,
    private readonly monotonic: () => number = () => performance.now(),
  ) {}

  /** Estimated. */
  get bytes(): number {
    return this.#weight * BYTES;
  }

  get(clusterId: string): E | undefined {
    return this.#places.get(clusterId)?.entry;
  }

  /** What is kept of a cluster, which is in use from now on; `make` gives what is to be kept when there is nothing. */
  use(clusterId: string, make: () => E): E {
    const place = this.#places.get(clusterId) ?? { entry: make(), counted: 0, weighedAt: 0, usedAt: 0 };
    place.usedAt = this.monotonic();
    this.#places.delete(clusterId);
    this.#places.set(clusterId, place);
    this.settle(clusterId, place.entry);
    return place.entry;
  }

  /** Takes in what an entry weighs now, and makes room if that is too much. */
  settle(clusterId: string, entry: E): void {
    const place = this.#places.get(clusterId);
    if (place?.entry !== entry) return;
    this.#count(place);
    let weighed = 0;
    for (const other of this.#places.values()) {
      if (this.bytes <= this.mostBytes || weighed === WEIGHED_AT_ONCE) break;
      if (other.weighedAt !== other.entry.state.version) {
        this.#weigh(other);
        weighed++;
      }
    }
    for (const [oldest, other] of this.#places) {
      if (this.bytes <= this.mostBytes) break;
      if (oldest === clusterId) continue;
      this.delete(oldest);
      this.onLeft(oldest, other.entry);
    }
  }

  /** Some of those that were not used for so long leave, as long as all together take more than so many bytes. */
  leaveUnused(unusedForMs: number, keptBytes: number): void {
    const usedBefore = this.monotonic() - unusedForMs;
    let looks = LEAVING_AT_ONCE;
    for (const [clusterId, place] of this.#places) {
      if (this.bytes <= keptBytes || place.usedAt > usedBefore || looks-- === 0) return;
      this.#weigh(place);
      if (this.bytes <= keptBytes) return;
      this.delete(clusterId);
      this.onLeft(clusterId, place.entry);
    }
  }

  delete(clusterId: string): void {
    this.#weight -= this.#places.get(clusterId)?.counted ?? 0;
    this.#places.delete(clusterId);
  }

  clear(): void {
    this.#places.clear();
    this.#weight = 0;
  }

  #weigh(place: Place<E>): void {
    const { entry } = place;
    const weight = jsonWeight(entry.state, WEIGHED);
    if (weight <= WEIGHED) entry.weight = weight;
    place.weighedAt = entry.state.version;
    this.#count(place);
  }

  #count(place: Place<E>): void {
    this.#weight += place.entry.weight - place.counted;
    place.counted = place.entry.weight;
  }
}
