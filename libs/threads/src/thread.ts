import type { Worker } from 'node:worker_threads';
import { TreeSender, type XmlElement } from '@systole/cib';
import { startThread } from './start-thread.js';
import { ThreadLost } from './thread-errors.js';
import type { FromThread, ToThread } from './thread-messages.js';

/** Memory of a thread; as Node.js has it where left out. */
export interface ThreadMemory {
  /** For what lasts, MiB. A thread that needs more ends. */
  readonly oldMib?: number;
  /** For what is new, MiB: three times what one collection goes through. */
  readonly youngMib?: number;
  /** Of it, what may be filled before the first collection, MiB. V8 begins with one, and comes down to that again whenever there was little to do. */
  readonly firstRoomMib?: number;
}

/** What a thread keeps of trees, in characters of XML; in memory each takes about six bytes. The newest is kept however large it is. */
export interface KeptTrees {
  readonly length: number;
  /** So many of them stay though nobody asks for them. Default: all. */
  readonly unused?: { readonly length: number; readonly afterMs: number };
}

/** What a thread is started with. */
export interface ThreadSettings {
  /** What one of them is called in errors, e.g. `scheduling thread`. */
  readonly name: string;
  /** The file in which it begins (see {@link serveThread}). */
  readonly entry: () => URL;
  readonly memory: ThreadMemory;
  readonly kept: KeptTrees;
}

interface ThreadEvents {
  readonly said: (message: FromThread<unknown, unknown>) => void;
  readonly lost: (error: ThreadLost) => void;
}

/** A thread, seen from outside, with what it was told. */
export class Thread {
  readonly #worker: Worker;
  readonly #trees: TreeSender;
  readonly #forgetting: NodeJS.Timeout | undefined;

  constructor({ name, entry, memory, kept }: ThreadSettings, { said, lost }: ThreadEvents) {
    this.#worker = startThread(entry(), memory);
    this.#trees = new TreeSender(kept.length);
    this.#worker.on('message', said);
    this.#worker.on('error', (error) => {
      const message = error instanceof Error ? error.message : String(error);
      const outOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      lost(new ThreadLost(`a ${name} broke: ${message}`, outOfMemory, { cause: error }));
    });
    this.#worker.on('exit', (code) => {
      lost(new ThreadLost(`a ${name} ended with code ${code}`, false));
    });
    this.#forgetting = kept.unused === undefined ? undefined : this.#forgetUnused(kept.unused);
  }

  /** Whether it knows a tree but for what has changed since. */
  knows(key: string): boolean {
    return this.#trees.knows(key);
  }

  /** Has the thread forget a tree: it is told whole the next time. */
  forget(key: string): void {
    this.#trees.forget(key);
    this.#post({ kind: 'forget', keys: [key] });
  }

  /** Tells a tree bit by bit: what of it has changed since it was told last. @throws {XmlError} for one that has no XML form */
  *tell(key: string, tree: XmlElement): Generator<void, void, undefined> {
    for (const message of this.#trees.messages(key, tree)) {
      this.#post({ kind: 'tree', message });
      yield;
    }
  }

  rehearse(): void {
    this.#post({ kind: 'rehearse' });
  }

  perform(id: number, task: unknown): void {
    this.#post({ kind: 'task', id, task });
  }

  async terminate(): Promise<void> {
    clearInterval(this.#forgetting);
    await this.#worker.terminate();
  }

  #forgetUnused({ length, afterMs }: NonNullable<KeptTrees['unused']>): NodeJS.Timeout {
    return setInterval(() => {
      const keys = this.#trees.forgetUnused(length);
      if (keys.length > 0) this.#post({ kind: 'forget', keys });
    }, afterMs).unref();
  }

  #post(message: ToThread<unknown>): void {
    this.#worker.postMessage(message);
  }
}
