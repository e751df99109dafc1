import { Worker } from 'node:worker_threads';
import type { Asked, Said } from './monitor-worker.js';
import type { MonitorAnswer, MonitorTask } from './tasks.js';

/** For one status of a large cluster. */
const LONGEST_MS = 60_000;

/** Works statuses out in a thread of its own, which begins with the first: however large the cluster is, the node's lease is renewed meanwhile. */
export class MonitorThread {
  private worker: Worker | undefined;
  private nextId = 0;
  private readonly waiting = new Map<number, { resolve: (answer: MonitorAnswer) => void; reject: (error: Error) => void }>();

  /** Rejects with an Error that says why there is no status. */
  perform(task: MonitorTask): Promise<MonitorAnswer> {
    const worker = (this.worker ??= this.start());
    const id = (this.nextId += 1);
    return new Promise<MonitorAnswer>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.fail(worker, new Error(`the status took more than ${LONGEST_MS / 1_000} s to work out`));
      }, LONGEST_MS);
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          this.waiting.delete(id);
          then(value);
        };
      this.waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      worker.postMessage({ id, task } satisfies Asked);
    });
  }

  close(): void {
    if (this.worker !== undefined) this.fail(this.worker, new Error('the node agent ends'));
  }

  private start(): Worker {
    const worker = new Worker(new URL('./monitor-worker.js', import.meta.url));
    worker.unref();
    worker.on('message', (said: Said) => {
      const asker = this.waiting.get(said.id);
      if ('answer' in said) asker?.resolve(said.answer);
      else asker?.reject(new Error(said.trouble));
    });
    worker.on('error', (error) => {
      this.fail(worker, error instanceof Error ? error : new Error(String(error)));
    });
    return worker;
  }

  /** Everybody who waits for this thread hears it; the next one who asks gets another thread. */
  private fail(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    void worker.terminate();
    for (const { reject } of [...this.waiting.values()]) reject(error);
  }
}
