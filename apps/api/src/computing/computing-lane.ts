import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { TreeSender } from '@systole/cib';
import { inSlices } from '@systole/read-models';
import { FairLine, Shares, type ShareLimits } from '@systole/access';
import { HttpProblem } from '../http/problem.js';
import type { Caller } from './caller.js';
import { cibProblem } from './cib-problem.js';
import type { CibToTell, Task, TaskMessage, TaskReply, TaskResults } from './task.js';

export interface LaneLimits {
  /** Tasks that wait or run. */
  readonly places: ShareLimits;
  /** After which a task is given up, ms. A person waits for it. */
  readonly taskMs: number;
  /** Memory of the thread, MiB. */
  readonly memoryMib: number;
}

/** What a lane's thread keeps of CIBs, in characters of XML; in memory each takes about six bytes. The newest is kept however large it is. */
const KEPT_LENGTH = 4 * 1024 * 1024;

interface Waiting {
  readonly owner: string;
  /** Made when its turn has come: what waits holds no memory but what the request holds anyway. */
  readonly task: () => Task;
  readonly tell: CibToTell | undefined;
  readonly resolve: (result: TaskResults[keyof TaskResults]) => void;
  readonly reject: (error: Error) => void;
}

/** A thread, and what it was told. */
interface Thread {
  readonly worker: Worker;
  readonly trees: TreeSender;
}

interface Running {
  readonly id: number;
  readonly waiting: Waiting;
  readonly timer: NodeJS.Timeout;
}

/**
 * A thread that works on one task at a time, and the line before it. Owners take turns; each has so many places, and so have all together: who comes then is
 * told to come again. A task whose caller has gone is taken from the line, or its thread is ended; so is one that takes too long or too much memory.
 */
export class ComputingLane {
  readonly #line = new FairLine<Waiting>();
  readonly #places: Shares;
  #thread: Thread | undefined;
  #running: Running | undefined;
  #lastId = 0;
  #closed = false;

  constructor(
    readonly name: string,
    private readonly limits: LaneLimits,
  ) {
    this.#places = new Shares(limits.places);
  }

  /** Tasks that wait or run. */
  get length(): number {
    return this.#places.total;
  }

