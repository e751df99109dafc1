import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often it is looked whether a thread has nothing to do, ms. */
const LOOK_EVERY_MS = 30_000;
/** Busy for at most this share of the time since the last look, a thread has nothing to do: one plan of a large cluster is more. What comes after a collection is slow at first. */
const IDLE_BELOW = 0.001;
/** Less than this is not worth a look through the heap, bytes. */
const WORTH_BYTES = 16 * 1024 * 1024;

/** What is looked at and done; replaced in tests. */
export interface IdleMemoryParts {
  /** Share of the time since `before` in which the thread's event loop was at work. */
  readonly utilization: (before?: EventLoopUtilization) => EventLoopUtilization;
  /** What the thread's heap takes of the machine's memory, bytes. */
  readonly heapBytes: () => number;
  /** Collects all garbage and gives back what that leaves empty; takes some tens of ms, in which the thread comes to nothing else. */
  readonly collect: () => void;
}

/**
 * Gives back the memory of a thread that worked and has nothing to do now. V8 keeps what it once took until there is much to allocate again: threads that plan or read large clusters now and then
 * would hold the most that they ever needed for ever. Not for a thread that may not pause. (An entry of its own: a thread that starts quickly loads nothing else of this library.)
 *
 * @param idleBelow the share of the time that a thread is at work even when nobody wants anything
 * @returns what ends it
 */
export function giveBackIdleMemory(parts: IdleMemoryParts = ofThisThread(), idleBelow = IDLE_BELOW): () => void {
  let seen = parts.utilization();
  let leftBytes = 0;
  const looking = setInterval(() => {
    const { utilization } = parts.utilization(seen);
    seen = parts.utilization();
    if (utilization > idleBelow || parts.heapBytes() < leftBytes + WORTH_BYTES) return;
    parts.collect();
    leftBytes = parts.heapBytes();
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(looking);
  };
}

/** Per cent that a heap may grow by, after a collection, until the next one. */
const GROWTH_PERCENT = 70;

/**
 * Has all heaps of this process grow by less between collections than V8 lets them where there is much memory: to four times what is alive. What a large plan once took is given back by the next
 * collections, also by threads that may not pause. To be called once, by the program.
 */
export function growHeapsSlowly(): void {
  setFlagsFromString(`--heap-growing-percent=${String(GROWTH_PERCENT)}`);
}

/** What collects the garbage of this thread, at once: all of it, or only that among what was made last (`minor`), which takes less. */
export type GarbageCollector = (options?: { readonly type: 'minor' }) => void;

export function garbageCollector(): GarbageCollector {
  // The function is there in contexts that are made from then on.
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as GarbageCollector;
}

export function ofThisThread(): IdleMemoryParts {
  return {
    utilization: (before) => performance.eventLoopUtilization(before),
    heapBytes: () => getHeapStatistics().total_heap_size,
    collect: garbageCollector(),
  };
}
