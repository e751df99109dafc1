import { availableParallelism } from 'node:os';
import type { XmlElement } from '@systole/cib';
import { indexInSteps } from '@systole/cluster';
import type { PlannedSchedule, Scheduling } from '@systole/control-plane';
import { inSlices } from '@systole/read-models';
import { SCHEDULER_VERSION, unpackGraph, type PackedGraph, type TransitionGraph } from '@systole/scheduler';
import { threadEntry, ThreadLost, ThreadPool, ThreadsClosed, TookTooLong, WorkBroke, type Done, type Work } from '@systole/threads';
import { ScheduleFailed, ScheduleTimeout } from './schedule-errors.js';
import type { ScheduleOutcome, ScheduleTask, StoredForm } from './schedule-task.js';

export interface SchedulePoolOptions {
  /** Most threads; they start when needed. Default: one less than the processors, at most 4, and at least 2: a cluster that takes seconds to plan holds up no other one. */
  readonly threads?: number;
  /** After which a run is given up and its thread is ended, ms. */
  readonly timeoutMs: number;
  /** Whether the first thread begins at once and makes itself quick while there is nothing to plan, which takes a second or two of a processor. Default: no. */
  readonly warmUp?: boolean;
}

/** The state of a run lives as long as the run, and with less room for what is new would be moved about; with less before the first collection, the first plan after a quiet while would be collected in the midst, several times. */
const MEMORY = { youngMib: 192, firstRoomMib: 32 } as const;

/** To tell a CIB whole that was not planned for in a while costs no more than planning for it. */
const KEPT = { length: 16 * 1024 * 1024, unused: { length: 2 * 1024 * 1024, afterMs: 60_000 } } as const;

/**
 * Runs `schedule()` in threads, so that planning a large cluster does not hold up the others' timers, leases and answers. A thread knows the CIBs that it
 * planned for last, and is told what has changed in them.
 */
export class SchedulePool implements Scheduling {
  readonly version = SCHEDULER_VERSION;
  private readonly threads: ThreadPool<ScheduleTask, ScheduleOutcome, StoredForm>;

  constructor({ threads, timeoutMs, warmUp = false }: SchedulePoolOptions) {
    this.threads = new ThreadPool({
      name: 'scheduling thread',
      entry: () => threadEntry('schedule-thread', import.meta.url),
      most: threads ?? Math.max(2, Math.min(4, availableParallelism() - 1)),
      timeoutMs,
      memory: MEMORY,
      kept: KEPT,
      rehearses: warmUp,
    });
  }

  /**
   * @param now epoch seconds
   * @throws ScheduleTimeout, ScheduleFailed; what the serialisation of the CIB throws
   */
  async schedule(cluster: string, cib: XmlElement, now: number): Promise<PlannedSchedule> {
    const { result, later } = await this.run({ task: () => ({ kind: 'plan', cluster, now }), tell: { key: cluster, tree: cib } });
    if (result.kind !== 'planned' || later === undefined) throw unexpected(result);
    const stored = later.catch(rethrow);
    // Whoever does not store the plan does not ask how that went.
    stored.catch(() => undefined);
    return { ...result.planned, stored, graph: await unpacked(result.planned.graph) };
  }

  async graphFrom(stored: Uint8Array): Promise<TransitionGraph> {
    const { result } = await this.run({ task: () => ({ kind: 'read', stored }) });
    if (result.kind !== 'read') throw unexpected(result);
    return unpacked(result.graph);
  }

  /** Plans, and graphs to be read, that wait for a thread. */
  get waitingRuns(): number {
    return this.threads.waiting;
  }

  /** Threads that have something to do. */
  get busyThreads(): number {
    return this.threads.busy;
  }

  /** Ends all threads; runs that have not finished are rejected. */
  close(): Promise<void> {
    return this.threads.close();
  }

  private run(work: Work<ScheduleTask>): Promise<Done<ScheduleOutcome, StoredForm>> {
    return this.threads.run(work).catch(rethrow);
  }
}

/** As those who have something planned know it. */
function rethrow(error: unknown): never {
  if (error instanceof TookTooLong) throw new ScheduleTimeout(error.limitMs);
  if (error instanceof ThreadLost || error instanceof WorkBroke || error instanceof ThreadsClosed) {
    throw new ScheduleFailed(error.message, { cause: error });
  }
  throw error;
}

/** With its index, which takes as long as the graph itself and is needed at once. */
async function unpacked(packed: PackedGraph): Promise<TransitionGraph> {
  const graph = await inSlices(unpackGraph(packed));
  await inSlices(indexInSteps(graph));
  return graph;
}

function unexpected({ kind }: ScheduleOutcome): ScheduleFailed {
  return new ScheduleFailed(`a scheduling thread answered with ${kind}`);
}
