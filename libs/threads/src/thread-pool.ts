import { FairLine } from '@systole/access';
import type { XmlElement } from '@systole/cib';
import { inSlices } from '@systole/read-models';
import { CallerGone, ThreadLost, ThreadsClosed, TookTooLong, WorkBroke } from './thread-errors.js';
import type { FromThread } from './thread-messages.js';
import { Thread, type ThreadSettings } from './thread.js';

export interface ThreadPoolOptions extends ThreadSettings {
  /** Most threads; they start when needed. */
  readonly most: number;
  /** After which work is given up, and its thread ended, ms; counted from its turn. */
  readonly timeoutMs: number;
  /** Whether the first thread begins at once and rehearses while there is nothing to do. Default: no. */
  readonly rehearses?: boolean;
}

/** A tree that a task names, and under which name the thread is told of it: by what has changed since the last one of that name. */
export interface TreeToTell {
  readonly key: string;
  readonly tree: XmlElement;
}

export interface Work<Task> {
  /** Owners take turns. Default: all work is one owner's. */
  readonly owner?: string;
  /** Aborts when nobody waits for it any more: it leaves the line, or its thread is ended. */
  readonly gone?: AbortSignal;
  /** Made when its turn has come: what waits holds no memory but what is held anyway. */
  readonly task: () => Task;
  /** Told before the task. */
  readonly tell?: TreeToTell;
}

export interface Done<Result, Later> {
  readonly result: Result;
  /** What the thread makes of it once the result is on its way; undefined where nothing follows. Rejects when the thread is lost before. */
  readonly later: Promise<Later> | undefined;
}

interface Waiting {
  readonly work: Work<unknown>;
  /** Its tree was found to have diverged once. */
  toldAnew: boolean;
  readonly resolve: (done: Done<unknown, unknown>) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  readonly id: number;
  readonly waiting: Waiting;
  readonly timer: NodeJS.Timeout;
}

interface Following {
  readonly thread: Thread;
  readonly resolve: (later: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Threads that work on one task at a time each, and the line before them. A thread remembers the trees that it was told last, and is told what has changed in
 * them; work on a tree goes to a free thread that knows it. Work whose caller has gone, that takes too long or too much memory ends with its thread.
 */
export class ThreadPool<Task, Result, Later = never> {
  readonly #line = new FairLine<Waiting>();
  readonly #threads = new Map<Thread, Running | undefined>();
  readonly #following = new Map<number, Following>();
  #lastId = 0;
  #closed = false;

  constructor(private readonly options: ThreadPoolOptions) {
    if (options.rehearses === true) this.#start().rehearse();
  }

  /** Work that waits for a thread. */
  get waiting(): number {
    return this.#line.length;
  }

  /** Threads that have something to do. */
  get busy(): number {
    return [...this.#threads.values()].filter((running) => running !== undefined).length;
  }

  /** @throws {TookTooLong | ThreadLost | WorkBroke | CallerGone | ThreadsClosed} and what the making of the task, or the telling of the tree, throws */
  async run(work: Work<Task>): Promise<Done<Result, Later>> {
    if (this.#closed) throw new ThreadsClosed(this.options.name);
    // What comes through the port is what the thread's work says: that serves the same types.
    return (await this.#inLine(work)) as Done<Result, Later>;
  }

  #inLine(work: Work<Task>): Promise<Done<unknown, unknown>> {
    const { owner = '', gone } = work;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (this.#line.remove(owner, waiting)) {
          reject(new CallerGone());
          return;
        }
        const thread = [...this.#threads].find(([, running]) => running?.waiting === waiting)?.[0];
        if (thread !== undefined) this.#giveUp(thread, new CallerGone());
      };
      const settled =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          gone?.removeEventListener('abort', leave);
          then(value);
        };
      const waiting: Waiting = { work, toldAnew: false, resolve: settled(resolve), reject: settled(reject) };
      gone?.addEventListener('abort', leave, { once: true });
      this.#line.add(owner, waiting);
      this.#assign();
    });
  }

  /** Ends all threads; what has not finished is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const closed = new ThreadsClosed(this.options.name);
    for (let waiting = this.#line.next(); waiting !== undefined; waiting = this.#line.next()) waiting.reject(closed);
    await Promise.all([...this.#threads.keys()].map((thread) => this.#end(thread, closed)));
  }

  #assign(): void {
    while (this.#threads.size < this.options.most || this.#idle.length > 0) {
      const waiting = this.#line.next();
      if (waiting === undefined) return;
      const thread = this.#threadOr(waiting);
      if (thread !== undefined) this.#begin(thread, waiting);
    }
  }

  /** Whoever waits is told when no thread can be started for it (a limit of the machine): this is called by timers and by what threads say, where an error would end the process. */
  #threadOr({ work, reject }: Waiting): Thread | undefined {
    try {
      return this.#threadFor(work.tell?.key);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      reject(new ThreadLost(`no ${this.options.name} could be started: ${why}`, false, { cause: error }));
      return undefined;
    }
  }

