import { availableParallelism } from 'node:os';
import type { XmlElement } from '@systole/cib';
import { indexInSteps } from '@systole/cluster';
import type { PlannedSchedule, Scheduling } from '@systole/control-plane';
import { inSlices } from '@systole/read-models';
import { SCHEDULER_VERSION, unpackGraph, type PackedGraph, type TransitionGraph } from '@systole/scheduler';
import { ScheduleFailed, ScheduleTimeout } from './schedule-errors.js';
import type { PackedSchedule, ScheduleReply } from './schedule-message.js';
import { SchedulingThread, type ThreadEvents } from './scheduling-thread.js';

export interface SchedulePoolOptions {
  /** Most threads; they start when needed. Default: one less than the processors, at most 4, and at least 2: a cluster that takes seconds to plan holds up no other one. */
  readonly threads?: number;
  /** After which a run is given up and its thread is ended, ms. */
  readonly timeoutMs: number;
  /** Whether the first thread begins at once and makes itself quick while there is nothing to plan, which takes a second or two of a processor. Default: no. */
  readonly warmUp?: boolean;
}

/** What came of a run. */
type Outcome =
  | { readonly kind: 'planned'; readonly planned: PackedSchedule; readonly stored: Promise<Uint8Array> }
  | { readonly kind: 'read'; readonly graph: PackedGraph }
  | { readonly kind: 'diverged'; readonly error: string };