  /**
   * @param tell a CIB that the task names: the thread is told of it before, bit by bit
   * @throws {HttpProblem} 429 or 503 when there is no place, 422 when what was sent is no CIB or needs too much memory, 503 when it takes too long or the
   * server closes
   */
  async compute<T extends Task>(caller: Caller, task: () => T, tell?: CibToTell): Promise<TaskResults[T['kind']]> {
    if (this.#closed) throw closing();
    caller.gone.throwIfAborted();
    const refused = this.#places.take(caller.owner);
    if (refused === 'own') {
      const { each } = this.limits.places;
      throw new HttpProblem(429, 'too-many-computations', `${each} computations of this token wait already: wait for their answers`, RETRY);
    }
    if (refused === 'total') throw new HttpProblem(503, 'busy', 'too many computations wait already: try again in a moment', RETRY);
    try {
      // What a kind of task comes to is written down in TaskResults; the thread keeps to it.
      return (await this.#wait(caller, task, tell)) as TaskResults[T['kind']];
    } finally {
      this.#places.give(caller.owner);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let waiting = this.#line.next(); waiting !== undefined; waiting = this.#line.next()) waiting.reject(closing());
    this.#end()?.reject(closing());
    await this.#thread?.worker.terminate();
  }

  #wait({ owner, gone }: Caller, task: () => Task, tell: CibToTell | undefined): Promise<TaskResults[keyof TaskResults]> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        owner,
        task,
        tell,
        resolve: (result) => {
          gone.removeEventListener('abort', leave);
          resolve(result);
        },
        reject: (error) => {
          gone.removeEventListener('abort', leave);
          reject(error);
        },
      };
      const leave = (): void => {
        if (this.#running?.waiting === waiting) this.#giveUp(callerGone());
        else if (this.#line.remove(owner, waiting)) reject(callerGone());
      };
      gone.addEventListener('abort', leave, { once: true });
      this.#line.add(owner, waiting);
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const waiting = this.#line.next();
    if (waiting === undefined) return;
    const id = ++this.#lastId;
    const timer = setTimeout(() => {
      this.#giveUp(new HttpProblem(503, 'computation-timeout', `the computation took longer than ${this.limits.taskMs / 1_000} s`));
    }, this.limits.taskMs);
    const running = { id, waiting, timer };
    this.#running = running;
    this.#begin(running).catch((error: unknown) => {
      if (this.#running !== running) return;
      this.#end()?.reject(error instanceof Error ? error : new Error(String(error)));
      this.#next();
    });
  }

  async #begin(running: Running): Promise<void> {
    const thread = (this.#thread ??= this.#start());
    const { task, tell } = running.waiting;
    if (tell !== undefined) await inSlices(this.#told(running, thread, tell));
    if (this.#running === running) thread.worker.postMessage({ id: running.id, task: task() } satisfies TaskMessage);
  }

  /** Ends early with the task: its thread is ended then. */
  *#told(running: Running, { worker, trees }: Thread, { key, cib }: CibToTell): Generator<void, void, undefined> {
    for (const tree of trees.messages(key, cib)) {
      if (this.#running !== running) return;
      worker.postMessage({ tree } satisfies TaskMessage);
      yield;
    }
  }

  #start(): Thread {
    const worker = new Worker(threadEntry(), { resourceLimits: { maxOldGenerationSizeMb: this.limits.memoryMib } });
    worker.unref();
    worker.on('message', (reply: TaskReply) => {
      if (reply.id !== this.#running?.id) return;
      const waiting = this.#end();
      // Whatever broke, what the thread knows is not relied upon.
      if (reply.outcome === 'broken' && waiting?.tell !== undefined) this.#thread?.trees.forget(waiting.tell.key);
      if (reply.outcome === 'done') waiting?.resolve(reply.result);
      else if (reply.outcome === 'refused') waiting?.reject(cibProblem(reply.refusal));
      else waiting?.reject(new Error(`a computation broke: ${reply.error}`));
      this.#next();
    });
    const lost = (error: Error): void => {
      if (this.#thread?.worker !== worker) return;
      this.#thread = undefined;
      this.#end()?.reject(error);
      this.#next();
    };
    worker.on('error', (error) => {
      lost(lossOf(error));
    });
    worker.on('exit', (code) => {
      lost(new Error(`a computing thread ended with code ${code}`));
    });
    return { worker, trees: new TreeSender(KEPT_LENGTH) };
  }

  /** Ends the running task, and its thread with it: nothing else stops a computation. */
  #giveUp(error: Error): void {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#end()?.reject(error);
    void thread?.worker.terminate();
    this.#next();
  }

  #end(): Waiting | undefined {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    return running?.waiting;
  }
}

const RETRY = { headers: { 'retry-after': '2' } };

function closing(): HttpProblem {
  return new HttpProblem(503, 'closing', 'the server is closing');
}

/** Nobody reads this. */
function callerGone(): HttpProblem {
  return new HttpProblem(503, 'caller-gone', 'the caller has gone');
}

function lossOf(error: unknown): Error {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new HttpProblem(422, 'computation-too-large', 'this takes more memory than the server gives to one computation', {
      cause: error,
    });
  }
  return new Error('a computing thread broke', { cause: error });
}

/** The compiled entry, also when this file itself runs from its source (under the test runner): Node starts threads only from JavaScript. */
function threadEntry(): URL {
  const entry = new URL('./computing-thread.js', import.meta.url.replace('/apps/api/src/', '/apps/api/dist/'));
  if (!existsSync(fileURLToPath(entry))) throw new Error(`${fileURLToPath(entry)} is missing: run \`npm run build\` first`);
  return entry;
}