  get #idle(): readonly Thread[] {
    return [...this.#threads].flatMap(([thread, running]) => (running === undefined ? [thread] : []));
  }

  /** That which knows the tree if it is free, else any free one. */
  #threadFor(key: string | undefined): Thread {
    const idle = this.#idle;
    const knowing = key === undefined ? undefined : idle.find((thread) => thread.knows(key));
    return knowing ?? idle[0] ?? this.#start();
  }

  #start(): Thread {
    const thread = new Thread(this.options, {
      said: (message) => {
        this.#take(thread, message);
      },
      lost: (error) => {
        this.#giveUp(thread, error);
      },
    });
    this.#threads.set(thread, undefined);
    return thread;
  }

  #begin(thread: Thread, waiting: Waiting): void {
    const { name, timeoutMs } = this.options;
    const timer = setTimeout(() => {
      this.#giveUp(thread, new TookTooLong(name, timeoutMs));
    }, timeoutMs);
    const running = { id: ++this.#lastId, waiting, timer };
    this.#threads.set(thread, running);
    this.#hand(thread, running).catch((error: unknown) => {
      if (this.#threads.get(thread) !== running) return;
      this.#release(thread)?.reject(error instanceof Error ? error : new WorkBroke(String(error)));
      this.#assign();
    });
  }

  async #hand(thread: Thread, running: Running): Promise<void> {
    const { tell, task } = running.waiting.work;
    if (tell !== undefined) await inSlices(this.#told(thread, running, tell));
    if (this.#threads.get(thread) === running) thread.perform(running.id, task());
  }

  /** Ends early with the work: its thread is ended then. */
  *#told(thread: Thread, running: Running, { key, tree }: TreeToTell): Generator<void, void, undefined> {
    for (const told of thread.tell(key, tree)) {
      if (this.#threads.get(thread) !== running) return;
      yield told;
    }
  }

  #take(thread: Thread, message: FromThread<unknown, unknown>): void {
    const following = this.#following.get(message.id);
    if (following !== undefined) {
      this.#following.delete(message.id);
      if (message.kind === 'later') following.resolve(message.later);
      else following.reject(new WorkBroke(message.kind === 'done' ? 'it was done twice' : message.error));
      return;
    }
    if (message.kind === 'later' || this.#threads.get(thread)?.id !== message.id) return;
    const waiting = this.#release(thread);
    if (waiting === undefined) return;
    const { tell } = waiting.work;
    // Whatever broke, what the thread knows is not relied upon.
    if (message.kind !== 'done' && tell !== undefined) thread.forget(tell.key);
    switch (message.kind) {
      case 'done':
        waiting.resolve({ result: message.result, later: message.follows ? this.#follow(thread, message.id) : undefined });
        break;
      case 'diverged':
        // Only a defect lets the two ends differ; the whole tree puts an end to it.
        if (!waiting.toldAnew) {
          waiting.toldAnew = true;
          this.#begin(thread, waiting);
          return;
        }
        waiting.reject(new WorkBroke(message.error));
        break;
      case 'broke':
        waiting.reject(new WorkBroke(message.error));
    }
    this.#assign();
  }

  #follow(thread: Thread, id: number): Promise<unknown> {
    const later = new Promise<unknown>((resolve, reject) => {
      this.#following.set(id, { thread, resolve, reject });
    });
    // Whoever has no use for it does not ask how that went.
    later.catch(() => undefined);
    return later;
  }

  #giveUp(thread: Thread, error: Error): void {
    if (!this.#threads.has(thread)) return;
    void this.#end(thread, error);
    // Whoever gave it hears of it before the next begins, which may be the same again.
    setImmediate(() => {
      this.#assign();
    });
  }

  async #end(thread: Thread, error: Error): Promise<void> {
    const waiting = this.#release(thread);
    this.#threads.delete(thread);
    for (const [id, following] of this.#following) {
      if (following.thread !== thread) continue;
      this.#following.delete(id);
      following.reject(error);
    }
    waiting?.reject(error);
    await thread.terminate();
  }

  #release(thread: Thread): Waiting | undefined {
    const running = this.#threads.get(thread);
    if (running === undefined) return undefined;
    clearTimeout(running.timer);
    this.#threads.set(thread, undefined);
    return running.waiting;
  }
}