interface Run {
  readonly id: number;
  /** The cluster that is planned for, and what the thread has to be told; undefined for a graph that is read. */
  readonly cluster: string | undefined;
  readonly begin: (thread: SchedulingThread) => Promise<void>;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

interface Storing {
  readonly thread: SchedulingThread;
  readonly resolve: (stored: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs `schedule()` in threads, so that planning a large cluster does not hold up the others' timers, leases and answers. A thread knows the CIBs that it
 * planned for last, and is told what has changed in them.
 */
export class SchedulePool implements Scheduling {
  readonly version = SCHEDULER_VERSION;
  private readonly threads = new Map<SchedulingThread, { run: Run; timer: NodeJS.Timeout } | undefined>();
  private readonly waiting: Run[] = [];
  /** Plans whose stored form has still to come, by run. */
  private readonly storing = new Map<number, Storing>();
  private readonly most: number;
  private lastId = 0;
  private closed = false;

  constructor(private readonly options: SchedulePoolOptions) {
    this.most = options.threads ?? Math.max(2, Math.min(4, availableParallelism() - 1));
    if (options.warmUp === true) this.startThread(true);
  }

  /**
   * @param now epoch seconds
   * @throws ScheduleTimeout, ScheduleFailed; what the serialisation of the CIB throws
   */
  async schedule(cluster: string, cib: XmlElement, now: number): Promise<PlannedSchedule> {
    const plan = (id: number) => (thread: SchedulingThread) => thread.plan({ id, cluster, cib, now });
    let outcome = await this.run(cluster, plan);
    // Only a defect lets the two ends differ; the whole tree puts an end to it.
    if (outcome.kind === 'diverged') outcome = await this.run(cluster, plan);
    if (outcome.kind !== 'planned') throw unexpected(outcome);
    const { planned, stored } = outcome;
    return { ...planned, stored, graph: await unpacked(planned.graph) };
  }

  async graphFrom(stored: Uint8Array): Promise<TransitionGraph> {
    const outcome = await this.run(undefined, (id) => (thread) => thread.read({ id, stored }));
    if (outcome.kind !== 'read') throw unexpected(outcome);
    return unpacked(outcome.graph);
  }

  /** Plans, and graphs to be read, that wait for a thread. */
  get waitingRuns(): number {
    return this.waiting.length;
  }

  /** Threads that have something to do. */
  get busyThreads(): number {
    return [...this.threads.values()].filter((running) => running !== undefined).length;
  }

  /** Ends all threads; runs that have not finished are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    const closing = new ScheduleFailed('the worker is closing');
    for (const run of this.waiting.splice(0)) run.reject(closing);
    await Promise.all([...this.threads.keys()].map((thread) => this.end(thread, closing)));
  }

  private run(cluster: string | undefined, begin: (id: number) => Run['begin']): Promise<Outcome> {
    if (this.closed) return Promise.reject(new ScheduleFailed('the scheduling threads are closed'));
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      this.waiting.push({ id, cluster, begin: begin(id), resolve, reject });
      this.assign();
    });
  }

  private assign(): void {
    for (let run = this.waiting[0]; run !== undefined; run = this.waiting[0]) {
      const thread = this.idleThread(run.cluster);
      if (!thread) return;
      this.waiting.shift();
      this.begin(thread, run);
    }
  }

  private begin(thread: SchedulingThread, run: Run): void {
    const timer = setTimeout(() => {
      void this.end(thread, new ScheduleTimeout(this.options.timeoutMs));
      this.assign();
    }, this.options.timeoutMs);
    this.threads.set(thread, { run, timer });
    run.begin(thread).catch((error: unknown) => {
      if (this.threads.get(thread)?.run !== run) return;
      this.release(thread)?.reject(error instanceof Error ? error : new ScheduleFailed(String(error)));
      this.assign();
    });
  }

  /** That which knows the cluster if it is free, else any free one. */
  private idleThread(cluster: string | undefined): SchedulingThread | undefined {
    const idle = [...this.threads].flatMap(([thread, running]) => (running === undefined ? [thread] : []));
    const knowing = cluster === undefined ? undefined : idle.find((thread) => thread.knows(cluster));
    return knowing ?? idle[0] ?? (this.threads.size < this.most ? this.startThread() : undefined);
  }

  private startThread(warmsUp = false): SchedulingThread {
    const events: ThreadEvents = {
      reply: (reply) => {
        this.take(thread, reply);
      },
      lost: (reason) => {
        void this.end(thread, new ScheduleFailed(reason));
        this.assign();
      },
    };
    const thread = new SchedulingThread(events, warmsUp);
    this.threads.set(thread, undefined);
    return thread;
  }

  private take(thread: SchedulingThread, reply: ScheduleReply): void {
    if (reply.kind === 'stored') {
      this.storing.get(reply.id)?.resolve(reply.stored);
      this.storing.delete(reply.id);
      return;
    }
    if (this.threads.get(thread)?.run.id !== reply.id) return;
    const run = this.release(thread);
    if (run === undefined) return;
    switch (reply.kind) {
      case 'planned':
        run.resolve({ kind: 'planned', planned: reply.planned, stored: this.storedBy(thread, reply.id) });
        break;
      case 'read':
        run.resolve(reply);
        break;
      case 'diverged':
        if (run.cluster !== undefined) thread.forget(run.cluster);
        run.resolve(reply);
        break;
      case 'failed':
        run.reject(new ScheduleFailed(reply.error));
    }
    this.assign();
  }

  private storedBy(thread: SchedulingThread, id: number): Promise<Uint8Array> {
    const stored = new Promise<Uint8Array>((resolve, reject) => {
      this.storing.set(id, { thread, resolve, reject });
    });
    // Whoever does not store the plan does not ask how that went.
    stored.catch(() => undefined);
    return stored;
  }

  private async end(thread: SchedulingThread, error: Error): Promise<void> {
    const run = this.release(thread);
    this.threads.delete(thread);
    for (const [id, storing] of this.storing) {
      if (storing.thread !== thread) continue;
      this.storing.delete(id);
      storing.reject(error);
    }
    run?.reject(error);
    await thread.terminate();
  }

  private release(thread: SchedulingThread): Run | undefined {
    const running = this.threads.get(thread);
    if (!running) return undefined;
    clearTimeout(running.timer);
    this.threads.set(thread, undefined);
    return running.run;
  }
}

/** With its index, which takes as long as the graph itself and is needed at once. */
async function unpacked(packed: PackedGraph): Promise<TransitionGraph> {
  const graph = await inSlices(unpackGraph(packed));
  await inSlices(indexInSteps(graph));
  return graph;
}

function unexpected(outcome: Outcome): ScheduleFailed {
  return new ScheduleFailed(`a scheduling thread answered with ${outcome.kind}${outcome.kind === 'diverged' ? `: ${outcome.error}` : ''}`);
}
