import { Shares, type ShareLimits } from '@systole/access';
import { CallerGone, threadEntry, ThreadLost, ThreadPool, ThreadsClosed, TookTooLong, WorkBroke, type TreeToTell } from '@systole/threads';
import { HttpProblem } from '../http/problem.js';
import type { Caller } from './caller.js';
import { cibProblem } from './cib-problem.js';
import type { Task, TaskOutcome, TaskResults } from './task.js';
import { UnfinishedWork, type WorkOnTree } from './unfinished-work.js';

export interface LaneLimits {
  /** Tasks that wait or run. */
  readonly places: ShareLimits;
  /** After which a task is given up, ms. A person waits for it. */
  readonly taskMs: number;
  /** Memory of the thread, MiB. */
  readonly memoryMib: number;
}

/** A CIB that a task names, of which the thread is told before, bit by bit. */
export interface ToldTree extends TreeToTell {
  /** What is computed of it: when that came to no end, it is not begun again at once of the same CIB for the same owner. Left out where it always is. */
  readonly what?: string;
}

/** What a lane's thread keeps of CIBs, in characters of XML. */
const KEPT_LENGTH = 4 * 1024 * 1024;

/**
 * A thread that works on one task at a time, and the line before it. Owners take turns; each has so many places, and so have all together: who comes then is
 * told to come again. A task whose caller has gone is taken from the line, or its thread is ended; so is one that takes too long or too much memory.
 * What ran for long and came to no end is not begun again at once for the one who asks again ({@link UnfinishedWork}).
 */
export class ComputingLane {
  readonly #thread: ThreadPool<Task, TaskOutcome>;
  readonly #places: Shares;
  readonly #unfinished: UnfinishedWork;

  constructor(
    readonly name: string,
    private readonly limits: LaneLimits,
  ) {
    this.#places = new Shares(limits.places);
    this.#unfinished = new UnfinishedWork(limits.taskMs);
    this.#thread = new ThreadPool({
      name: 'computing thread',
      entry: () => threadEntry('computing-thread', import.meta.url),
      most: 1,
      timeoutMs: limits.taskMs,
      memory: { oldMib: limits.memoryMib },
      kept: { length: KEPT_LENGTH },
    });
  }

  /** Tasks that wait or run. */
  get length(): number {
    return this.#places.total;
  }

  /**
   * @throws {HttpProblem} 429 or 503 when there is no place, 422 when what was sent is no CIB or needs too much memory, 503 when it takes too long or the
   * server closes
   */
  async compute<T extends Task>({ owner, gone }: Caller, task: () => T, tell?: ToldTree): Promise<TaskResults[T['kind']]> {
    gone.throwIfAborted();
    const work = tell?.what === undefined ? undefined : { owner, what: tell.what, tree: tell.tree };
    this.#refuseUnfinished(work);
    const refused = this.#places.take(owner);
    if (refused === 'own') {
      const { each } = this.limits.places;
      throw new HttpProblem(429, 'too-many-computations', `${each} computations of this token wait already: wait for their answers`, RETRY);
    }
    if (refused === 'total') throw new HttpProblem(503, 'busy', 'too many computations wait already: try again in a moment', RETRY);
    let begunAt: number | undefined;
    const begun = (): T => {
      // While it waited the same may have come to no end.
      this.#refuseUnfinished(work);
      begunAt = performance.now();
      return task();
    };
    try {
      const { result } = await this.#thread.run({ owner, gone, task: begun, ...(tell === undefined ? {} : { tell }) });
      if (result.outcome === 'refused') throw cibProblem(result.refusal);
      // What a kind of task comes to is written down in TaskResults; the thread keeps to it.
      return result.result as TaskResults[T['kind']];
    } catch (error) {
      const isUnfinished = error instanceof TookTooLong || error instanceof CallerGone;
      if (isUnfinished && work !== undefined && begunAt !== undefined) this.#unfinished.add(work, performance.now() - begunAt);
      throw asTold(error);
    } finally {
      this.#places.give(owner);
    }
  }

  #refuseUnfinished(work: WorkOnTree | undefined): void {
    const restMs = work === undefined ? 0 : this.#unfinished.restMs(work);
    if (restMs === 0) return;
    const seconds = String(Math.ceil(restMs / 1_000));
    const detail = `a computation of this kind ran for long a moment ago and came to no end, and nothing has changed since: none is begun for ${seconds} s`;
    throw new HttpProblem(503, 'computation-timeout', detail, { headers: { 'retry-after': seconds } });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

const RETRY = { headers: { 'retry-after': '2' } };

/** As the caller is told it. */
function asTold(error: unknown): unknown {
  if (error instanceof ThreadsClosed) return new HttpProblem(503, 'closing', 'the server is closing');
  // Nobody reads this.
  if (error instanceof CallerGone) return new HttpProblem(503, 'caller-gone', 'the caller has gone');
  if (error instanceof TookTooLong) {
    return new HttpProblem(503, 'computation-timeout', `the computation took longer than ${error.limitMs / 1_000} s`);
  }
  if (error instanceof ThreadLost && error.outOfMemory) {
    return new HttpProblem(422, 'computation-too-large', 'this takes more memory than the server gives to one computation', {
      cause: error,
    });
  }
  if (error instanceof WorkBroke) return new Error(`a computation broke: ${error.message}`, { cause: error });
  return error;
}
