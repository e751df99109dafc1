import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { serializeXml, type XmlElement } from '@systole/cib';
import type { PlannedSchedule, Scheduling } from '@systole/control-plane';
import { SCHEDULER_VERSION } from '@systole/scheduler';
import type { ScheduleReply, ScheduleRequest } from './schedule-message.js';

/** Room for new objects, three times what one collection goes through: the state of a run lives as long as the run, and with less room would be moved about. */
const YOUNG_GENERATION_MB = 192;

/** The scheduler took longer than it may. */
export class ScheduleTimeout extends Error {
  override readonly name = 'ScheduleTimeout';
  constructor(readonly limitMs: number) {
    super(
      `the scheduler did not finish within ${limitMs} ms; the cluster may be larger than this machine can plan: see SCHEDULE_TIMEOUT_MS`,
    );
  }
}

/** The scheduler, or its thread, broke. */
export class ScheduleFailed extends Error {
  override readonly name = 'ScheduleFailed';
}

export interface SchedulePoolOptions {
  /** Most threads; they start when needed. Default: one less than the processors, at least 1, at most 4. */
  readonly threads?: number;
  /** After which a run is given up and its thread is ended, ms. */
  readonly timeoutMs: number;
}

interface Run {
  readonly request: ScheduleRequest;
  readonly resolve: (planned: PlannedSchedule) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  run?: { readonly of: Run; readonly timer: NodeJS.Timeout };
}

/** Runs `schedule()` in threads, so that planning a large cluster does not hold up the others' timers, leases and answers. */
export class SchedulePool implements Scheduling {
  readonly version = SCHEDULER_VERSION;
  private readonly threads = new Set<Thread>();
  private readonly waiting: Run[] = [];
  private readonly most: number;
  private lastId = 0;
  private closed = false;

  constructor(private readonly options: SchedulePoolOptions) {
    this.most = options.threads ?? Math.max(1, Math.min(4, availableParallelism() - 1));
  }

  /**
   * @param now epoch seconds
   * @throws ScheduleTimeout, ScheduleFailed; what the serialisation of the CIB throws
   */
  async schedule(cib: XmlElement, now: number): Promise<PlannedSchedule> {
    if (this.closed) throw new ScheduleFailed('the scheduling threads are closed');
    const text = serializeXml(cib);
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      this.waiting.push({ request: { id: this.lastId, cib: text, now }, resolve, reject });
      this.assign();
    });
  }

  /** Ends all threads; runs that have not finished are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    const closing = new ScheduleFailed('the worker is closing');
    for (const run of this.waiting.splice(0)) run.reject(closing);
    await Promise.all(
      [...this.threads].map((thread) => {
        this.release(thread)?.reject(closing);
        return thread.worker.terminate();
      }),
    );
  }

  private assign(): void {
    for (;;) {
      const thread = this.idleThread();
      if (!thread) return;
      const run = this.waiting.shift();
      if (!run) return;
      const timer = setTimeout(() => {
        this.threads.delete(thread);
        this.release(thread)?.reject(new ScheduleTimeout(this.options.timeoutMs));
        void thread.worker.terminate();
        this.assign();
      }, this.options.timeoutMs);
      thread.run = { of: run, timer };
      thread.worker.postMessage(run.request);
    }
  }

  private idleThread(): Thread | undefined {
    if (this.waiting.length === 0) return undefined;
    for (const thread of this.threads) if (!thread.run) return thread;
    return this.threads.size < this.most ? this.startThread() : undefined;
  }

  private startThread(): Thread {
    const thread: Thread = { worker: new Worker(threadEntry(), { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } }) };
    thread.worker.unref();
    this.threads.add(thread);
    thread.worker.on('message', (reply: ScheduleReply) => {
      const run = this.release(thread);
      if (reply.ok) run?.resolve(reply.planned);
      else run?.reject(new ScheduleFailed(reply.error));
      this.assign();
    });
    const lost = (reason: string): void => {
      this.threads.delete(thread);
      this.release(thread)?.reject(new ScheduleFailed(reason));
      this.assign();
    };
    thread.worker.on('error', (error) => {
      lost(`a scheduling thread broke: ${error instanceof Error ? error.message : String(error)}`);
    });
    thread.worker.on('exit', (code) => {
      lost(`a scheduling thread ended with code ${code}`);
    });
    return thread;
  }

  private release(thread: Thread): Run | undefined {
    const run = thread.run;
    if (!run) return undefined;
    clearTimeout(run.timer);
    delete thread.run;
    return run.of;
  }
}

/** The compiled entry, also when this file itself runs from its source (under the test runner): Node starts threads only from JavaScript. */
function threadEntry(): URL {
  const entry = new URL('./schedule-thread.js', import.meta.url.replace('/apps/worker/src/', '/apps/worker/dist/'));
  if (!existsSync(fileURLToPath(entry))) throw new ScheduleFailed(`${fileURLToPath(entry)} is missing: run \`npm run build\` first`);
  return entry;
}
